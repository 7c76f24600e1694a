import {
  boundariesOf,
  differenceUsd,
  type PricedRequest,
  planCheckpoint,
  type RequestPrice,
  summaryInstruction,
} from '@holdfast/context'
import { type NewEntry, type Overview, parseNewEntry } from '@holdfast/conversation'
import type { EnginePorts } from '../api/ports.ts'
import type { NewPriceInquiry, NextPrice, PriceInquiry, PriceOfChange } from '../api/price-inquiry.ts'
import { pathRefused, unknownResult } from '../api/refused-command-error.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { checkModel } from '../chosen/check-model.ts'
import { settingEntries, switchAsked } from '../commands/change-settings.ts'
import { beginningOf, emptyLog } from '../commands/hypothetical-beginning.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { hasOpenCalls } from '../log/has-open-calls.ts'
import type { LiveLog } from '../log/live-log.ts'
import { isExchangeEnd } from '../log/path-log.ts'
import { entryAt } from '../log/path-reader.ts'
import { priceExtended } from '../request/price-beside.ts'
import { priceOf } from '../request/request-price.ts'
import { isSummaryDue, roomSource } from '../request/room/room-source.ts'
import type { TurnRequest } from '../request/turn-request.ts'
import { composeNext, type NextWords, saidBy } from './compose-next.ts'

/**
 * Composes the request as it would be after what is asked about, and prices it. Null where there is no model, while
 * calls are open, or where there is nothing that a checkpoint could cover.
 *
 * @throws {UnknownConversationError | RefusedCommandError | MalformedEntryError}
 */
export async function priceNext(ports: EnginePorts, log: LiveLog, question: PriceInquiry): Promise<NextPrice | null> {
  const state = log.overview()
  if (state.head === 0) throw new UnknownConversationError(log.conversationId)
  if (hasOpenCalls(state)) return null
  const asking = { ports, log, said: saidBy(question.content) }
  const changes = await changeEntries(asking, question)
  const plain = await composeNext(asking, [])
  if (plain === null) return null
  const now = ports.clock.now()
  const checkpoint = question.checkpoint ? await plannedCheckpoint(asking) : null
  if (question.checkpoint && checkpoint === null) return null
  const entries = [...changes, ...(checkpoint === null ? [] : [checkpoint.entry])]
  if (entries.length === 0) return answerOf(plain, now, null)
  const changed = await composeNext(asking, entries)
  if (changed === null) return null
  const before = priceOf(plain, now)
  const summary = checkpoint === null ? null : summaryPrice(checkpoint.at, now)
  return answerOf(
    changed,
    now,
    priceOfChange({ before, changed: priceOf(changed, now), plain, at: changed, entries, summary }),
  )
}

/**
 * What the first message of a conversation would cost that nobody has begun. Null where there is no model.
 *
 * @throws {RefusedCommandError | MalformedEntryError}
 */
export async function priceNew(ports: EnginePorts, question: NewPriceInquiry): Promise<NextPrice | null> {
  const asking = { ports, log: emptyLog(question), said: saidBy(question.content) }
  const at = await composeNext(asking, await beginningOf(ports, question))
  return at === null ? null : answerOf(at, ports.clock.now(), null)
}

async function changeEntries(
  { ports, log }: NextWords,
  { changes, toSeq, exclusion }: PriceInquiry,
): Promise<readonly NewEntry[]> {
  const state = log.overview()
  const entries: NewEntry[] = []
  if (changes !== undefined) {
    const { modelId } = changes
    if (typeof modelId === 'string') checkModel(ports, modelId)
    const { ownerId } = state
    if (ownerId === null) throw new UnknownConversationError(log.conversationId)
    const agent = await switchAsked(ports, { ownerId, changes })
    const by = { actor: ENGINE, commandId: 'priced' }
    entries.push(...settingEntries(state, by, { changes, agent }).map((entry) => parseNewEntry(entry)))
  }
  if (toSeq !== undefined) {
    await checkPlace({ ports, log }, state, toSeq)
    const about = { reason: 'edit' as const, setAsideCount: 0, totals: state.ledger.total }
    entries.push({ type: 'path-rewound', actor: ENGINE, toSeq, ...about })
  }
  if (exclusion !== undefined) {
    const { resultSeq, isExcluded } = exclusion
    const { conversationId } = log
    const result = await entryAt(ports.store, { conversationId, seq: resultSeq, type: 'tool-call-settled' })
    if (result === null) throw unknownResult(resultSeq)
    if (state.exclusions.includes(resultSeq) !== isExcluded)
      entries.push({ type: 'exclusion-changed', actor: ENGINE, resultSeq, isExcluded })
  }
  return entries
}

