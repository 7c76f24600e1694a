import { boundariesOf, receiptText } from '@holdfast/context'
import { type Entry, type EntryLog, type EntryOf, entriesAfter, overview } from '@holdfast/conversation'
import type { RequestReceipt } from '../api/context-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { createPathReader } from '../log/path-reader.ts'
import { requestState } from '../log/request-state.ts'
import type { ModelToAsk } from '../request/gather.ts'
import { composeTurn } from '../request/turn-request.ts'

const PAGE = 500

/** What a past request is built from. */
export interface ReceiptPorts extends Pick<EnginePorts, 'models' | 'sha256' | 'settings'> {
  readonly store: Pick<EntryLog, 'read'>
}

/**
 * The request of a past step of a turn, built again from the log as it stood then. `isExact` says whether it is the
 * one that was sent, by its hash. [REQ1]
 *
 * @returns null when there is no such step, or its model is not there any more.
 */
export async function receiptOf(
  ports: ReceiptPorts,
  { conversationId, stepId }: { readonly conversationId: string; readonly stepId: string },
): Promise<RequestReceipt | null> {
  let state = overview.initial
  let requests = requestState.initial
  const erasedSeqs: number[] = []
  for await (const { entries } of entriesAfter(ports.store, { conversationId, after: 0, pageEntries: PAGE })) {
    const place = entries.findIndex((entry) => isStart(entry, stepId))
    const before = place < 0 ? entries : entries.slice(0, place)
    state = overview.reduce(state, before)
    requests = requestState.reduce(requests, before)
    erasedSeqs.push(...boundariesOf(before).flatMap(({ reason, seq }) => (reason === 'erasure' ? [seq] : [])))
    const found = entries[place]
    if (found?.type === 'step-started') return rebuilt(ports, { found, state, requests, erasedSeqs })
  }
  return null
}

function isStart(entry: Entry, stepId: string): boolean {
  return entry.type === 'step-started' && entry.stepId === stepId && entry.purpose === 'turn'
}

async function rebuilt(
  ports: ReceiptPorts,
  then: {
    readonly found: EntryOf<'step-started'>
    readonly state: typeof overview.initial
    readonly requests: typeof requestState.initial
    readonly erasedSeqs: readonly number[]
  },
): Promise<RequestReceipt | null> {
  const { found, state, requests, erasedSeqs } = then
  const { conversationId, seq, stepId, requestHash, anchors, windowStartSeq } = found
  const model = ports.models().find(({ modelId }) => modelId === found.modelId)
  if (!model) return null
  const read: EntryLog['read'] = (query) => ports.store.read(query)
  const log = { conversationId, overview: () => state, requestState: () => requests, read }
  const path = createPathReader(log, conversationId)
  const thinkingOff = state.runState.exclusive?.thinkingOff ?? false
  const { request } = await composeTurn({ log, path }, { ports, model, thinkingOff, asked: askedBy(found) })
  const isExact = ports.sha256(receiptText(request)) === requestHash
  return { stepId, seq, modelId: found.modelId, request, requestHash, isExact, anchors, windowStartSeq, erasedSeqs }
}

/** What the request asked for, as far as its receipt says so. */
function askedBy({ maxOutputTokens, thinkingBudgetTokens }: EntryOf<'step-started'>): NonNullable<ModelToAsk['asked']> {
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(thinkingBudgetTokens === undefined ? {} : { thinkingBudgetTokens }),
  }
}
