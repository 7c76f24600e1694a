import { overview } from '@holdfast/conversation'
import {
  conversationCreated,
  inputAdmitted,
  logOf,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { problem, type ServerFrame } from '@holdfast/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addCommand,
  beginFollow,
  type ConversationCommandFrame,
  type ConversationState,
  initialState,
  reduceFrame,
} from '../src/conversation/conversation-state.ts'

const ID = 'conversation_1'

const log = logOf(ID, [
  conversationCreated('local'),
  { ...inputAdmitted('input_1', 'hello'), commandId: 'command_1' },
  runStarted('run_1', 'turn'),
  userMessageSent('run_1', 'input_1', 'hello'),
  stepStarted('run_1', 'step_1', 'turn'),
  stepFinished('run_1', 'step_1', [textBlock('one two')]),
  runFinished('run_1', 'completed'),
])

function entries(from: number, to: number): ServerFrame {
  return { type: 'entries', conversationId: ID, entries: log.slice(from - 1, to) }
}

function delta(offset: number, text: string): ServerFrame {
  return {
    type: 'delta',
    conversationId: ID,
    stepId: 'step_1',
    block: 0,
    offset,
    text,
    ...(offset === 0 ? { start: { type: 'text' } } : {}),
  }
}

function after(...frames: ServerFrame[]): ConversationState {
  return frames.reduce(reduceFrame, initialState(ID))
}

/** The whole conversation as one good line brings it. */
const story: readonly ServerFrame[] = [
  entries(1, 5),
  delta(0, 'one '),
  {
    type: 'draft',
    conversationId: ID,
    stepId: 'step_1',
    blocks: [{ start: { type: 'text' }, text: 'one ', complete: false }],
    offset: 4,
  },
  delta(4, 'two'),
  entries(6, 7),
  { type: 'caught-up', conversationId: ID, head: 7 },
]

test('[SYNC1] a frame that was seen before changes nothing, not even the object', () => {
  fc.assert(
    fc.property(fc.nat(story.length), fc.nat(story.length - 1), (length, again) => {
      const state = after(...story.slice(0, length))
      const repeated = story[again]
      if (repeated && again < length) expect(reduceFrame(state, repeated)).toBe(state)
    }),
  )
})

test('[SYNC1] deltas show as a draft, and go when their step ends', () => {
  const open = after(entries(1, 5), delta(0, 'one '), delta(4, 'two'))
  expect(open.draft?.blocks).toEqual([{ start: { type: 'text' }, text: 'one two', complete: false }])
  const closed = reduceFrame(open, entries(6, 6))
  expect(closed.draft).toBeNull()
  expect(reduceFrame(closed, delta(7, ' late'))).toBe(closed)
})

test('[SYNC1] a hole in the entries or in the draft asks for a new follow and changes nothing else', () => {
  const hole = after(entries(1, 2), entries(4, 5))
  expect(hole).toEqual({ ...after(entries(1, 2)), gap: true })
  const torn = after(entries(1, 5), delta(4, 'two'))
  expect(torn).toEqual({ ...after(entries(1, 5)), gap: true })
  expect(after(entries(1, 2), { type: 'caught-up', conversationId: ID, head: 5 }).gap).toBe(true)
  expect(beginFollow(hole, 'same').gap).toBe(false)
})

test('[SYNC1] frames of another conversation change nothing', () => {
  const state = after(entries(1, 5))
  for (const frame of story)
    expect(reduceFrame(state, { ...frame, conversationId: 'other' } as ServerFrame)).toBe(state)
})

test('[SYNC1] a log that is shorter than what was followed is read anew', () => {
  const state = beginFollow(after(entries(1, 7)), 'new')
  const reset = reduceFrame(state, { type: 'caught-up', conversationId: ID, head: 3 })
  expect(reset).toMatchObject({ gap: true, overview: overview.initial, window: { items: [] } })
  const late = reduceFrame(reduceFrame(beginFollow(after(entries(1, 2)), 'new'), entries(3, 5)), {
    type: 'caught-up',
    conversationId: ID,
    head: 4,
  })
  expect(late.overview.head).toBe(5)
})