async function checkPlace(
  { ports, log }: Pick<NextWords, 'ports' | 'log'>,
  { path }: Overview,
  seq: number,
): Promise<void> {
  if (seq > path.head) throw pathRefused(seq, `the log ends at ${path.head}`)
  if (seq === 0 || (await isExchangeEnd(ports.store, { conversationId: log.conversationId, path, seq }))) return
  throw pathRefused(seq, 'it is not the end of an exchange')
}

/** The checkpoint as it would be planned now, with a summary as long as it may be. */
async function plannedCheckpoint(
  asking: NextWords,
): Promise<{ readonly at: TurnRequest; readonly entry: NewEntry } | null> {
  const at = await composeNext({ ...asking, said: [] }, [])
  if (at === null) return null
  const source = roomSource(at)
  const plan = planCheckpoint(source)
  if (plan.type !== 'planned') return null
  const { range } = plan
  const summary = 'x'.repeat(Math.max(1, Math.floor(source.limits.summaryTokens * at.ratio)))
  const about = { actor: ENGINE, source: 'person' as const, summary, verbatimSeqs: [...range.verbatimSeqs] }
  return { at, entry: { type: 'checkpoint-made', ...range, ...about } }
}

/** The conversation's own request with the instruction at its end; the summary at its longest. [CHK3] */
function summaryPrice(at: TurnRequest, now: number): RequestPrice {
  const { summaryTokens } = roomSource(at).limits
  const words = summaryInstruction({ wishedTokens: summaryTokens, focus: null })
  return priceExtended(at, { words, mostAnswerTokens: summaryTokens }, now)
}

interface Compared {
  readonly before: PricedRequest
  readonly changed: PricedRequest
  readonly plain: TurnRequest
  readonly at: TurnRequest
  readonly entries: readonly NewEntry[]
  readonly summary: RequestPrice | null
}

function priceOfChange({ before, changed, plain, at, entries, summary }: Compared): PriceOfChange {
  const lostTokens = Math.max(0, before.now.cacheReadTokens - changed.now.cacheReadTokens)
  const paidAnew = Math.min(lostTokens, changed.now.promptTokens - changed.now.cacheReadTokens)
  const { price } = at.model.facts
  return {
    breaks: breaksOf(plain, at, entries),
    lostTokens,
    lostUsd: lostTokens === 0 ? 0 : differenceUsd({ ...changed.now, outputTokens: 0 }, paidAnew, price),
    before: before.now,
    summary,
  }
}

/** The boundaries that the change would write, and the change of the model that the next request would record. */
function breaksOf(plain: TurnRequest, at: TurnRequest, entries: readonly NewEntry[]): PriceOfChange['breaks'] {
  const place = { conversationId: at.conversationId, at: 0, v: 1 }
  const found = boundariesOf(entries.map((entry, index) => ({ ...place, seq: index + 1, ...entry })))
  const isOther = plain.model.modelId !== at.model.modelId
  const toolsDiffer = plain.composedFrom.toolDefinitions?.hash !== at.composedFrom.toolDefinitions?.hash
  const choiceDiffers = plain.request.toolChoice !== at.request.toolChoice
  const breaks: PriceOfChange['breaks'] = found.map(({ reason, brokenFrom }) => ({ reason, brokenFrom }))
  const model = isOther ? [{ reason: 'model' as const, brokenFrom: 'tools' as const }] : []
  const tools = toolsDiffer ? [{ reason: 'tools' as const, brokenFrom: 'tools' as const }] : []
  const choice = choiceDiffers ? [{ reason: 'tools' as const, brokenFrom: 'messages' as const }] : []
  return [...model, ...tools, ...choice, ...breaks]
}

function answerOf(at: TurnRequest, now: number, change: PriceOfChange | null): NextPrice {
  const { model } = at
  return {
    modelId: model.modelId,
    priceReference: model.facts.price?.reference ?? null,
    price: priceOf(at, now),
    isSummaryDue: isSummaryDue(at),
    change,
  }
}
