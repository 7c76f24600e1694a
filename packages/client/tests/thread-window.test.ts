import { activePath, overview, transcript, visibleItems } from '@holdfast/conversation'
import {
  conversationCreated,
  logOf,
  pathRewound,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  toolCallBlock,
  toolCallSettled,
  toolCallStarted,
  wholeTurn,
} from '@holdfast/conversation/testing'
import type { ServerFrame } from '@holdfast/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addOlder,
  type ConversationState,
  initialState,
  readUpTo,
  reduceFrame,
} from '../src/conversation/conversation-state.ts'
import { emptyWindow, nextSeq, windowItems, withNewer, withOlder } from '../src/conversation/thread-window.ts'

const ID = 'conversation_1'

const call = { callId: 'call_1', name: 'read_file' }

const log = logOf(ID, [
  conversationCreated('local'),
  ...Array.from({ length: 6 }, (_, index) => wholeTurn(index, { asked: `q${index}`, answered: `a${index}` })).flat(),
  pathRewound(15),
  ...wholeTurn(7, { asked: 'again', answered: 'other' }),
  runStarted('run_title', 'title'),
  stepStarted('run_title', 'step_title', 'title'),
  ...wholeTurn(8, { asked: 'q8', answered: 'a8' }),
  runStarted('run_9', 'turn'),
  stepFinished('run_title', 'step_title', [textBlock('A title, and no answer')]),
  runFinished('run_title', 'completed'),
  stepStarted('run_9', 'step_9', 'turn'),
  stepFinished('run_9', 'step_9', [toolCallBlock('call_1', 'read_file')]),
  toolCallStarted('run_9', 'step_9', call),
  toolCallSettled('run_9', 'step_9', { ...call, outcome: 'ok' }),
])
const path = activePath.reduce(activePath.initial, log)
const whole = visibleItems(transcript.reduce(transcript.initial, log))

test('[PRJ4] read backward by pages of any size, the thread is what it is read forward', () => {
  fc.assert(
    fc.property(fc.nat(log.length), fc.array(fc.integer({ min: 1, max: 20 })), (start, sizes) => {
      let window = withNewer(emptyWindow(start + 1), log.slice(start))
      for (const size of [...sizes, log.length]) {
        const end = window.firstSeq - 1
        window = withOlder(window, log.slice(Math.max(0, end - size), end))
        const items = windowItems(window, path)
        expect(items).toEqual(items.length === 0 ? [] : whole.slice(-items.length))
      }
      expect(windowItems(window, path)).toEqual(whole)
      expect(window).toMatchObject({ firstSeq: 1, waiting: [] })
      expect(nextSeq(window)).toBe(log.length + 1)
    }),
  )
})

test('[PRJ4] a page that does not end before the window changes nothing', () => {
  const window = withNewer(emptyWindow(30), log.slice(29))
  expect(withOlder(window, log.slice(5, 10))).toBe(window)
  expect(withOlder(window, [])).toBe(window)
})

const all = overview.reduce(overview.initial, log)

function opened(from: number, ...frames: readonly ServerFrame[]): ConversationState {
  const first: ServerFrame = { type: 'overview', conversationId: ID, overview: all, from }
  return [first, ...frames].reduce(reduceFrame, initialState(ID))
}

test('[SYNC1] a long conversation opens with its overview and its end, and goes on from there', () => {
  const entries = (from: number, to: number): ServerFrame => ({
    type: 'entries',
    conversationId: ID,
    entries: log.slice(from - 1, to),
  })
  const cut = opened(44, entries(44, 50))
  expect(readUpTo(cut)).toBe(50)
  expect(cut.overview).toBe(all)
  const asked = reduceFrame(cut, { type: 'caught-up', conversationId: ID, head: log.length })
  expect(asked).toMatchObject({ gap: true, caughtUp: false })
  const whole = reduceFrame(reduceFrame(cut, entries(51, log.length)), {
    type: 'caught-up',
    conversationId: ID,
    head: log.length,
  })
  expect(whole).toMatchObject({ gap: false, caughtUp: true })
  expect(whole.overview).toBe(all)
  expect(reduceFrame(whole, entries(44, log.length))).toBe(whole)
  const more = addOlder(whole, log.slice(0, 43))
  expect(windowItems(more.window, path)).toEqual(visibleItems(transcript.reduce(transcript.initial, log)))
})
