import type { Action } from '../action.ts'
import type { PromptCaches } from '../cache/prompt-caches.ts'
import type { CheckState } from '../check-state.ts'
import type { Clock } from '../clock.ts'
import { errorActions } from '../faults/body-fault.ts'
import { applyContentFault } from '../faults/content-fault.ts'
import type { Format } from '../format.ts'
import { FORMAT_OF } from '../formats.ts'
import { isRecord, type JsonRecord, parseJson, recordOf, textOf } from '../json.ts'
import type { StrictModel } from '../model.ts'
import type { Random } from '../random.ts'
import type { Reply } from '../reply.ts'
import { resolveReply } from '../resolve-reply.ts'
import { prefixHashes, tokensOf } from '../segment.ts'
import type { Signer } from '../signer.ts'
import type { Tokenizer } from '../tokenizer.ts'
import { ownerOf } from './credentials.ts'
import type { OpenRecord } from './record.ts'
import { responseActions } from './respond.ts'
import type { Route } from './route.ts'
import type { ScriptBook } from './script-book.ts'

/** What a provider has for all its requests. */
export interface Provider {
  readonly models: readonly StrictModel[]
  readonly tokenizer: Tokenizer
  readonly signer: Signer
  readonly clock: Clock
  readonly random: Random
  readonly requiresKey: boolean
  readonly caches: PromptCaches
  readonly book: ScriptBook
}

/** One request with everything that was read of it. */
export interface Exchange {
  readonly provider: Provider
  readonly record: OpenRecord
  readonly route: Route
  readonly headers: NodeJS.Dict<string | string[]>
  readonly query: URLSearchParams
}

/** What is answered to a request: the vendor's refusal, a count, the models or the script's reply. */
export function answerActions(exchange: Exchange): Iterable<Action> {
  const { provider, record, route, headers, query } = exchange
  if (route.operation === 'list-models') return json(modelList(provider.models))
  const format = FORMAT_OF[route.format]
  const owner = ownerOf(route.format, headers, query)
  if (owner === undefined && provider.requiresKey) return errorActions(format.error(401, 'auth'), undefined)
  if (!isRecord(record.body)) return errorActions(format.error(400, 'bad-request'), undefined)
  const model = provider.models.find(({ id }) => id === record.model)
  if (model === undefined) return errorActions(format.error(404, 'model-missing'), undefined)

  const counting = route.operation === 'count-tokens'
  const body = counting ? countedBody(record.body) : record.body
  const betas = textOf(headers['anthropic-beta'])
    .split(',')
    .map((beta) => beta.trim())
  const { tokenizer, signer } = provider
  const state: CheckState = { model, tokenizer, signer, betas, counting }
  record.violations = format.check(body, state)
  const [refused] = record.violations
  if (refused !== undefined) {
    const { headers: given } = format.error(refused.status, 'bad-request')
    return errorActions({ status: refused.status, headers: given, body: refused.body }, undefined)
  }
  if (counting) return json(format.counted(tokensOf(format.segments(body, tokenizer))))
  return reply({ ...exchange, format, state, body, owner: owner ?? '' })
}

/** Bedrock wraps the request whose tokens are to be counted, Gemini may. */
function countedBody(body: JsonRecord): JsonRecord {
  const { input, generateContentRequest } = body
  if (isRecord(input) && isRecord(input.converse)) return input.converse
  if (isRecord(input) && isRecord(input.invokeModel)) {
    return recordOf(parseJson(Buffer.from(textOf(input.invokeModel.body), 'base64').toString()))
  }
  return isRecord(generateContentRequest) ? generateContentRequest : body
}

function reply({
  provider,
  record,
  route,
  format,
  state,
  body,
  owner,
}: Exchange & {
  readonly format: Format
  readonly state: CheckState
  readonly body: JsonRecord
  readonly owner: string
}): Iterable<Action> {
  const { clock, random, tokenizer, caches, book } = provider
  const { model } = state
  const scripted = book.take({
    number: record.number,
    format: format.name,
    operation: route.operation,
    model: model.id,
    body,
  })
  const given = withContentFault(scripted, format, body)
  record.fault = scripted.fault
  const segments = format.segments(body, tokenizer)
  const prompt = {
    owner: [owner, format.name, model.id, format.cacheKey(body)].join('\n'),
    segments,
    hashes: prefixHashes(segments, format.cacheSettings(body)),
    at: clock.now(),
  }
  const isAnswered = given.fault?.fault.effect.type !== 'status'
  const { usage, cacheBreak, idealReadTokens } = isAnswered
    ? caches.use(record.number, prompt, model.cache)
    : {
        usage: { inputTokens: tokensOf(segments), cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 },
        cacheBreak: undefined,
        idealReadTokens: undefined,
      }
  const answer = resolveReply(given, {
    format,
    random,
    tokenizer,
    sign: format.signer(body, state),
    model: model.id,
    usage: {
      inputTokens: usage.inputTokens,
      cacheReadTokens: usage.cacheReadTokens,
      cacheWrite5mTokens: usage.cacheWrite5mTokens,
      cacheWrite1hTokens: usage.cacheWrite1hTokens,
    },
    createdSeconds: Math.floor(clock.now() / 1_000),
    includeUsage: format.wantsUsage(body),
  })
  record.usage = isAnswered ? answer.usage : undefined
  record.cacheBreak = cacheBreak
  record.idealReadTokens = idealReadTokens
  return responseActions({ format, answer, reply: given, isStream: route.operation === 'stream' })
}

function withContentFault(scripted: Reply, format: Format, body: JsonRecord): Reply {
  const { fault } = scripted
  if (fault?.fault.effect.type !== 'content') return scripted
  return applyContentFault(scripted, fault.fault.effect.what, fault.place, { callIds: format.callIds(body) })
}

function modelList(models: readonly StrictModel[]): JsonRecord {
  const data = models.map(({ id, contextWindow, maxOutputTokens }) => ({
    id,
    object: 'model',
    type: 'model',
    display_name: id,
    created: 0,
    owned_by: 'holdfast',
    context_length: contextWindow,
    max_input_tokens: contextWindow,
    max_tokens: maxOutputTokens,
  }))
  return { object: 'list', data, has_more: false }
}

function json(body: JsonRecord): readonly Action[] {
  return [
    { type: 'head', status: 200, headers: { 'content-type': 'application/json' } },
    { type: 'write', bytes: Buffer.from(JSON.stringify(body)), isDelta: false, deltaBytes: 0 },
    { type: 'finish' },
  ]
}
