import type { OutboxItem } from '@holdfast/client'
import type { InputPart, WaitingInput } from '@holdfast/conversation'
import { expect, it } from 'vitest'
import { rowWords } from '../src/composer/pending.ts'
import {
  isBeingEdited,
  placeAfterMove,
  shownInputs,
  withWords,
  writtenWords,
} from '../src/composer/queue/queue-order.ts'

function waiting(inputId: string, afterStop = false): WaitingInput {
  const content: InputPart[] = [{ type: 'text', text: inputId }]
  const waits = { schedule: null, lockedBy: null, lockedAt: null, afterStop }
  return { inputId, seq: 1, at: 1, lane: 'turn', origin: 'person', content, ...waits }
}

const change = { type: 'command', name: 'change-input', conversationId: 'c' } as const

function asked(...commands: readonly OutboxItem['command'][]): readonly OutboxItem[] {
  return commands.map((command) => ({ command, acceptedSeq: null }))
}

it('[STOP9] shows what this tab asked of the queue before the server has taken it', () => {
  const outbox = asked(
    { ...change, commandId: '1', inputId: 'c', position: 0 },
    { ...change, commandId: '2', inputId: 'a', content: [{ type: 'text', text: 'better' }] },
    { ...change, commandId: '3', inputId: 'b', locked: true },
    { ...change, commandId: '4', inputId: 'gone', position: 0 },
  )
  const shown = shownInputs([waiting('a'), waiting('b'), waiting('c')], outbox, 50)
  expect(shown.map(({ inputId, content, lockedAt }) => [inputId, writtenWords(content), lockedAt])).toEqual([
    ['c', 'c', null],
    ['a', 'better', null],
    ['b', 'b', 50],
  ])
  const unlocked = shownInputs(
    [{ ...waiting('b'), lockedAt: 7 }],
    asked({ ...change, commandId: '5', inputId: 'b', locked: false }),
    50,
  )
  expect(unlocked[0]?.lockedAt).toBeNull()
})

it('[STOP9] a lock that nobody renews ends after two minutes', () => {
  expect(isBeingEdited(null, 0)).toBe(false)
  expect(isBeingEdited(1_000, 120_999)).toBe(true)
  expect(isBeingEdited(1_000, 121_000)).toBe(false)
})

it('[STOP11] moves an input by one place, and none over what was sent after a stop', () => {
  const inputs = [waiting('urgent', true), waiting('a'), waiting('b')]
  expect([placeAfterMove(inputs, 'a', -1), placeAfterMove(inputs, 'a', 1)]).toEqual([null, 2])
  expect([placeAfterMove(inputs, 'b', -1), placeAfterMove(inputs, 'b', 1)]).toEqual([1, null])
  expect(placeAfterMove(inputs, 'urgent', 1)).toBeNull()
  expect(placeAfterMove(inputs, 'unknown', 1)).toBeNull()
})

it('[STOP9] other words leave what goes along with them as it is', () => {
  const blob = { hash: 'a'.repeat(64), sizeBytes: 1, mediaType: 'text/plain' }
  const content: InputPart[] = [
    { type: 'quote', text: 'what you said', seq: 3 },
    { type: 'text', text: 'one' },
    { type: 'file', attachmentId: 'upload_1', blob, name: 'a.txt' },
    { type: 'text', text: 'two' },
  ]
  expect(writtenWords(content)).toBe('one\n\ntwo')
  expect(withWords(content, 'new')).toEqual([
    { type: 'quote', text: 'what you said', seq: 3 },
    { type: 'text', text: 'new' },
    { type: 'file', attachmentId: 'upload_1' },
  ])
  expect(withWords([{ type: 'file', attachmentId: 'upload_1', blob, name: 'a.txt' }], 'new')).toEqual([
    { type: 'text', text: 'new' },
    { type: 'file', attachmentId: 'upload_1' },
  ])
  expect(withWords([{ type: 'text', text: 'one' }], ' ')).toBeNull()
  expect(
    withWords(
      [
        { type: 'text', text: 'one' },
        { type: 'canvas', elementId: 'form', answer: 'yes' },
      ],
      'new',
    ),
  ).toBeNull()
})

it('[UI20] what a message points at is named again when its words are others, without what was read of it', () => {
  const blob = { hash: 'a'.repeat(64), sizeBytes: 1, mediaType: 'image/png' }
  const content: InputPart[] = [
    { type: 'text', text: 'one' },
    { type: 'mention', kind: 'conversation', id: 'c1', name: 'Walnuts', text: 'User: Brown' },
    { type: 'mention', kind: 'file', id: 'a.ts', lines: { from: 1, to: 2 } },
    { type: 'canvas', elementId: 'card-1', name: 'Sales', text: '{}' },
    { type: 'element', selector: 'p', html: '<p>', url: 'http://localhost', attachmentId: 'upload_1', blob },
    { type: 'link', url: 'https://example.org' },
  ]
  expect(withWords(content, 'new')).toEqual([
    { type: 'text', text: 'new' },
    { type: 'mention', kind: 'conversation', id: 'c1' },
    { type: 'mention', kind: 'file', id: 'a.ts', lines: { from: 1, to: 2 } },
    { type: 'canvas', elementId: 'card-1' },
    { type: 'element', selector: 'p', html: '<p>', url: 'http://localhost', attachmentId: 'upload_1' },
    { type: 'link', url: 'https://example.org' },
  ])
  expect(withWords([{ type: 'mention', kind: 'planet', id: 'mars' }], 'new')).toBeNull()
})

it('[STOP9] a resource that goes along stays where it is, and is read anew', () => {
  const content: InputPart[] = [
    { type: 'resource', server: 'notes', uri: 'note://1', name: 'Note 1', text: 'as it was' },
    { type: 'text', text: 'one' },
  ]
  expect(withWords(content, 'new')).toEqual([
    { type: 'resource', server: 'notes', uri: 'note://1', name: 'Note 1' },
    { type: 'text', text: 'new' },
  ])
})

it('[STOP9] names a message that waits by its own words, and by all that goes along with them', () => {
  const blob = { hash: 'h', sizeBytes: 1, mediaType: 'text/plain' }
  const file = (name: string): InputPart => ({ type: 'file', attachmentId: name, name, blob })
  expect(rowWords([file('a.txt'), file('b.txt'), { type: 'text', text: 'Compare\nboth' }])).toBe(
    'Compare · a.txt · b.txt',
  )
  expect(rowWords([file('a.txt')])).toBe('a.txt')
})
