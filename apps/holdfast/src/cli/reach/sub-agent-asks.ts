import { type Clock, type Entry, type EntryOf, waitFor } from '@holdfast/conversation'
import { CliError } from '../../cli-error.ts'
import type { LastingApi } from './lasting-api.ts'

/** A request for permission, or a question of a call. */
export type Asking = EntryOf<'permission-requested'> | EntryOf<'question-asked'>

/** What of a sub-agent waits for a person, in a conversation of its own. [AGENT71] */
export interface SubAgentAsk {
  readonly conversationId: string
  readonly entry: Asking
  /** Fires when it is answered, wherever that was, or nobody waits for it any more. */
  readonly settled: AbortSignal
}

/** What sub-agents are watched with. */
export interface SubAgentWatch {
  readonly api: Pick<LastingApi, 'follow'>
  readonly clock: Clock
  /** Ends watching. */
  readonly signal: AbortSignal
  readonly onAsk: (asked: SubAgentAsk) => void
  readonly onFault: (error: unknown) => void
}

/** A call is written down a moment before the conversation that it names begins; in milliseconds. */
const BEGINS_MS = 200

/** Takes the entries of a conversation, and follows the sub-agents that its calls run, and theirs, for what they ask a person. [AGENT71] */
export function watchSubAgents(deps: SubAgentWatch): (entry: Entry) => void {
  const calls = new Map<string, AbortController>()
  return (entry) => {
    if (entry.type === 'tool-call-settled') calls.get(entry.callId)?.abort()
    if (entry.type !== 'tool-call-started' || entry.childConversationId === undefined) return
    const over = new AbortController()
    calls.set(entry.callId, over)
    const signal = AbortSignal.any([deps.signal, over.signal])
    watchOne({ ...deps, signal }, entry.childConversationId).catch((error: unknown) => {
      if (!signal.aborted) deps.onFault(error)
    })
  }
}

async function watchOne(deps: SubAgentWatch, conversationId: string): Promise<void> {
  const { api, clock, signal, onAsk } = deps
  const see = watchSubAgents(deps)
  const asks = createOpenAsks((entry, settled) =>
    onAsk({ conversationId, entry, settled: AbortSignal.any([signal, settled]) }),
  )
  while (!signal.aborted) {
    try {
      for await (const event of api.follow(conversationId, { after: 0, signal })) {
        if (event.type === 'refused') throw new CliError('E_LOST', 1, event.problem.detail)
        if (event.type === 'caught-up') asks.catchUp()
        if (event.type !== 'entry') continue
        see(event.entry)
        asks.take(event.entry)
      }
      return
    } catch (error) {
      if (!(error instanceof CliError && error.code === 'E_UNKNOWN_CONVERSATION')) throw error
      await waitFor(clock, BEGINS_MS, signal)
    }
  }
}

/** What waits for a person in one conversation. */
export interface OpenAsks {
  take(entry: Entry): void
  /** The log has been read to its end: what is open now is put, and from here on what comes. */
  catchUp(): void
  /** Nobody waits for an answer any more. */
  close(): void
}

/** Puts what waits for a person, and not what was answered by the time that it is read. */
export function createOpenAsks(onAsk: (entry: Asking, settled: AbortSignal) => void): OpenAsks {
  const open = new Map<string, { readonly entry: Asking; readonly settled: AbortController }>()
  let isCaughtUp = false

  function settle(id: string): void {
    open.get(id)?.settled.abort()
    open.delete(id)
  }

  return {
    take(entry) {
      if (entry.type === 'permission-settled') settle(entry.requestId)
      if (entry.type === 'question-settled') settle(entry.questionId)
      if (entry.type !== 'permission-requested' && entry.type !== 'question-asked') return
      const settled = new AbortController()
      open.set(entry.type === 'permission-requested' ? entry.requestId : entry.questionId, { entry, settled })
      if (isCaughtUp) onAsk(entry, settled.signal)
    },
    catchUp() {
      if (isCaughtUp) return
      isCaughtUp = true
      for (const { entry, settled } of open.values()) onAsk(entry, settled.signal)
    },
    close() {
      for (const { settled } of open.values()) settled.abort()
    },
  }
}
