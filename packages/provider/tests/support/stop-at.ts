import type { Place, RequestRecord, StrictProvider } from '@holdfast/conformance'
import { createFaultReply, faultNamed } from '@holdfast/conformance'
import { type ModelPart, noBlobs } from '@holdfast/provider'
import { type Outcome, readAll } from '@holdfast/provider/testing'
import { whenSilent } from './hanging.ts'
import { requestOf, type StrictPort, says } from './strict-ports.ts'

/** Where a stream stands when it is stopped. */
export type Phase = 'before-headers' | Place

/** All phases, in the order of an answer. */
export const PHASES: readonly Phase[] = [
  'before-headers',
  'before-first-event',
  'in-thinking',
  'in-text',
  'in-tool-arguments',
  'after-last-delta',
]

/** What came of a stop. */
export interface Stopped extends Outcome {
  readonly record: RequestRecord
  /** From the signal until the server saw the connection closed. */
  readonly closedAfterMs: number
  /** From the signal until the port's stream ended. */
  readonly endedAfterMs: number
}

/** Lets the provider hang in a phase, waits until the port has read all that came before, and stops it there. */
export async function stopAt(port: StrictPort, provider: StrictProvider, phase: Phase): Promise<Stopped> {
  const fault = faultNamed(phase === 'before-headers' ? 'no-answer' : 'hang')
  provider.script(createFaultReply(fault, phase === 'before-headers' ? 'before-first-event' : phase))
  const before = provider.requests.length
  const stopping = new AbortController()
  let seen = 0
  const reading = readAll((take) => {
    const onPart = (part: ModelPart): undefined => {
      seen += 1
      return take(part)
    }
    const ports = { signal: stopping.signal, blobs: noBlobs, onPart }
    return port.open(provider.urls).stream(requestOf(port, [says(phase)]), ports)
  })
  const record = await whenSilent({ provider, index: before, place: phase, readSoFar: () => seen })
  const stoppedMs = performance.now()
  stopping.abort()
  const outcome = await reading
  const endedAfterMs = performance.now() - stoppedMs
  await record.done
  return { ...outcome, record, endedAfterMs, closedAfterMs: (record.clientClosedMs ?? Infinity) - stoppedMs }
}
