import { type Clock, createAnswerText, type Entry } from '@holdfast/conversation'
import { routes } from '@holdfast/protocol'
import type { RouteCalls } from './call-route.ts'
import type { Sent } from './handle.ts'

/** How a message was answered, as far as it is. */
export interface AnswerSoFar {
  readonly state:
    | 'waiting'
    | 'running'
    | 'waiting-for-person'
    | 'completed'
    | 'stopped'
    | 'failed'
    | 'interrupted'
    | 'limit'
  readonly text: string
  /** Why it is so, where there is something to say. */
  readonly reason: string | null
}

const OFFSET_DIGITS = 16

/** So often is looked whether more has come, in milliseconds. */
const LOOK_MS = 250

/** The clock that a wait needs. */
export type WaitingClock = Pick<Clock, 'monotonicMs' | 'after'>

/** Follows the answer of a message until it is over, or waits for a person, or the time is over. A wait that ends stops nothing. */
export async function awaitAnswer(
  { calls, clock }: { readonly calls: RouteCalls; readonly clock: WaitingClock },
  { conversationId, seq, inputId }: Sent,
  waitMs: number,
): Promise<AnswerSoFar> {
  const until = clock.monotonicMs() + waitMs
  const answer = createAnswer(inputId)
  for (let after = seq; ; ) {
    const entries = await readAfter(calls, { conversationId, seq: after })
    for (const entry of entries) answer.take(entry)
    after = entries.at(-1)?.seq ?? after
    const so = answer.now()
    const isEnd = entries.length === 0
    if (so.state !== 'waiting' && so.state !== 'running' && (so.state !== 'waiting-for-person' || isEnd)) return so
    const leftMs = until - clock.monotonicMs()
    if (isEnd && leftMs <= 0) return so
    if (isEnd) await pause(clock, Math.min(LOOK_MS, leftMs))
  }
}

function pause(clock: WaitingClock, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>()
  clock.after(ms, over.resolve)
  return over.promise
}

/** The entries after a place that are there; of many the first page. */
async function readAfter(
  calls: RouteCalls,
  { conversationId, seq }: { readonly conversationId: string; readonly seq: number },
): Promise<readonly Entry[]> {
  const query = { offset: String(seq).padStart(OFFSET_DIGITS, '0') }
  const read = await calls.call(routes.readStream, { params: { id: conversationId }, query })
  return Array.isArray(read) ? read : []
}

/** Puts an answer together from the entries after its message. */
function createAnswer(inputId: string): { take(entry: Entry): void; now(): AnswerSoFar } {
  let runId: string | null = null
  let state: AnswerSoFar['state'] = 'waiting'
  let reason: string | null = null
  let said = ''
  let stepEnded = false
  const asked = new Set<string>()
  const text = createAnswerText({
    onText(words) {
      said += stepEnded ? `\n\n${words}` : words
      stepEnded = false
    },
    onStepEnd() {
      stepEnded = true
    },
  })

  function end(ended: AnswerSoFar['state'], why: string | null): void {
    state = ended
    reason = why
  }

  function takeOwn(entry: Entry): void {
    if (entry.type === 'step-started' && entry.purpose === 'turn') text.begin(entry)
    if (entry.type === 'step-finished') text.finish(entry)
    if (entry.type === 'permission-requested') asked.add(entry.requestId)
    if (entry.type === 'question-asked') asked.add(entry.questionId)
    if (entry.type === 'run-finished') end(entry.outcome, entry.reason ?? null)
  }

  return {
    take(entry) {
      if (entry.type === 'user-message-sent' && entry.inputId === inputId) {
        runId = entry.runId
        end('running', null)
      }
      if (runId === null && entry.type === 'input-removed' && entry.inputId === inputId)
        end('stopped', 'The message was taken out of the queue')
      if (entry.type === 'permission-settled') asked.delete(entry.requestId)
      if (entry.type === 'question-settled') asked.delete(entry.questionId)
      if ('runId' in entry && entry.runId !== undefined && entry.runId === runId) takeOwn(entry)
    },
    now() {
      const waits = state === 'running' && asked.size > 0
      if (!waits) return { state, text: said, reason }
      return { state: 'waiting-for-person', text: said, reason: 'A person has to answer in Holdfast before it goes on' }
    },
  }
}
