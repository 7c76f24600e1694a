import type { Clock } from '@holdfast/conversation'
import type { Carrier } from './carrier.ts'
import { type PeerMessage, parcelText } from './peer-message.ts'

/** What this replica has to say to others, gathered for a moment. */
export interface Outboxes {
  /** To these replicas, each in its inbox. */
  put(replicaIds: Iterable<string>, message: PeerMessage): void
  putToAll(message: PeerMessage): void
  close(): void
}

/** What they are made of. */
export interface OutboxesDeps {
  readonly carrier: Pick<Carrier, 'sendTo' | 'sendToAll'>
  readonly replicaId: string
  readonly clock: Pick<Clock, 'after'>
}

/** What is said within so long goes in one parcel. In milliseconds. */
const TICK_MS = 10

/** So much waits for one replica, in UTF-16 code units; what comes then is left out, and said to be. [SCALE12] */
const MOST_WAITING = 1_024 * 1_024

const LEFT_OUT = JSON.stringify({ type: 'left-out' } satisfies PeerMessage)

/** What waits for one replica, or for all. */
interface Outbox {
  /** Messages as JSON, oldest first. */
  waiting: string[]
  size: number
  isSending: boolean
  readonly send: (text: string) => Promise<boolean>
}

/** Makes the outboxes of a replica. One parcel at a time is on its way to each of the others. */
export function createOutboxes({ carrier, replicaId, clock }: OutboxesDeps): Outboxes {
  const toAll = newOutbox((text) => carrier.sendToAll(text))
  const toEach = new Map<string, Outbox>()
  let cancelTick: (() => void) | null = null
  let isClosed = false

  function tick(): void {
    if (isClosed) return
    cancelTick ??= clock.after(TICK_MS, () => {
      cancelTick = null
      // What is for all goes first: of a step that began, its entry before its deltas.
      void sendFrom(toAll)
      for (const [id, outbox] of toEach) {
        if (outbox.waiting.length === 0 && !outbox.isSending) toEach.delete(id)
        else void sendFrom(outbox)
      }
    })
  }

  /** What is known to be lost is not sent again: the carrier says when it works again, and all is looked at then. */
  async function sendFrom(outbox: Outbox): Promise<void> {
    if (outbox.isSending || outbox.waiting.length === 0) return
    const text = parcelText(replicaId, outbox.waiting)
    outbox.waiting = []
    outbox.size = 0
    outbox.isSending = true
    try {
      await outbox.send(text)
    } finally {
      outbox.isSending = false
      if (outbox.waiting.length > 0) tick()
    }
  }

  function add(outbox: Outbox, text: string): void {
    if (outbox.size + text.length > MOST_WAITING) {
      outbox.waiting = [LEFT_OUT]
      outbox.size = LEFT_OUT.length
    } else {
      outbox.waiting.push(text)
      outbox.size += text.length
    }
    tick()
  }

  return {
    put(replicaIds, message) {
      let text: string | null = null
      for (const id of replicaIds) {
        const outbox = toEach.get(id) ?? newOutbox((parcel) => carrier.sendTo(id, parcel))
        toEach.set(id, outbox)
        text ??= JSON.stringify(message)
        add(outbox, text)
      }
    },
    putToAll: (message) => add(toAll, JSON.stringify(message)),
    close() {
      isClosed = true
      cancelTick?.()
    },
  }
}

function newOutbox(send: (text: string) => Promise<boolean>): Outbox {
  return { waiting: [], size: 0, isSending: false, send }
}
