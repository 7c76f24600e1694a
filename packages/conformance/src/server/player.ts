import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Action } from '../action.ts'
import type { Clock } from '../clock.ts'
import type { OpenRecord } from './record.ts'

/** Small writes without a pause between them go out together up to this size. */
const BATCH_BYTES = 16 * 1024

/**
 * Does the actions on the connection and notes in the record when. It returns when the response is over or the client
 * has left; `closed` is the signal of the latter.
 */
export async function play({
  actions,
  response,
  record,
  clock,
  closed,
}: {
  readonly actions: Iterable<Action>
  readonly response: ServerResponse
  readonly record: OpenRecord
  readonly clock: Clock
  readonly closed: AbortSignal
}): Promise<void> {
  const line = createLine({ response, record, clock, closed })
  for (const action of actions) {
    if (closed.aborted) return
    switch (action.type) {
      case 'head':
        record.status = action.status
        response.writeHead(action.status, { ...action.headers })
        response.flushHeaders()
        record.headersWrittenMs = clock.monotonic()
        break
      case 'write':
        await line.write(action)
        break
      case 'wait':
        await line.flush()
        await clock.wait(action.waitMs, closed)
        break
      case 'drip':
        await line.flush()
        for (const byte of action.bytes) {
          await line.writeNow(Uint8Array.of(byte))
          await clock.wait(action.everyMs, closed)
          if (closed.aborted) return
        }
        break
      case 'repeat':
        await line.flush()
        while (!closed.aborted) {
          await line.writeNow(action.bytes)
          await clock.wait(action.everyMs, closed)
        }
        return
      case 'hang':
        await line.flush()
        await whenAborted(closed)
        return
      case 'finish':
        await line.flush()
        if (closed.aborted) return
        record.endedMs = clock.monotonic()
        record.ending = 'finished'
        response.end()
        return
      case 'drop':
        await line.flush()
        record.ending = 'fault'
        // The bytes so far leave first: end the socket below the unfinished body.
        response.socket?.end()
        return
      case 'reset':
        await line.flush()
        record.ending = 'fault'
        response.socket?.resetAndDestroy()
        return
    }
  }
}

interface Line {
  write(action: Extract<Action, { type: 'write' }>): Promise<void>
  writeNow(bytes: Uint8Array): Promise<void>
  flush(): Promise<void>
}

function createLine({
  response,
  record,
  clock,
  closed,
}: {
  readonly response: ServerResponse
  readonly record: OpenRecord
  readonly clock: Clock
  readonly closed: AbortSignal
}): Line {
  let batch: Uint8Array[] = []
  let batchBytes = 0
  let batchDeltas = 0
  let batchDeltaBytes = 0

  async function send(bytes: Uint8Array, deltas: number): Promise<void> {
    if (closed.aborted || bytes.length === 0) return
    const hasRoom = response.write(bytes)
    const at = clock.monotonic()
    record.firstByteMs ??= at
    record.bytesWritten += bytes.length
    for (let delta = 0; delta < deltas; delta += 1) record.deltaMs.push(at)
    if (hasRoom) await nextTurn()
    else await whenDrained(response, closed)
  }

  async function flush(): Promise<void> {
    if (batch.length === 0) return
    const bytes = batch.length === 1 && batch[0] !== undefined ? batch[0] : Buffer.concat(batch)
    const [deltas, deltaBytes] = [batchDeltas, batchDeltaBytes]
    batch = []
    batchBytes = 0
    batchDeltas = 0
    batchDeltaBytes = 0
    if (!closed.aborted) record.deltaBytes += deltaBytes
    await send(bytes, deltas)
  }

  return {
    flush,
    async write({ bytes, isDelta, deltaBytes }) {
      batch.push(bytes)
      batchBytes += bytes.length
      if (isDelta) batchDeltas += 1
      batchDeltaBytes += deltaBytes
      if (batchBytes >= BATCH_BYTES) await flush()
    },
    async writeNow(bytes) {
      await send(bytes, 0)
    },
  }
}

async function whenDrained(response: ServerResponse, closed: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const go = () => resolve()
  response.once('drain', go)
  closed.addEventListener('abort', go, { once: true })
  if (closed.aborted) resolve()
  try {
    await promise
  } finally {
    response.off('drain', go)
    closed.removeEventListener('abort', go)
  }
}

async function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
}
