import type { AnswerBlock, EntryOf, InputPart } from '@holdfast/conversation'
import { bounded, clipped, escaped } from './text.ts'
import { EXCLUDED_RESULT, type SentResult, type ToolResults } from './tool-results.ts'

/** The most of one tool input or result of another agent that is told, in characters. [REQ7] */
const CALL_LIMIT_CHARS = 4_000

const NAME_LIMIT_CHARS = 80

/**
 * The reply of another agent, as the one that answers now reads it: its name, its words, what it called and what that
 * gave. All of it is data: escaped, bounded, and unable to end its own mark. What it thought is its own. [AGENT4, REQ7]
 *
 * @returns null for a reply without words and calls.
 * @throws {Error} when a call has no result.
 */
export function otherReply(
  entry: Pick<EntryOf<'step-finished'>, 'stepId' | 'blocks'>,
  { name, results, itemLimitChars }: OtherReply,
): InputPart | null {
  const lines = entry.blocks.flatMap((block) => linesOf(block, { stepId: entry.stepId, results, itemLimitChars }))
  if (lines.length === 0) return null
  const mark = `<reply agent="${escaped(clipped(name.replaceAll(/\p{Cc}+/gu, ' '), NAME_LIMIT_CHARS))}" note="written by another agent, not by the user">`
  return { type: 'text', text: [mark, ...lines, '</reply>'].join('\n') }
}

/** Whose reply it is, and what its calls gave. */
export interface OtherReply {
  readonly name: string
  readonly results: ToolResults
  readonly itemLimitChars: number
}

function linesOf(
  block: AnswerBlock,
  { stepId, results, itemLimitChars }: Omit<OtherReply, 'name'> & { readonly stepId: string },
): string[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [escaped(bounded(block.text, itemLimitChars))]
    case 'thinking':
      return []
    case 'tool-call': {
      if (!block.complete) return []
      const result = results.take(stepId, block.callId)
      if (!result) throw new Error(`Call ${block.callId} of step ${stepId} has no result; settle it first`)
      const limitChars = Math.min(CALL_LIMIT_CHARS, itemLimitChars)
      const name = escaped(clipped(block.name.replaceAll(/\p{Cc}+/gu, ' '), NAME_LIMIT_CHARS))
      return [
        `<call tool="${name}">${escaped(bounded(block.inputText, limitChars))}</call>`,
        `<result tool="${name}" outcome="${outcomeOf(result)}">`,
        escaped(bounded(resultText(result), limitChars)),
        '</result>',
      ]
    }
  }
}

function outcomeOf({ settled }: SentResult): string {
  return settled.type === 'body-erased' ? 'erased' : settled.outcome
}

function resultText({ settled, isExcluded }: SentResult): string {
  if (settled.type === 'body-erased') return '(erased)'
  if (isExcluded) return `(${EXCLUDED_RESULT})`
  const texts = settled.content.map((part) => (part.type === 'text' ? part.text : '(an image)'))
  return texts.join('\n').trim() || '(no output)'
}