const command: ConversationCommandFrame = {
  type: 'command',
  name: 'send-message',
  commandId: 'command_1',
  conversationId: ID,
  content: [{ type: 'text', text: 'hello' }],
  lane: 'turn',
}

test('[SYNC2] a command leaves the outbox when its entry is seen, with or without its acknowledgement', () => {
  const sent = addCommand(after(entries(1, 1)), command)
  expect(sent.outbox).toEqual([{ command, acceptedSeq: null }])
  expect(reduceFrame(sent, entries(2, 2)).outbox).toEqual([])
  const accepted = reduceFrame(sent, { type: 'accepted', commandId: 'command_1', conversationId: ID, seq: 2 })
  expect(accepted.outbox).toEqual([{ command, acceptedSeq: 2 }])
  expect(reduceFrame(accepted, entries(2, 2)).outbox).toEqual([])
})

test('[SYNC2] a command that needed no entry leaves the outbox once the log is read that far', () => {
  const stop = { type: 'command', name: 'stop-run', commandId: 'command_9', conversationId: ID } as const
  const asked = addCommand(after(entries(1, 5)), stop)
  expect(reduceFrame(asked, { type: 'accepted', commandId: 'command_9', conversationId: ID, seq: 5 }).outbox).toEqual(
    [],
  )
})

test('[SYNC2] a refused command is kept to be given back', () => {
  const refusal = problem(422, 'bad-request', 'Too many words')
  const sent = addCommand(after(entries(1, 1)), command)
  const refused = reduceFrame(sent, { type: 'refused', commandId: 'command_1', problem: refusal })
  expect(refused).toMatchObject({ outbox: [], refused: [{ command, problem: refusal }] })
})

test('[SYNC2] a command that a server refuses because it is about to end stays in the outbox for the next one', () => {
  const sent = addCommand(after(entries(1, 1)), command)
  const ending = problem(503, 'not-ready', 'The server is shutting down')
  expect(reduceFrame(sent, { type: 'refused', commandId: 'command_1', problem: ending })).toBe(sent)
})

test('[SEC1] a conversation that may not be followed says why', () => {
  const refusal = problem(404, 'unknown-conversation', 'There is no conversation')
  expect(after({ type: 'refused', conversationId: ID, problem: refusal }).problem).toEqual(refusal)
})

test('[LOG9] forgets what it read when words were erased, reads it anew, and keeps what is on its way', () => {
  const command: ConversationCommandFrame = {
    type: 'command',
    name: 'send-message',
    commandId: 'command_9',
    conversationId: ID,
    lane: 'turn',
    content: [{ type: 'text', text: 'later' }],
  }
  const read = [entries(1, 7), { type: 'caught-up', conversationId: ID, head: 7 } as const].reduce(
    reduceFrame,
    beginFollow(addCommand(initialState(ID), command), 'new'),
  )
  expect(JSON.stringify(read.window)).toContain('one two')
  const erased = reduceFrame(read, { type: 'erased', conversationId: ID })
  expect(JSON.stringify(erased)).not.toContain('one two')
  expect(erased).toMatchObject({ gap: true, caughtUp: false, overview: { head: 0 }, outbox: [{ command }] })
  expect(reduceFrame(read, { type: 'erased', conversationId: 'another' })).toBe(read)
})

test('[LOG8] why nothing is written stands there until entries come again', () => {
  const known = reduceFrame(initialState(ID), entries(1, 2))
  const failing = reduceFrame(known, { type: 'write-failed', conversationId: ID, message: 'The disk is full.' })
  expect(failing.writeProblem).toBe('The disk is full.')
  expect(reduceFrame(known, { type: 'write-failed', conversationId: 'other', message: 'Full.' })).toBe(known)
  expect(reduceFrame(failing, entries(1, 2)).writeProblem).toBe('The disk is full.')
  expect(reduceFrame(failing, entries(3, 3)).writeProblem).toBeNull()
})
