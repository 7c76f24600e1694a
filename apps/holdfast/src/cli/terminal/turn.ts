import type { FollowedEvent } from '@holdfast/client'
import { type Clock, createAnswerText, type Entry, type EntryOf } from '@holdfast/conversation'
import { routes, type SentPart } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { LastingApi } from '../reach/lasting-api.ts'
import { type Asking, createOpenAsks, watchSubAgents } from '../reach/sub-agent-asks.ts'
import type { GivenAnswer } from './ask-question.ts'

/** What a command does with a turn as it goes. */
export interface TurnWatcher {
  /** More of the answer's text. */
  onText(text: string): void
  /** An entry of the turn. */
  onEntry(entry: Entry): void
  /** Everything that comes, for those who read it by program. */
  onEvent(event: FollowedEvent): void
  /** Asks the person; what it resolves with is the answer, `unattended` where nobody is there. Null: it is settled. [PERM6] */
  onQuestion(question: EntryOf<'permission-requested'>, asker: Asker): Promise<'allow' | 'deny' | 'unattended' | null>
  /** Puts a question of a running call before the person. Null: it is settled. */
  onAsked(question: EntryOf<'question-asked'>, asker: Asker): Promise<GivenAnswer | null>
}

/** Who waits for a person's answer. */
export interface Asker {
  /** The conversation of a sub-agent; null for the one that is talked in. [AGENT71] */
  readonly subAgentId: string | null
  /** Fires when it is answered, wherever that was, or nobody waits for it any more. */
  readonly settled: AbortSignal
}

/** One message and its answer. */
export interface AskedTurn {
  readonly conversationId: string
  readonly text: string
  /** What goes along with the text. */
  readonly along: readonly SentPart[]
  readonly watcher: TurnWatcher
  readonly clock: Clock
  /** Ends following; the turn goes on. */
  readonly signal: AbortSignal
}

/** How a turn ended. */
export interface TurnEnd {
  readonly outcome: EntryOf<'run-finished'>['outcome']
  /** Whether a call of it was denied, by whomever. */
  readonly hasDenied: boolean
}

/** A turn that was asked for. */
export interface OpenTurn {
  /** How it ended. @throws {CliError} when it cannot be followed to its end. */
  readonly ended: Promise<TurnEnd>
  /** Asks it to stop; what was said is kept. Resolves when the stop is durable, or there is nothing to stop. [STOP1] */
  stop(): Promise<void>
}

/** Sends a message and follows its turn to its end, over every break of the line. */
export function askTurn(api: LastingApi, asked: AskedTurn): OpenTurn {
  const { conversationId, text, along, watcher, clock, signal } = asked
  const params = { id: conversationId }
  const content = [...along, { type: 'text' as const, text }]
  const sent = api.call(routes.sendInput, { params, body: { commandId: newCommandId(), content } })
  const answerText = createAnswerText({ onText: watcher.onText, onStepEnd: () => watcher.onText('\n') })
  const stopId = newCommandId()
  const over = new AbortController()
  let runId: string | null = null
  let hasDenied = false

  function put(entry: Asking, of: { readonly conversationId: string; readonly asker: Asker }): void {
    const onUnattended = (): void => {
      hasDenied = true
    }
    answer(api, { entry, watcher, onUnattended, ...of }).catch(sayWhy)
  }

  const asks = createOpenAsks((entry, settled) =>
    put(entry, { conversationId, asker: { subAgentId: null, settled: AbortSignal.any([over.signal, settled]) } }),
  )
  // What a turn asks that was not there when it began comes while it is followed.
  asks.catchUp()
  const seeSubAgents = watchSubAgents({
    api,
    clock,
    signal: AbortSignal.any([over.signal, signal]),
    onAsk: ({ entry, settled, conversationId: subAgentId }) =>
      put(entry, { conversationId: subAgentId, asker: { subAgentId, settled } }),
    onFault: sayWhy,
  })

  async function follow(): Promise<TurnEnd> {
    const { seq, inputId } = await sent
    for await (const event of api.follow(conversationId, { after: seq - 1, signal })) {
      watcher.onEvent(event)
      if (event.type === 'refused') throw new CliError('E_LOST', 1, event.problem.detail)
      if (event.type === 'draft') answerText.seeDraft(event)
      if (event.type === 'delta') answerText.seeDelta(event)
      if (event.type !== 'entry') continue
      const { entry } = event
      if (entry.type === 'user-message-sent' && entry.inputId === inputId) runId = entry.runId
      if (entry.type === 'question-settled' || entry.type === 'permission-settled') asks.take(entry)
      if (!('runId' in entry) || entry.runId === undefined || entry.runId !== runId) continue
      // The agent's own requests are steps of the turn too: their words are not its answer.
      if (entry.type === 'step-started' && entry.purpose === 'turn') answerText.begin(entry)
      if (entry.type === 'step-finished') answerText.finish(entry)
      watcher.onEntry(entry)
      if (entry.type === 'question-asked' || entry.type === 'permission-requested') asks.take(entry)
      seeSubAgents(entry)
      if (entry.type === 'tool-call-settled' && entry.outcome === 'denied') hasDenied = true
      if (entry.type === 'run-finished') return { outcome: entry.outcome, hasDenied }
    }
    throw new CliError('E_INTERRUPTED', 130, 'The reply is followed no longer. What was said so far is in the log.')
  }

  return {
    ended: follow().finally(() => over.abort()),
    async stop() {
      await sent
      const named = runId === null ? {} : { runId }
      await api.call(routes.stop, { params, body: { commandId: stopId, ...named } })
    },
  }
}

/** Says what became of a command beside the turn: the turn goes on, or ends with its server, all the same. */
export function sayWhy(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

/** Names a command once. */
export function newCommandId(): string {
  return `terminal_${crypto.randomUUID()}`
}

interface Put {
  readonly conversationId: string
  readonly entry: Asking
  readonly watcher: TurnWatcher
  readonly asker: Asker
  /** Told where it is denied because nobody is there. [PERM6] */
  readonly onUnattended: () => void
}

/** Has the person asked, and tells the server. The first answer wins: another tab, or a stop, may have been faster. */
async function answer(
  api: LastingApi,
  { conversationId: id, entry, watcher, asker, onUnattended }: Put,
): Promise<void> {
  if (entry.type === 'question-asked') {
    const { questionId } = entry
    const given = await watcher.onAsked(entry, asker)
    if (given === null) return
    await api.call(routes.answerQuestion, { params: { id, questionId }, body: { commandId: newCommandId(), ...given } })
    return
  }
  const decision = await watcher.onQuestion(entry, asker)
  if (decision === null) return
  if (decision === 'unattended') onUnattended()
  const { requestId } = entry
  const reason = decision === 'deny' ? { reason: 'Denied in the terminal.' } : {}
  const body = { commandId: newCommandId(), decision, ...reason }
  await api.call(routes.answerPermission, { params: { id, requestId }, body })
}
