import type { InputPart } from '../content.ts'
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
  /** The client that edits it; it is not sent meanwhile. [STOP9] */
  readonly lockedBy: string | null
}

/** What waits to be answered, in the order of sending. */
export interface Queue {
  /** Why nothing is sent by itself, or null. */
  readonly held: EntryOf<'queue-held'>['reason'] | null
  readonly inputs: readonly WaitingInput[]
}

/** The queue. An input leaves it when it is sent or removed, and at no other moment. */
export const queue: Projection<Queue> = {
  name: 'queue',
  version: 1,
  initial: { held: null, inputs: [] },
  reduce(state, entries) {
    let { held } = state
    const inputs = entries.some(touchesInputs) ? state.inputs.slice() : null
    for (const entry of entries) {
      if (entry.type === 'queue-held') held = entry.reason
      if (entry.type === 'queue-released') held = null
      if (inputs && touchesInputs(entry)) change(inputs, entry)
    }
    return held === state.held && !inputs ? state : { held, inputs: inputs ?? state.inputs }
  },
}

type InputEntry = EntryOf<'input-admitted' | 'input-changed' | 'input-removed' | 'user-message-sent'>

function touchesInputs(entry: Entry): entry is InputEntry {
  switch (entry.type) {
    case 'input-admitted':
    case 'input-changed':
    case 'input-removed':
    case 'user-message-sent':
      return true
    default:
      return false
  }
}

/** Changes the batch's own copy of the list. */
function change(inputs: WaitingInput[], entry: InputEntry): void {
  if (entry.type === 'input-admitted') {
    const { inputId, seq, at, lane, origin, content } = entry
    inputs.push({ inputId, seq, at, lane, origin, content, lockedBy: null })
    return
  }
  const index = inputs.findIndex((input) => input.inputId === entry.inputId)
  const [known] = index < 0 ? [] : inputs.splice(index, 1)
  if (!known || entry.type !== 'input-changed') return
  const changed: WaitingInput = {
    ...known,
    content: entry.content ?? known.content,
    lane: entry.lane ?? known.lane,
    lockedBy: entry.lockedBy === undefined ? known.lockedBy : entry.lockedBy,
  }
  inputs.splice(Math.min(entry.position ?? index, inputs.length), 0, changed)
}
