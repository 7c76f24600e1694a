import { crc32 } from 'node:zlib'

/** The checksum kept with an entry: CRC-32 over its place and its body, so that a row at another place is damage too. [LOG7] */
export function entryChecksum(place: { readonly conversationId: string; readonly seq: number }, body: string): number {
  return crc32(body, crc32(`${place.conversationId}\n${place.seq}\n`))
}

/** The checksum of a row that is not an entry, over its parts in their order. */
export function rowChecksum(parts: readonly (string | number)[]): number {
  // One call: each costs as much as a hundred bytes.
  return crc32(`${parts.join('\n')}\n`)
}
