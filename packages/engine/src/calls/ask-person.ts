import { type EntryOf, entriesAfter, type OpenCall, type Overview, waitUntil } from '@holdfast/conversation'
import { CALL_OVER, type PersonAtHand, type ToolAnswer } from '@holdfast/tool'
import { LIMITS } from '../api/ports.ts'
import { callOffQuestions, cutBy } from '../live/end-run.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { type Lending, lendModel } from './lend-model.ts'

/** What one call may ask: as many at a time, and as many in all. A tool that asks without end wears people out. [TOOL11] */
const OPEN_PER_CALL = 3

const ASKED_PER_CALL = 20

/** The questions of the calls of one step. */
export interface Asking {
  /** The owner of the conversation, as a running call may ask them. */
  personOf(call: Pick<OpenCall, 'callId' | 'stepId' | 'name'>): PersonAtHand
  /** Resolves when no request is out that a call was lent the model for. */
  idle(): Promise<void>
}

/** Nothing has been asked yet. */
export function createAsking(atWork: RunAtWork, { unattended }: { readonly unattended: boolean }): Asking {
  const askedCounts = new Map<string, number>()
  const lent = new Set<Promise<unknown>>()
  return {
    personOf(call) {
      const ask: Lending['ask'] = async (question, { signal }) => {
        if (unattended) return unasked('Nobody is there to be asked')
        const asked = (askedCounts.get(call.callId) ?? 0) + 1
        askedCounts.set(call.callId, asked)
        if (asked > ASKED_PER_CALL) return unasked(`A call may ask ${ASKED_PER_CALL} questions, and this one has`)
        return askPerson(atWork, { call, question, signal })
      }
      return {
        place: atWork.log.conversationId,
        ask: async (question, options) => (await ask(question, options)).answer,
        lendModel(wish, { signal }) {
          const lending = lendModel(atWork, { wish, ask, signal })
          const over = lending.then(
            () => {},
            () => {},
          )
          lent.add(over)
          return lending.finally(() => lent.delete(over))
        },
      }
    },
    async idle() {
      await Promise.all(lent)
    },
  }
}

interface Asked {
  readonly call: Pick<OpenCall, 'callId' | 'stepId' | 'name'>
  readonly question: Parameters<Lending['ask']>[0]
  readonly signal: AbortSignal
}

/** Asks while the call runs: the question is durable before anybody sees it, and the answer is read from the log. */
async function askPerson(atWork: RunAtWork, { call, question, signal }: Asked): ReturnType<Lending['ask']> {
  const { ports, log, runId, epoch } = atWork
  const { callId, stepId, name: tool } = call
  const questionId = ports.ids.next('question')
  let refused = 'The call has ended'
  const { entries } = await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    if (signal.aborted || atWork.signal.aborted || !isRunning(state, runId, callId)) return []
    refused = `A call may ask ${OPEN_PER_CALL} questions at a time`
    if (state.pendingQuestions.filter((open) => open.callId === callId).length >= OPEN_PER_CALL) return []
    const { lends, ...shown } = question
    const about = {
      questionId,
      userId: atWork.ownerId,
      callId,
      tool,
      ...shown,
      ...(lends === undefined ? {} : { lends }),
    }
    return [{ type: 'question-asked', actor: ENGINE, runId, stepId, ...about }]
  })
  const asked = entries[0]
  if (!asked) return unasked(refused)
  const settled = await settlementOf(atWork, { questionId, after: asked.seq, signal })
  if (settled) return { questionId, answer: answerOf(settled) }
  if (signal.reason === CALL_OVER) return { questionId, answer: cancelled('The call has ended') }
  await log.append({ epoch, command: null, dropDraft: null }, (state) =>
    callOffQuestions(
      { ...state, pendingQuestions: state.pendingQuestions.filter((open) => open.questionId === questionId) },
      { runId },
      endedBy(atWork, state),
    ),
  )
  return { questionId, answer: cancelled('The question was called off') }
}

function isRunning({ runState: { exclusive } }: Overview, runId: string, callId: string): boolean {
  if (exclusive?.runId !== runId || exclusive.stopRequestedAt !== null) return false
  return exclusive.openCalls.some((open) => open.callId === callId && open.started)
}

/** Why a question ends that nobody has answered. */
export function endedBy(atWork: RunAtWork, state: Overview): 'stop' | 'recovery' | 'call' {
  if (cutBy(atWork, state) === 'stopped') return 'stop'
  return atWork.signal.aborted ? 'recovery' : 'call'
}

const PAGE = 200

/** Waits for what settles a question, in the store; the bus only says when to look. Null when the signal fires first. */
async function settlementOf(
  { ports: { store, bus, clock }, log: { conversationId } }: RunAtWork,
  { questionId, after, signal }: { readonly questionId: string; readonly after: number; readonly signal: AbortSignal },
): Promise<EntryOf<'question-settled'> | null> {
  let bell = new AbortController()
  const unsubscribe = bus.subscribe(conversationId, ({ type }) => {
    if (type === 'entries') bell.abort()
  })
  try {
    for (let cursor = after; ; ) {
      bell = new AbortController()
      for await (const { entries } of entriesAfter(store, { conversationId, after: cursor, pageEntries: PAGE })) {
        for (const entry of entries)
          if (entry.type === 'question-settled' && entry.questionId === questionId) return entry
        cursor = entries.at(-1)?.seq ?? cursor
      }
      if (signal.aborted) return null
      await waitUntil(clock, clock.now() + LIMITS.pollMs, AbortSignal.any([signal, bell.signal]))
    }
  } finally {
    unsubscribe()
  }
}

function answerOf({ outcome, content }: EntryOf<'question-settled'>): ToolAnswer {
  switch (outcome) {
    case 'accepted':
      return { type: 'accepted', content: content ?? {} }
    case 'declined':
      return { type: 'declined' }
    case 'cancelled':
      return cancelled('The person closed the question without an answer')
  }
}

/** Nobody was asked. */
function unasked(reason: string): Awaited<ReturnType<Lending['ask']>> {
  return { questionId: null, answer: cancelled(reason) }
}

function cancelled(reason: string): ToolAnswer {
  return { type: 'cancelled', reason }
}
