import { setImmediate } from 'node:timers/promises'
import type { Place, RequestRecord, StrictProvider } from '@holdfast/conformance'

/** Turns of the loop without anything new after which all that was sent is read: client and server share the loop. */
const STILL_TURNS = 50

/** The record of a request once the provider has come to where it is silent, and the client has read what came before. */
export async function whenSilent({
  provider,
  index,
  place,
  readSoFar,
}: {
  readonly provider: StrictProvider
  readonly index: number
  readonly place: Place | 'before-headers'
  readonly readSoFar: () => number
}): Promise<RequestRecord> {
  const record = await whenReached(provider, index, place)
  for (let still = 0, last = -1; still < STILL_TURNS; ) {
    const now = readSoFar()
    still = now === last ? still + 1 : 0
    last = now
    await setImmediate()
  }
  return record
}

async function whenReached(
  provider: StrictProvider,
  index: number,
  place: Place | 'before-headers',
): Promise<RequestRecord> {
  for (;;) {
    const record = provider.requests[index]
    const isThere = place === 'before-headers' ? record?.fault !== undefined : record?.headersWrittenMs !== undefined
    if (record && isThere && (record.deltaMs.length > 0 || place.startsWith('before-'))) return record
    await setImmediate()
  }
}
