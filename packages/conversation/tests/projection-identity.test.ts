import { type Entry, type Overview, overview } from '@holdfast/conversation'
import { arbitraryLog } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** The parts by whose identity it is told that nothing has changed: what calls are judged by, and what requests are made of. */
const PARTS = ['settings', 'permissionRules', 'toolDefinitions', 'foundTools', 'strangersFrom'] as const

test('[PRJ1] a part of the state that a batch does not change is the same object after it', () => {
  fc.assert(
    fc.property(arbitraryLog, (log) => {
      let state: Overview = overview.initial
      for (const entry of log) {
        const next = overview.reduce(state, [entry])
        // What begins a log is about all of it.
        const kept =
          entry.type === 'conversation-created' ? [] : PARTS.filter((part) => isEqual(state[part], next[part]))
        expect(kept.filter((part) => next[part] !== state[part])).toEqual([])
        state = next
      }
    }),
  )
})

test('[PRJ1] a part that a batch changes is another object after it', () => {
  const changed: Entry = {
    v: 1,
    conversationId: 'c',
    seq: 1,
    at: 1,
    type: 'settings-changed',
    actor: { type: 'person', userId: 'u' },
    commandId: 'x',
    changes: { permissionMode: 'plan' },
  }
  expect(overview.reduce(overview.initial, [changed]).settings).not.toBe(overview.initial.settings)
})

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
