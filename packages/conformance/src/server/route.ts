import type { FormatName } from '../format-name.ts'
import { isRecord, type JsonRecord, recordOf } from '../json.ts'
import type { Operation } from './record.ts'

/** What a method and path ask for. */
export interface Route {
  readonly format: FormatName
  readonly operation: Operation
  /** The model where the path names it. */
  readonly model: string | undefined
}

interface Pattern {
  readonly path: RegExp
  readonly format: FormatName
  /** `by-body`: a stream where the body says `stream: true`. */
  readonly operation: Operation | 'by-body'
}

const PATTERNS: readonly Pattern[] = [
  { path: /^\/v1\/messages$/, format: 'anthropic', operation: 'by-body' },
  { path: /^\/v1\/messages\/count_tokens$/, format: 'anthropic', operation: 'count-tokens' },
  { path: /^\/v1\/chat\/completions$/, format: 'openai-chat', operation: 'by-body' },
  { path: /^\/v1\/responses$/, format: 'openai-responses', operation: 'by-body' },
  { path: /^\/v1\/responses\/input_tokens$/, format: 'openai-responses', operation: 'count-tokens' },
  { path: /^\/v1beta\/models\/(?<model>[^/:]+):generateContent$/, format: 'gemini', operation: 'generate' },
  { path: /^\/v1beta\/models\/(?<model>[^/:]+):streamGenerateContent$/, format: 'gemini', operation: 'stream' },
  { path: /^\/v1beta\/models\/(?<model>[^/:]+):countTokens$/, format: 'gemini', operation: 'count-tokens' },
  { path: /^\/model\/(?<model>[^/]+)\/converse$/, format: 'bedrock-converse', operation: 'generate' },
  { path: /^\/model\/(?<model>[^/]+)\/converse-stream$/, format: 'bedrock-converse', operation: 'stream' },
  { path: /^\/model\/(?<model>[^/]+)\/invoke$/, format: 'bedrock-claude', operation: 'generate' },
  { path: /^\/model\/(?<model>[^/]+)\/invoke-with-response-stream$/, format: 'bedrock-claude', operation: 'stream' },
  { path: /^\/model\/(?<model>[^/]+)\/count-tokens$/, format: 'bedrock-converse', operation: 'count-tokens' },
]

/** The route of a request, undefined where there is none. */
export function routeOf(method: string, path: string, body: JsonRecord): Route | undefined {
  const [bare = ''] = path.split('?')
  if (method === 'GET') {
    return bare === '/v1/models' ? { format: 'openai-chat', operation: 'list-models', model: undefined } : undefined
  }
  if (method !== 'POST') return undefined
  for (const { path: pattern, format, operation } of PATTERNS) {
    const match = pattern.exec(bare)
    if (match === null) continue
    const model = match.groups?.model
    // Bedrock counts both of its routes' requests at one address.
    const isInvoke = operation === 'count-tokens' && isRecord(recordOf(body.input).invokeModel)
    return {
      format: isInvoke ? 'bedrock-claude' : format,
      operation: operation === 'by-body' ? (body.stream === true ? 'stream' : 'generate') : operation,
      model: model === undefined ? undefined : decodeURIComponent(model),
    }
  }
  return undefined
}
