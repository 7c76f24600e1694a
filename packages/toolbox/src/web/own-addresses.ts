import { networkInterfaces } from 'node:os'

/** Every address that this machine has now, whether it is public by its number or not. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
}
