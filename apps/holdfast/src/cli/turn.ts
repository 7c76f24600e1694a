import { applyDelta, type Draft, type Entry, type EntryOf, emptyDraft } from '@holdfast/conversation'
import { routes } from '@holdfast/protocol'
import { CliError } from '../cli-error.ts'
import type { Api, ApiEvent } from './api.ts'
import type { GivenAnswer } from './ask-question.ts'

/** What a command does with a turn as it goes. */
export interface TurnWatcher {
  /** More of the answer's text. */
  onText(text: string): void
  /** An entry of the turn. */
  onEntry(entry: Entry): void
  /** Everything that comes, for those who read it by program. */
  onEvent(event: ApiEvent): void
  /** Asks the person; what it resolves with is the answer. */
  onQuestion(question: EntryOf<'permission-requested'>): Promise<'allow' | 'deny'>
  /** Puts a question of a running call before the person; null when the signal says that it is settled. */
  onAsked(question: EntryOf<'question-asked'>, signal: AbortSignal): Promise<GivenAnswer | null>
}

/** One message and its answer. */
export interface AskedTurn {
  readonly conversationId: string
  readonly text: string
  readonly watcher: TurnWatcher
  /** Stops the turn; what was said is kept. */
  readonly stop: AbortSignal
}

/** Sends a message and follows its turn to its end. @returns how it ended. */
export async function askTurn(
  api: Api,
  { conversationId, text, watcher, stop }: AskedTurn,
): Promise<EntryOf<'run-finished'>> {
  const params = { id: conversationId }
  const content = [{ type: 'text' as const, text }]
  const { seq, inputId } = await api.call(routes.sendInput, { params, body: { commandId: newCommandId(), content } })
  const leaving = new AbortController()
  const onStop = (): void => {
    api.call(routes.stop, { params, body: { commandId: newCommandId() } }).catch(sayWhy)
  }
  stop.addEventListener('abort', onStop, { once: true })
  if (stop.aborted) onStop()
  const text_ = createTextReader(watcher.onText)
  const questions = new Map<string, AbortController>()
  let runId: string | null = null
  try {
    for await (const event of api.follow(conversationId, { after: seq - 1, signal: leaving.signal })) {
      watcher.onEvent(event)
      if (event.type === 'refused') throw new CliError('E_LOST', 1, event.problem.detail)
      if (event.type !== 'entry') {
        if (runId !== null) text_.see(event)
        continue
      }
      const { entry } = event
      if (entry.type === 'user-message-sent' && entry.inputId === inputId) runId = entry.runId
      if (entry.type === 'question-settled') questions.get(entry.questionId)?.abort()
      if (!('runId' in entry) || entry.runId === undefined || entry.runId !== runId) continue
      if (entry.type === 'step-finished') text_.finish(entry)
      watcher.onEntry(entry)
      if (entry.type === 'permission-requested') answer(api, { conversationId, entry, watcher }).catch(sayWhy)
      if (entry.type === 'question-asked') {
        const settled = new AbortController()
        questions.set(entry.questionId, settled)
        answerAsked(api, { conversationId, entry, watcher, signal: settled.signal }).catch(sayWhy)
      }
      if (entry.type === 'run-finished') return entry
    }
    throw new CliError(
      'E_NO_SERVER',
      69,
      `The server at ${api.url} closed the line. What was said so far is in its log.`,
    )
  } finally {
    stop.removeEventListener('abort', onStop)
    for (const settled of questions.values()) settled.abort()
    leaving.abort()
  }
}

/** The turn goes on, or ends with its server, whatever became of a command beside it. A server that ends stops it itself. */
function sayWhy(error: unknown): void {
  if (error instanceof CliError && error.code === 'E_NOT_READY') return
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}

/** Names a command once. */
export function newCommandId(): string {
  return `terminal_${crypto.randomUUID()}`
}

async function answer(
  api: Api,
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

async function answerAsked(api: Api, { conversationId, entry, watcher, signal }: Asked): Promise<void> {
  const answer = await watcher.onAsked(entry, signal)
  if (answer === null) return
  const params = { id: conversationId, questionId: entry.questionId }
  // The first answer wins: another tab, or a stop, may have been faster.
  await api.call(routes.answerQuestion, { params, body: { commandId: newCommandId(), ...answer } })
}

/** Puts the text of an answer together, however its pieces come, and says each part of it once. [SYNC1] */
function createTextReader(onText: (text: string) => void) {
  let draft: Draft = emptyDraft('')
  const said = new Map<number, number>()

  function sayNew(blocks: readonly { readonly isText: boolean; readonly text: string }[]): void {
    for (const [index, { isText, text }] of blocks.entries()) {
      const from = said.get(index) ?? 0
      if (!isText || text.length <= from) continue
      if (from === 0 && said.size > 0) onText('\n\n')
      said.set(index, text.length)
      onText(text.slice(from))
    }
  }

  function open(stepId: string): void {
    if (draft.stepId === stepId) return
    draft = emptyDraft(stepId)
    said.clear()
  }

  return {
    see(event: ApiEvent) {
      if (event.type === 'draft') {
        open(event.stepId)
        draft = { stepId: event.stepId, blocks: event.blocks }
      } else if (event.type === 'delta') {
        open(event.stepId)
        draft = applyDelta(draft, event).draft
      } else return
      sayNew(draft.blocks.map(({ start, text }) => ({ isText: start.type === 'text', text })))
    },
    /** What the log has counts: it heals what the line lost. */
    finish({ stepId, blocks }: EntryOf<'step-finished'>) {
      open(stepId)
      sayNew(
        blocks.map((block) =>
          block.type === 'text' ? { isText: true, text: block.text } : { isText: false, text: '' },
        ),
      )
      if (said.size > 0) onText('\n')
    },
  }
}
