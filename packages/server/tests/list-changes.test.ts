import { conversationCreated } from '@holdfast/conversation/testing'
import { createInProcessBus } from '@holdfast/engine'
import { createManualClock } from '@holdfast/engine/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, test } from 'vitest'
import { createDesks } from '../src/parts/desks.ts'
import { createListChanges } from '../src/parts/list-changes.ts'

/** Two people's tabs, and what each was told of and when. */
async function open() {
  const clock = createManualClock()
  const { store, records } = createMemoryStore({ clock })
  const errors: unknown[] = []
  const changes = createListChanges({
    bus: createInProcessBus(),
    store: {
      async readListing(conversationId) {
        if (conversationId === 'bad') throw new Error('A row that cannot be read')
        return store.readListing(conversationId)
      },
    },
    desks: createDesks(records, clock),
    clock,
    onError: (error) => errors.push(error),
  })
  for (const [conversationId, ownerId] of [
    ['a1', 'ann'],
    ['a2', 'ann'],
    ['a3', 'ann'],
    ['b1', 'bob'],
  ] as const)
    await store.append({ conversationId, after: 0, entries: [conversationCreated(ownerId)], at: 1 })
  const told: string[] = []
  for (const userId of ['ann', 'bob'])
    changes.subscribe(userId, ({ changed }) =>
      told.push(`${userId} at ${clock.now() - 1_000}: ${changed.map(({ id }) => id).join(' ')}`),
    )
  return { clock, changes, told, errors }
}

test('[SYNC16] tells rows that change within a moment together, each within 100 ms, and once for what changed at once', async () => {
  const { clock, changes, told } = await open()
  changes.changed('a1')
  await clock.advance(30)
  for (const conversationId of ['a2', 'b1', 'a1']) changes.changed(conversationId)
  await clock.advance(60)
  changes.changed('a3')
  expect(clock.waitingCount()).toBe(1)
  await clock.advance(200)
  expect(told).toEqual(['ann at 100: a1 a2', 'bob at 100: b1', 'ann at 150: a3'])
  expect(clock.waitingCount()).toBe(0)
  changes.changed('a1')
  await clock.advance(100)
  expect(told.at(-1)).toBe('ann at 390: a1')
  changes.changed('a1')
  changes.close()
  expect(clock.waitingCount()).toBe(0)
})

test('[SYNC16] tells the other rows where one is gone or cannot be read', async () => {
  const { clock, changes, told, errors } = await open()
  for (const conversationId of ['bad', 'gone', 'a1']) changes.changed(conversationId)
  await clock.advance(100)
  expect(told).toEqual(['ann at 100: a1'])
  expect(errors).toEqual([new Error('A row that cannot be read')])
})
