import { checkAnthropic } from '../anthropic/check.ts'
import { anthropicFormat } from '../anthropic/format.ts'
import type { CheckState } from '../check-state.ts'
import type { Format } from '../format.ts'
import type { JsonRecord } from '../json.ts'
import type { Refusal } from '../violation.ts'
import { invokeWire } from './event-stream.ts'
import { bedrockError, bedrockErrorFrame, refuse } from './refuse.ts'

/** Claude on Bedrock by its own route: Messages inside InvokeModel, refusals in Bedrock's shape. */
export const bedrockClaudeFormat: Format = {
  ...anthropicFormat,
  name: 'bedrock-claude',
  wire: invokeWire,
  check: checkBedrockClaude,
  error: bedrockError,
  errorFrame: bedrockErrorFrame,
  counted: (tokens) => ({ inputTokens: tokens }),
}

/** What is refused on Claude's own route: what Anthropic refuses, and a body that is not made for the route. */
export function checkBedrockClaude(body: JsonRecord, state: CheckState): readonly Refusal[] {
  const version =
    body.anthropic_version === 'bedrock-2023-05-31'
      ? []
      : [refuse('SHAPE', 'anthropic_version', 'anthropic_version: Field required')]
  const extra = ['model', 'stream']
    .filter((name) => body[name] !== undefined)
    .map((name) => refuse('SHAPE', name, `${name}: Extra inputs are not permitted`))
  const models = checkAnthropic(body, state).map(({ rule, path, message }) => refuse(rule, path, message))
  return [...version, ...extra, ...models]
}
