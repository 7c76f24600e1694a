import { createAnthropicSigner } from '../anthropic/binding.ts'
import { anthropicSegments } from '../anthropic/blocks.ts'
import type { Format } from '../format.ts'
import { isRecord, textOf } from '../json.ts'
import { checkConverse } from './check.ts'
import { converseWire } from './event-stream.ts'
import { converseBody, converseFrames } from './frames.ts'
import { messagesOf } from './messages.ts'
import { bedrockError, bedrockErrorFrame } from './refuse.ts'
import { toAnthropicBody } from './to-anthropic.ts'

/** Amazon Bedrock's Converse and ConverseStream. */
export const converseFormat: Format = {
  name: 'bedrock-converse',
  wire: converseWire,
  check: checkConverse,
  segments: (body, tokenizer) => anthropicSegments(toAnthropicBody(body), tokenizer),
  cacheSettings: ({ additionalModelRequestFields }) => JSON.stringify(additionalModelRequestFields ?? null),
  cacheKey: () => '',
  signer: (body, state) => createAnthropicSigner(toAnthropicBody(body), state),
  callIds: (body) =>
    messagesOf(body).flatMap(({ blocks }) =>
      blocks.flatMap(({ value: { toolUse } }) => (isRecord(toolUse) ? [textOf(toolUse.toolUseId)] : [])),
    ),
  ids: { answer: 'msg_', call: 'tooluse_', length: 22 },
  wantsUsage: () => true,
  frames: converseFrames,
  body: converseBody,
  error: bedrockError,
  errorFrame: bedrockErrorFrame,
  counted: (tokens) => ({ inputTokens: tokens }),
}
