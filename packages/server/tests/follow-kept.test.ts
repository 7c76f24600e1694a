import { applyDelta, type DraftDelta, emptyDraft } from '@holdfast/conversation'
import { conversationCreated } from '@holdfast/conversation/testing'
import { createInProcessBus } from '@holdfast/engine'
import type { ServerFrame } from '@holdfast/protocol'
import { createMemoryStore } from '@holdfast/store/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFollower } from '../src/live/follower.ts'
import { realClock } from './support/real-ports.ts'

const ID = 'conversation_1'
const STEP = 'step_1'

/** A conversation whose lease is held, so that drafts can be kept. */
async function openStore() {
  const { store } = createMemoryStore({ clock: realClock })
  await store.append({ conversationId: ID, after: 0, entries: [conversationCreated('local')], at: 1 })
  const lease = await store.acquireLease({ conversationId: ID, holder: 'here', ttlMs: 600_000 })
  if (!lease) throw new Error('The lease is free')
  return { store, epoch: lease.epoch }
}

/** Lets everything that is under way in this process go on until it waits for something outside. */
async function settled() {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

function readTo(text: string, frame: ServerFrame): string {
  if (frame.type === 'draft') return frame.blocks[0]?.text ?? ''
  if (frame.type !== 'delta') return text
  const { type: _type, conversationId: _id, ...delta } = frame
  const known = { stepId: STEP, blocks: [{ start: { type: 'text' as const }, text, complete: false }] }
  const { draft, outcome } = applyDelta(text === '' ? emptyDraft(STEP) : known, delta)
  expect(outcome).not.toBe('gap')
  return draft.blocks[0]?.text ?? ''
}

test('[RUN3, SYNC1] sends of an open step only what is durable, and all of that, whatever the bus loses or repeats', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('deliver', 'lose', 'repeat', 'settle'), { minLength: 1, maxLength: 12 }),
      async (fates) => {
        const { store, epoch } = await openStore()
        const bus = createInProcessBus()
        let durable = ''
        let read = ''
        const follower = createFollower({
          conversationId: ID,
          after: 1,
          keptOnly: true,
          bus,
          store,
          engine: {
            openDraft: () => ({ stepId: STEP, blocks: [{ start: { type: 'text' }, text: 'ahead', complete: false }] }),
          },
          outlet: {
            send(frame) {
              read = readTo(read, frame)
              expect(durable.startsWith(read)).toBe(true)
            },
            drained: async () => {},
          },
          onFailure: (error) => expect.fail(String(error)),
        })
        await settled()
        for (const [index, fate] of fates.entries()) {
          const start = durable === '' ? { start: { type: 'text' as const } } : {}
          const delta: DraftDelta = { stepId: STEP, block: 0, offset: durable.length, text: `word ${index} `, ...start }
          bus.publish({ type: 'delta', conversationId: ID, delta })
          durable += delta.text
          await store.appendDrafts([
            { conversationId: ID, runId: 'run_1', stepId: STEP, startedSeq: 99, epoch, deltas: [delta] },
          ])
          const message = { type: 'kept-deltas', conversationId: ID, deltas: [delta] } as const
          if (fate !== 'lose') bus.publish(message)
          if (fate === 'repeat') bus.publish(message)
          if (fate === 'settle') await settled()
        }
        follower.verify()
        await settled()
        follower.close()
        await store.close()
        expect(read).toBe(durable)
      },
    ),
    { numRuns: 60 },
  )
})
