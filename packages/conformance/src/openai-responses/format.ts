import type { ErrorMeaning } from '../faults/fault.ts'
import type { Format } from '../format.ts'
import type { Frame } from '../frame.ts'
import { recordOf, textOf } from '../json.ts'
import { errorOf, openaiError } from '../openai-chat/refuse.ts'
import { createSseWire } from '../wire.ts'
import { checkOpenaiResponses } from './check.ts'
import { responsesBody, responsesFrames } from './frames.ts'
import { itemsOf, responsesSegments } from './items.ts'
import { createResponsesSigner } from './sealing.ts'

/** OpenAI Responses. */
export const openaiResponsesFormat: Format = {
  name: 'openai-responses',
  wire: createSseWire({ ping: ': keep-alive\n\n', lineEnd: '\n', headers: { 'x-request-id': 'req_strict' } }),
  check: checkOpenaiResponses,
  segments: responsesSegments,
  cacheSettings: () => '',
  cacheKey: (body) => textOf(body.prompt_cache_key),
  signer: createResponsesSigner,
  callIds: (body) =>
    itemsOf(body)
      .filter(({ type }) => type === 'function_call')
      .map(({ value }) => textOf(value.call_id)),
  ids: { answer: 'resp_', call: 'call_', length: 24 },
  wantsUsage: () => true,
  frames: responsesFrames,
  body: responsesBody,
  error: openaiError,
  errorFrame,
  counted: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
}

function errorFrame(meaning: ErrorMeaning): Frame {
  const { message, code } = recordOf(errorOf(meaning).error)
  const data = { type: 'error', sequence_number: 0, code: code ?? 'server_error', message, param: null }
  return { event: 'error', data: JSON.stringify(data), part: 'between' }
}
