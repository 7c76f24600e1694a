import type { Format } from '../format.ts'
import { textOf } from '../json.ts'
import { createSseWire } from '../wire.ts'
import { checkGemini } from './check.ts'
import { contentsOf, geminiSegments } from './contents.ts'
import { geminiBody, geminiFrames } from './frames.ts'
import { errorOf, geminiError } from './refuse.ts'
import { createGeminiSigner } from './sealing.ts'

/** Gemini's generateContent and streamGenerateContent. */
export const geminiFormat: Format = {
  name: 'gemini',
  wire: createSseWire({ ping: ': keep-alive\r\n\r\n', lineEnd: '\r\n', headers: {} }),
  check: checkGemini,
  segments: geminiSegments,
  cacheSettings: () => '',
  cacheKey: () => '',
  signer: createGeminiSigner,
  callIds: (body) =>
    contentsOf(body).flatMap(({ parts }) => parts.map(({ call }) => textOf(call?.id)).filter((id) => id !== '')),
  ids: { answer: '', call: '', length: 22 },
  wantsUsage: () => true,
  frames: geminiFrames,
  body: geminiBody,
  error: geminiError,
  errorFrame: (meaning) => ({ event: '', data: JSON.stringify(errorOf(meaning)), part: 'between' }),
  counted: (tokens) => ({ totalTokens: tokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }] }),
}
