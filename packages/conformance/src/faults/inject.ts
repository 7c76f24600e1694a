import type { Action } from '../action.ts'
import type { Frame } from '../frame.ts'
import type { Wire } from '../wire.ts'
import { corruptUtf8 } from './corrupt.ts'
import type { FaultEffect, Place, PlacedFault } from './fault.ts'

const PING_EVERY_MS = 50
const DRIP_EVERY_MS = 100

type StreamEffect = Extract<FaultEffect, { type: 'connection' | 'event' }>

/** A stream's frames and what is to go wrong with them. */
export interface StreamPlan {
  readonly frames: Iterable<Frame>
  readonly wire: Wire
  readonly fault: PlacedFault | undefined
  readonly errorFrames: { readonly internal: Frame; readonly overloaded: Frame }
  /** Time between two deltas. */
  readonly betweenDeltasMs: number
}

/** The frames as bytes, with the fault at its place; head and proper end are not in it where the fault takes them away. */
export function* inject(plan: StreamPlan): Generator<Action> {
  const { wire, betweenDeltasMs } = plan
  const effect = streamEffect(plan.fault)
  const place = plan.fault?.place
  let previous: Frame | undefined
  let first: Frame | undefined
  let struck = effect === undefined
  for (const frame of plan.frames) {
    first ??= frame
    if (!struck && effect !== undefined && place !== undefined && strikes(place, previous, frame)) {
      struck = true
      const { actions, goesOn } = strike({ effect, frame, first, plan })
      yield* actions
      if (!goesOn) return
      if (effect.what === 'invalid-utf8') {
        previous = frame
        continue
      }
    }
    if (effect?.type === 'event' && effect.what === 'no-stop-event' && frame.part === 'final') break
    const { delta } = frame
    if (delta !== undefined && betweenDeltasMs > 0 && previous !== undefined)
      yield { type: 'wait', waitMs: betweenDeltasMs }
    const bytes = bytesOf(wire, frame)
    if (delta === undefined) yield { type: 'write', bytes, isDelta: false, deltaBytes: 0 }
    else yield { type: 'write', bytes, isDelta: true, deltaBytes: Buffer.byteLength(delta) }
    previous = frame
  }
  yield { type: 'finish' }
}

function streamEffect(placed: PlacedFault | undefined): StreamEffect | undefined {
  const effect = placed?.fault.effect
  return effect?.type === 'connection' || effect?.type === 'event' ? effect : undefined
}

/** Whether the fault's place is right before this frame. */
function strikes(place: Place, previous: Frame | undefined, frame: Frame): boolean {
  switch (place) {
    case 'before-first-event':
      return previous === undefined
    case 'in-text':
      return previous?.part === 'text' && previous.delta !== undefined
    case 'in-thinking':
      return previous?.part === 'thinking' && previous.delta !== undefined
    case 'in-tool-arguments':
      return previous?.part === 'tool-arguments' && previous.delta !== undefined
    case 'after-last-delta':
      return frame.part === 'end' || frame.part === 'final'
  }
}

interface Strike {
  readonly actions: readonly Action[]
  readonly goesOn: boolean
}

function ends(...actions: readonly Action[]): Strike {
  return { actions, goesOn: false }
}

function goesOn(bytes: Uint8Array): Strike {
  return { actions: [{ type: 'write', bytes, isDelta: false, deltaBytes: 0 }], goesOn: true }
}

function strike({
  effect,
  frame,
  first,
  plan,
}: {
  readonly effect: StreamEffect
  readonly frame: Frame
  readonly first: Frame
  readonly plan: StreamPlan
}): Strike {
  const { wire, errorFrames } = plan
  const bytes = bytesOf(wire, frame)
  switch (effect.what) {
    case 'reset-before-headers':
    case 'reset':
      return ends({ type: 'reset' })
    case 'no-answer':
    case 'hang':
      return ends({ type: 'hang' })
    case 'cut-in-event':
      return ends(
        { type: 'write', bytes: bytes.subarray(0, bytes.length >> 1), isDelta: false, deltaBytes: 0 },
        { type: 'drop' },
      )
    case 'cut-between-events':
      return ends({ type: 'drop' })
    case 'clean-end':
      return ends({ type: 'finish' })
    case 'pings-only':
      return ends({ type: 'repeat', bytes: wire.ping ?? new Uint8Array(), everyMs: PING_EVERY_MS })
    case 'drip':
      return ends({ type: 'drip', bytes, everyMs: DRIP_EVERY_MS }, { type: 'hang' })
    case 'error-event':
      return ends(
        { type: 'write', bytes: bytesOf(wire, errorFrames.internal), isDelta: false, deltaBytes: 0 },
        { type: 'finish' },
      )
    case 'overloaded-event':
      return ends(
        { type: 'write', bytes: bytesOf(wire, errorFrames.overloaded), isDelta: false, deltaBytes: 0 },
        { type: 'finish' },
      )
    case 'no-stop-event':
      return { actions: [], goesOn: true }
    case 'invalid-utf8':
      return goesOn(wire.encode(frame.event, corruptUtf8(frame)))
    case 'invalid-json':
      return goesOn(wire.encode(frame.event, Buffer.from('{"type":"content_block_delta","index":0,"del')))
    case 'unknown-event':
      return goesOn(wire.encode('holdfast_unknown', Buffer.from('{"type":"holdfast_unknown","value":1}')))
    case 'start-twice':
      return goesOn(bytesOf(wire, first))
  }
}

function bytesOf(wire: Wire, frame: Frame): Uint8Array {
  return wire.encode(frame.event, Buffer.from(frame.data))
}
