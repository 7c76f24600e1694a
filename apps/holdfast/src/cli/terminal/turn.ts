import type { FollowedEvent } from '@holdfast/client'
import { createAnswerText, type Entry, type EntryOf } from '@holdfast/conversation'
import { routes, type SentPart } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { LastingApi } from '../reach/lasting-api.ts'
import type { GivenAnswer } from './ask-question.ts'

/** What a command does with a turn as it goes. */
export interface TurnWatcher {
  /** More of the answer's text. */
  onText(text: string): void
  /** An entry of the turn. */
  onEntry(entry: Entry): void
  /** Everything that comes, for those who read it by program. */
  onEvent(event: FollowedEvent): void
  /** Asks the person; what it resolves with is the answer, `unattended` where nobody is there. [PERM6] */
  onQuestion(question: EntryOf<'permission-requested'>): Promise<'allow' | 'deny' | 'unattended'>
  /** Puts a question of a running call before the person; null when the signal says that it is settled. */
  onAsked(question: EntryOf<'question-asked'>, signal: AbortSignal): Promise<GivenAnswer | null>
}

/** One message and its answer. */
export interface AskedTurn {
  readonly conversationId: string
  readonly text: string
  /** What goes along with the text. */
  readonly along: readonly SentPart[]
  readonly watcher: TurnWatcher
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
export function askTurn(api: LastingApi, { conversationId, text, along, watcher, signal }: AskedTurn): OpenTurn {
  const params = { id: conversationId }
  const content = [...along, { type: 'text' as const, text }]
  const sent = api.call(routes.sendInput, { params, body: { commandId: newCommandId(), content } })
  const answerText = createAnswerText({ onText: watcher.onText, onStepEnd: () => watcher.onText('\n') })
  const stopId = newCommandId()
  const questions = new Map<string, AbortController>()
  let runId: string | null = null
  let hasDenied = false

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
      if (entry.type === 'question-settled') questions.get(entry.questionId)?.abort()
      if (!('runId' in entry) || entry.runId === undefined || entry.runId !== runId) continue
      // The agent's own requests are steps of the turn too: their words are not its answer.
      if (entry.type === 'step-started' && entry.purpose === 'turn') answerText.begin(entry)
      if (entry.type === 'step-finished') answerText.finish(entry)
      watcher.onEntry(entry)
      if (entry.type === 'permission-requested') answer(api, { conversationId, entry, watcher }).catch(sayWhy)
      if (entry.type === 'question-asked') {
        const settled = new AbortController()
        questions.set(entry.questionId, settled)
        answerAsked(api, { conversationId, entry, watcher, signal: settled.signal }).catch(sayWhy)
      }
      if (entry.type === 'tool-call-settled' && entry.outcome === 'denied') hasDenied = true
      if (entry.type === 'run-finished') return { outcome: entry.outcome, hasDenied }
    }
    throw new CliError('E_INTERRUPTED', 130, 'The reply is followed no longer. What was said so far is in the log.')
  }

  return {
    ended: follow().finally(() => {
      for (const settled of questions.values()) settled.abort()
    }),
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

async function answer(
  api: LastingApi,
  {
    conversationId,
    entry,
    watcher,
  }: {
    readonly conversationId: string
    readonly entry: EntryOf<'permission-requested'>
    readonly watcher: TurnWatcher
  },
): Promise<void> {
  const decision = await watcher.onQuestion(entry)
  const params = { id: conversationId, requestId: entry.requestId }
  const reason = decision === 'deny' ? { reason: 'Denied in the terminal.' } : {}
  // The first answer wins: another tab, or a stop, may have been faster.
  await api.call(routes.answerPermission, { params, body: { commandId: newCommandId(), decision, ...reason } })
}

interface Asked {
  readonly conversationId: string
  readonly entry: EntryOf<'question-asked'>
  readonly watcher: TurnWatcher
  readonly signal: AbortSignal
}

async function answerAsked(api: LastingApi, { conversationId, entry, watcher, signal }: Asked): Promise<void> {
  const answer = await watcher.onAsked(entry, signal)
  if (answer === null) return
  const params = { id: conversationId, questionId: entry.questionId }
  // The first answer wins: another tab, or a stop, may have been faster.
  await api.call(routes.answerQuestion, { params, body: { commandId: newCommandId(), ...answer } })
}
