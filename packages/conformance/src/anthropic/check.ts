import type { CheckState } from '../check-state.ts'
import type { JsonRecord } from '../json.ts'
import { tokensOf } from '../segment.ts'
import type { Refusal } from '../violation.ts'
import { anthropicSegments } from './blocks.ts'
import { checkCacheMarks } from './check-cache-marks.ts'
import { checkShape } from './check-shape.ts'
import { checkThinking } from './check-thinking.ts'
import { checkToolPairs } from './check-tools.ts'
import { refuse } from './refuse.ts'

/** What Anthropic refuses in a Messages request, in the order in which it would say it. */
export function checkAnthropic(body: JsonRecord, state: CheckState): readonly Refusal[] {
  return [
    ...checkShape(body, state),
    ...checkToolPairs(body),
    ...checkCacheMarks(body),
    ...checkThinking(body, state),
    ...checkSize(body, state),
  ]
}

function checkSize(body: JsonRecord, { model, tokenizer }: CheckState): readonly Refusal[] {
  const tokens = tokensOf(anthropicSegments(body, tokenizer))
  if (tokens <= model.contextWindow) return []
  return [refuse('SIZE', 'messages', `prompt is too long: ${tokens} tokens > ${model.contextWindow} maximum`)]
}
