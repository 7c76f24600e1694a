import { networkInterfaces } from 'node:os'

/** The addresses that this machine has now, on all its interfaces. */
export function systemAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
}
