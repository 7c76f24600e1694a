import type { Clock, DraftDelta, EntryStore, Ring } from '@holdfast/conversation'
import { createInProcessBus, type LiveMessage } from '@holdfast/engine'
import type { ServerFrame } from '@holdfast/protocol'
import { expect } from 'vitest'
import { createFollower } from '../../src/live/follower.ts'
import type { Carrier, CarrierListener } from '../../src/live/replicas/carrier.ts'
import { createReplicaBus } from '../../src/live/replicas/replica-bus.ts'

/** Time that passes when a test says so; `pass` waits until all of this process rests. */
export interface PassingClock extends Clock {
  pass(ms: number): Promise<void>
  /** How many wait. */
  waiting(): number
}

export function createPassingClock(): PassingClock {
  let now = 0
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  return {
    now: () => now,
    monotonicMs: () => now,
    after(delayMs, run) {
      const timer = { at: now + delayMs, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    waiting: () => timers.size,
    async pass(ms) {
      const end = now + ms
      await settled()
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (!next) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.run()
        await settled()
      }
      now = end
    },
  }
}

export async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** What lies between replicas, and how it fails. */
export interface Between {
  isCarrying: boolean
  isRinging: boolean
  /** Texts that are lost though the carrier is said to work. */
  loses: (text: string) => boolean
  readonly sent: string[]
  readonly rung: Ring[]
  join(replicaId: string, events: { readonly onRing: (ring: Ring) => void }): { readonly carrier: Carrier }
  hear(replicaId: string, onRing: (ring: Ring) => void): void
  ring(from: string, ring: Ring): void
  /** The carrier is lost at all replicas, or works again. */
  turnCarrier(isWorking: boolean): void
}

export function createBetween(): Between {
  const inboxes = new Map<string, CarrierListener>()
  const bells = new Map<string, (ring: Ring) => void>()
  const between: Between = {
    isCarrying: true,
    isRinging: true,
    loses: () => false,
    sent: [],
    rung: [],
    join(replicaId) {
      const deliver = (to: Iterable<CarrierListener>, text: string) => {
        if (!between.isCarrying) return false
        between.sent.push(text)
        if (!between.loses(text)) for (const { onText } of to) onText(text)
        return true
      }
      return {
        carrier: {
          open(events) {
            inboxes.set(replicaId, events)
            if (between.isCarrying) events.onChange({ isWorking: true, reason: null })
          },
          isWorking: () => between.isCarrying,
          sendTo: async (id, text) =>
            deliver(
              [inboxes.get(id)].filter((events) => events !== undefined),
              text,
            ),
          sendToAll: async (text) => deliver(inboxes.values(), text),
          async close() {
            inboxes.delete(replicaId)
          },
        },
      }
    },
    hear: (replicaId, onRing) => void bells.set(replicaId, onRing),
    ring(from, ring) {
      if (!between.isRinging) return
      between.rung.push(ring)
      for (const [id, onRing] of bells) if (id !== from) onRing(ring)
    },
    turnCarrier(isWorking) {
      between.isCarrying = isWorking
      for (const { onChange } of inboxes.values()) onChange({ isWorking, reason: isWorking ? null : 'lost' })
    },
  }
  return between
}

/** One replica: its bus, what it asks the store for, and who follows at it. */
export function openReplica(parts: {
  readonly replicaId: string
  readonly store: EntryStore
  readonly clock: Clock
  readonly between: Between
  readonly hasCarrier: boolean
}) {
  const { replicaId, store, clock, between, hasCarrier } = parts
  const reads = { entries: 0, drafts: 0, listings: 0 }
  /** What reading entries waits for. */
  const stall: { until: Promise<void> | null } = { until: null }
  const counted = {
    read: async (query: Parameters<EntryStore['read']>[0]) => {
      reads.entries += 1
      await stall.until
      return store.read(query)
    },
    readDrafts: (id: string) => {
      reads.drafts += 1
      return store.readDrafts(id)
    },
    readListing: (id: string) => {
      reads.listings += 1
      return store.readListing(id)
    },
  }
  const bus = createReplicaBus({
    replicaId,
    bus: createInProcessBus(),
    store: counted,
    clock,
    doorbell: () => ({ ring: (ring) => between.ring(replicaId, ring), isHeard: () => between.isRinging }),
    carrier: hasCarrier ? between.join(replicaId, { onRing: () => {} }).carrier : null,
    onCarrier: () => {},
    onError: (error) => expect.fail(String(error)),
  })
  between.hear(replicaId, bus.hearRing)
  return {
    bus,
    reads,
    stall,
    /** Follows from the beginning. */
    follow(conversationId: string, options: { readonly keptOnly?: boolean }) {
      const frames: ServerFrame[] = []
      const follower = createFollower({
        conversationId,
        after: 0,
        ...options,
        bus,
        store,
        engine: { openDraft: bus.openDraft },
        outlet: { send: (frame) => void frames.push(frame), drained: async () => {} },
        onFailure: (error) => expect.fail(String(error)),
      })
      return { frames, close: follower.close }
    },
    hearAll(): LiveMessage[] {
      const heard: LiveMessage[] = []
      bus.subscribeToAll((message) => heard.push(message))
      return heard
    },
  }
}

export type Replica = ReturnType<typeof openReplica>

export const seqsOf = (frames: readonly ServerFrame[]): number[] =>
  frames.flatMap((frame) => (frame.type === 'entries' ? frame.entries.map(({ seq }) => seq) : []))

/** The text of the open step as a reader puts it together; a hole is a failure. */
export function textOf(frames: readonly ServerFrame[]): string {
  let text = ''
  for (const frame of frames) {
    if (frame.type === 'draft') text = frame.blocks.map((block) => block.text).join('')
    if (frame.type !== 'delta') continue
    expect(frame.offset).toBeLessThanOrEqual(text.length)
    text = text.slice(0, frame.offset) + frame.text + text.slice(frame.offset + frame.text.length)
  }
  return text
}

/** The delta of a step of one block of text. */
export function deltaAt(stepId: string, offset: number, text: string): DraftDelta {
  return { stepId, block: 0, offset, text, ...(offset === 0 ? { start: { type: 'text' as const } } : {}) }
}
