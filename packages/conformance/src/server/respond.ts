import type { Action } from '../action.ts'
import type { Answer } from '../answer.ts'
import { bodyFaultActions, errorActions } from '../faults/body-fault.ts'
import type { PlacedFault } from '../faults/fault.ts'
import { inject } from '../faults/inject.ts'
import type { Format } from '../format.ts'
import type { Reply } from '../reply.ts'
import type { Wire } from '../wire.ts'

const MS_PER_SECOND = 1_000

/** The response to an accepted request as actions, with the reply's fault in it. */
export function* responseActions({
  format,
  answer,
  reply,
  isStream,
}: {
  readonly format: Format
  readonly answer: Answer
  readonly reply: Reply
  readonly isStream: boolean
}): Generator<Action> {
  if (reply.firstByteAfterMs !== undefined) yield { type: 'wait', waitMs: reply.firstByteAfterMs }
  const effect = reply.fault?.fault.effect
  if (effect?.type === 'status') {
    yield* errorActions(format.error(effect.status, effect.meaning), effect.retryAfterSeconds)
    return
  }
  if (effect?.type === 'connection' && effect.what === 'reset-before-headers') {
    yield { type: 'reset' }
    return
  }
  if (effect?.type === 'connection' && effect.what === 'no-answer') {
    yield { type: 'hang' }
    return
  }
  const betweenDeltasMs = reply.deltasPerSecond === undefined ? 0 : MS_PER_SECOND / reply.deltasPerSecond
  const parts = { format, answer, isStream, betweenDeltasMs }
  if (effect?.type === 'body') {
    yield* bodyFaultActions({
      what: effect.what,
      format,
      stream: () => Buffer.concat([...bodyActions(parts, undefined)].flatMap((action) => bytesIn(action))),
      wholeBody: () => JSON.stringify(format.body(answer)),
    })
    return
  }
  const { contentType, headers } = format.wire
  yield isStream
    ? { type: 'head', status: 200, headers: { 'content-type': contentType, ...headers } }
    : { type: 'head', status: 200, headers: { 'content-type': 'application/json' } }
  yield* bodyActions(parts, reply.fault)
}

/** A body that is one piece. */
const PLAIN: Wire = {
  contentType: 'application/json',
  headers: {},
  encode: (_event, data) => data,
  ping: Buffer.from(' '),
}

function bodyActions(
  {
    format,
    answer,
    isStream,
    betweenDeltasMs,
  }: {
    readonly format: Format
    readonly answer: Answer
    readonly isStream: boolean
    readonly betweenDeltasMs: number
  },
  fault: PlacedFault | undefined,
): Iterable<Action> {
  const errorFrames = { internal: format.errorFrame('internal'), overloaded: format.errorFrame('overloaded') }
  if (isStream) return inject({ frames: format.frames(answer), wire: format.wire, fault, errorFrames, betweenDeltasMs })
  return inject({
    frames: [{ event: '', data: JSON.stringify(format.body(answer)), part: 'final' }],
    wire: PLAIN,
    // A whole body has no inside: whatever strikes, strikes before it.
    fault: fault === undefined ? undefined : { fault: fault.fault, place: 'before-first-event' },
    errorFrames,
    betweenDeltasMs,
  })
}

function bytesIn(action: Action): readonly Uint8Array[] {
  return action.type === 'write' ? [action.bytes] : []
}
