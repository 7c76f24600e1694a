import { type Entry, type NewEntry, overview, transcript, visibleItems } from '@holdfast/conversation'
import {
  conversationCreated,
  inputAdmitted,
  logOf,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  toolCallBlock,
  toolCallSettled,
  toolCallStarted,
  userMessageSent,
  wholeTurn,
} from '@holdfast/conversation/testing'
import type { ClientFrame, ServerFrame } from '@holdfast/protocol'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type ConversationStore, createConversationStore } from '../src/conversation/conversation-store.ts'
import { windowItems } from '../src/conversation/thread-window.ts'
import { PageNotReadError } from '../src/link/page-not-read-error.ts'

const ID = 'conversation_1'
const RUN = 'run_last'
const PAGE_ENTRIES = 500

interface LongTurn {
  readonly turnsBefore: number
  readonly entryCount: number
  readonly ending: Ending
}

type Ending = 'finished' | 'running' | 'permission' | 'question'
const ENDINGS: readonly Ending[] = ['finished', 'running', 'permission', 'question']

const actor = { type: 'engine' } as const

function step(index: number): NewEntry[] {
  const stepId = `step_last_${index}`
  const call = { callId: `call_${index}`, name: 'search' }
  return [
    stepStarted(RUN, stepId, 'turn'),
    stepFinished(RUN, stepId, [textBlock(`Looking for ${index}`), toolCallBlock(call.callId, call.name)]),
    toolCallStarted(RUN, stepId, call),
    toolCallSettled(RUN, stepId, { ...call, outcome: 'ok' }),
  ]
}

/** The end of a turn, behind its calls. */
function endOf(ending: Ending): NewEntry[] {
  const stepId = 'step_end'
  const call = { runId: RUN, stepId, callId: 'call_end', tool: 'shell', userId: 'local' }
  const asked = [stepStarted(RUN, stepId, 'turn'), stepFinished(RUN, stepId, [toolCallBlock(call.callId, call.tool)])]
  switch (ending) {
    case 'finished':
      return [runFinished(RUN, 'completed')]
    case 'running':
      return [stepStarted(RUN, stepId, 'turn')]
    case 'permission':
      return [
        ...asked,
        {
          type: 'permission-requested',
          actor,
          ...call,
          requestId: 'request_1',
          input: {},
          reason: 'r',
          source: 'mode',
        },
      ]
    case 'question':
      return [
        ...asked,
        toolCallStarted(RUN, stepId, { callId: call.callId, name: call.tool }),
        {
          type: 'question-asked',
          actor,
          ...call,
          questionId: 'question_1',
          source: 'a server',
          message: 'Which?',
          wish: { type: 'page', url: 'https://example.org/' },
        },
      ]
  }
}

/** A log whose last turn has about so many entries. */
function longTurn({ turnsBefore, entryCount, ending }: LongTurn): readonly Entry[] {
  const steps = Math.ceil(entryCount / 4)
  const before = Array.from({ length: turnsBefore }, (_, index) => wholeTurn(index, { asked: 'q', answered: 'a' }))
  return logOf(ID, [
    conversationCreated('local'),
    ...before.flat(),
    inputAdmitted('input_last', 'Look everywhere'),
    runStarted(RUN, 'turn'),
    userMessageSent(RUN, 'input_last', 'Look everywhere'),
    ...Array.from({ length: steps }, (_, index) => step(index)).flat(),
    ...endOf(ending),
  ])
}

/** What a server sends for a follow: of a longer log its overview and its end. */
function framesFor(log: readonly Entry[], { after, tail }: { after: number; tail?: number }): ServerFrame[] {
  const head = log.length
  const from = tail !== undefined && head - after > tail ? head - tail : after
  const opening: ServerFrame[] =
    from === after
      ? []
      : [{ type: 'overview', conversationId: ID, overview: overview.reduce(overview.initial, log), from: from + 1 }]
  return [
    ...opening,
    { type: 'entries', conversationId: ID, entries: log.slice(from) },
    { type: 'caught-up', conversationId: ID, head },
  ]
}

/** Opens the conversation as a new tab does. */
function openTab(log: readonly Entry[], readBefore: (seq: number) => Promise<readonly Entry[]>) {
  const asked: ClientFrame[] = []
  const peer = createConversationStore({
    conversationId: ID,
    unsent: [],
    newId: () => 'id',
    tellLater: (tell) => tell(),
    send: (frame) => asked.push(frame),
    onOutboxChange() {},
    readBefore,
  })
  peer.store.subscribe(() => {})
  for (const frame of asked.splice(0)) {
    if (frame.type === 'follow') for (const answer of framesFor(log, frame)) peer.onFrame(answer)
  }
  return peer.store
}

/** The last turn, as a tab shows it that was there from its beginning. */
function wholeLast(log: readonly Entry[]) {
  const all = transcript.reduce(transcript.initial, log)
  return visibleItems(all).filter(({ runId }) => runId === RUN)
}

function pagesOf(log: readonly Entry[]) {
  return async (seq: number) => log.slice(Math.max(0, seq - 1 - PAGE_ENTRIES), seq - 1)
}

function lastOf(store: ConversationStore) {
  const { window, overview: known } = store.getSnapshot()
  return windowItems(window, known.path).filter(({ runId }) => runId === RUN)
}

test('[SYNC7] whatever the last turn is, a tab that opens the conversation has all of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        turnsBefore: fc.nat(3),
        entryCount: fc.integer({ min: 1, max: 400 }),
        ending: fc.constantFrom(...ENDINGS),
      }),
      async (turn) => {
        const log = longTurn(turn)
        const store = openTab(log, pagesOf(log))
        await vi.waitFor(() => expect(lastOf(store)).toEqual(wholeLast(log)))
        expect(store.getSnapshot().overview.runState.exclusive?.runId).toBe(
          turn.ending === 'finished' ? undefined : RUN,
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('[SYNC7] a last turn of 5,000 entries is read to its beginning, page by page', async () => {
  const log = longTurn({ turnsBefore: 1, entryCount: 5_000, ending: 'permission' })
  const readBefore = vi.fn(pagesOf(log))
  const store = openTab(log, readBefore)
  await vi.waitFor(() => expect(lastOf(store)).toEqual(wholeLast(log)))
  expect(readBefore).toHaveBeenCalledTimes(10)
})

test('[SYNC7] a page that cannot be read is said, and asked for again by the person alone', async () => {
  const log = longTurn({ turnsBefore: 0, entryCount: 400, ending: 'finished' })
  let reads = 0
  const store = openTab(log, async (seq) => {
    reads += 1
    if (reads === 1) throw new PageNotReadError('away')
    // A page that does not end before the window.
    if (reads === 2) return []
    return pagesOf(log)(seq)
  })
  for (const count of [1, 2]) {
    await vi.waitFor(() => expect(store.getSnapshot().older).toBe('failed'))
    expect(reads).toBe(count)
    store.loadOlder()
  }
  await vi.waitFor(() => expect(lastOf(store)).toEqual(wholeLast(log)))
})
