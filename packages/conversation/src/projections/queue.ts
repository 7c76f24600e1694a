import type { InputPart } from '../content.ts'
import type { Scheduled } from '../entries/scheduled.ts'
import type { Entry, EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** An input that has not taken its place in the path. */
export interface WaitingInput {
  readonly inputId: string
  /** `seq` of its admission. */
  readonly seq: number
  readonly at: number
  readonly lane: EntryOf<'input-admitted'>['lane']
  readonly origin: EntryOf<'input-admitted'>['origin']
  readonly content: readonly InputPart[]
  /** The occurrence of a schedule that it is; null for any other. */
  readonly schedule: Scheduled | null
  /** The client that edits it, since `lockedAt`; it is not sent meanwhile. [STOP9] */
  readonly lockedBy: string | null
  readonly lockedAt: number | null
  /** Sent by a person after the run was asked to stop, and no other stop since: it goes before the others, and before what is held. [STOP11] */
  readonly afterStop: boolean
}

/** What waits to be answered, in the order of sending. */
export interface Queue {
  /** Why nothing is sent by itself, or null. */
  readonly held: EntryOf<'queue-held'>['reason'] | null
  readonly inputs: readonly WaitingInput[]
  /** The run that was asked to stop and has not ended. */
  readonly stoppingRunId: string | null
  /** The turns that followed each other out of the queue, with no act of a person between them. [STOP13] */
  readonly following: Following
}

/** Turns of which each took what had waited while the one before it ran. */
interface Following {
  /** Oldest first; the last one runs, or has ended as the last. */
  readonly runIds: readonly string[]
  /** Where the last one ended; null while it runs, and after an act of a person. */
  readonly endSeq: number | null
}

const NOTHING_FOLLOWS: Following = { runIds: [], endSeq: null }

/** A stop that is older than so many turns is not one of what runs now. */
const MOST_FOLLOWING = 50

/** The queue. An input leaves it when it is sent or removed, and at no other moment. */
export const queue: Projection<Queue> = {
  name: 'queue',
  version: 5,
  initial: { held: null, inputs: [], stoppingRunId: null, following: NOTHING_FOLLOWS },
  reduce(state, entries) {
    if (!entries.some(touchesQueue)) return state
    const { held, stoppingRunId, following } = state
    const batch: Batch = { held, inputs: state.inputs.slice(), stoppingRunId, following }
    for (const entry of entries) if (touchesQueue(entry)) addEntry(batch, entry)
    return batch
  },
}

/** The batch's own copy. */
type Batch = { -readonly [Key in keyof Queue]: Queue[Key] } & { inputs: WaitingInput[] }

const TOUCHING = [
  'input-admitted',
  'input-changed',
  'input-removed',
  'user-message-sent',
  'queue-held',
  'queue-released',
  'stop-requested',
  'run-finished',
] as const
type QueueEntry = EntryOf<(typeof TOUCHING)[number]>

const touching: ReadonlySet<string> = new Set(TOUCHING)

function touchesQueue(entry: Entry): entry is QueueEntry {
  return touching.has(entry.type)
}

function addEntry(batch: Batch, entry: QueueEntry): void {
  switch (entry.type) {
    case 'queue-held':
      batch.held = entry.reason
      // What was sent after an earlier stop waits like all else: this one came behind it. [STOP9]
      if (entry.reason !== 'stopped') return
      batch.inputs = batch.inputs.map((input) => (input.afterStop ? { ...input, afterStop: false } : input))
      return
    case 'queue-released':
      batch.held = null
      batch.following = runningAlone(batch.following)
      return
    case 'stop-requested':
      batch.stoppingRunId = entry.runId
      // What interrupts a turn goes on behind it; where that was taken back meanwhile, what waited does.
      if (entry.mode !== 'interrupt' && batch.following.runIds.includes(entry.runId)) batch.following = NOTHING_FOLLOWS
      return
    case 'run-finished':
      if (batch.stoppingRunId === entry.runId) batch.stoppingRunId = null
      if (batch.following.runIds.at(-1) === entry.runId)
        batch.following = { runIds: batch.following.runIds, endSeq: entry.seq }
      return
    case 'input-admitted':
      admit(batch, entry)
      return
    case 'input-changed':
      change(batch.inputs, entry)
      return
    case 'input-removed':
      take(batch.inputs, entry.inputId)
      return
    case 'user-message-sent':
      follow(batch, entry.runId, take(batch.inputs, entry.inputId))
      return
  }
}

/** A run follows the one before where its input waited already when that ended, and no person asked for it since. */
function follow(batch: Batch, runId: string, input: WaitingInput | undefined): void {
  const { runIds, endSeq } = batch.following
  if (runIds.at(-1) === runId) return
  const waited = input !== undefined && endSeq !== null && input.seq < endSeq && !input.afterStop
  batch.following = { runIds: [...(waited ? runIds : []), runId].slice(-MOST_FOLLOWING), endSeq: null }
}

/** Who lets the queue go on has seen what ran before; a turn that runs is followed from here on. */
function runningAlone({ runIds, endSeq }: Following): Following {
  return endSeq === null ? { runIds: runIds.slice(-1), endSeq } : NOTHING_FOLLOWS
}

function admit({ inputs, stoppingRunId }: Batch, entry: EntryOf<'input-admitted'>): void {
  const { inputId, seq, at, lane, origin, content } = entry
  const schedule = entry.schedule ?? null
  const afterStop = stoppingRunId !== null && origin === 'person'
  const waiting = { inputId, seq, at, lane, origin, content, schedule, lockedBy: null, lockedAt: null, afterStop }
  insert(inputs, waiting, inputs.length)
}

function change(inputs: WaitingInput[], entry: EntryOf<'input-changed'>): void {
  const index = inputs.findIndex(({ inputId }) => inputId === entry.inputId)
  const known = take(inputs, entry.inputId)
  if (!known) return
  const content = entry.content ?? known.content
  const lane = entry.lane ?? known.lane
  const lockedBy = entry.lockedBy === undefined ? known.lockedBy : entry.lockedBy
  const lockedAt = entry.lockedBy === undefined ? known.lockedAt : entry.lockedBy === null ? null : entry.at
  const afterStop = known.afterStop || entry.sendNow === true
  insert(
    inputs,
    { ...known, content, lane, lockedBy, lockedAt, afterStop },
    entry.sendNow ? 0 : (entry.position ?? index),
  )
}

/** Puts an input at its place; those sent after a stop stay before the others, in their own order. */
function insert(inputs: WaitingInput[], input: WaitingInput, place: number): void {
  const firstOther = inputs.findIndex(({ afterStop }) => !afterStop)
  const urgentCount = firstOther < 0 ? inputs.length : firstOther
  const index = input.afterStop ? Math.min(place, urgentCount) : Math.max(place, urgentCount)
  inputs.splice(Math.min(index, inputs.length), 0, input)
}

function take(inputs: WaitingInput[], id: string): WaitingInput | undefined {
  const index = inputs.findIndex(({ inputId }) => inputId === id)
  return index < 0 ? undefined : inputs.splice(index, 1)[0]
}
