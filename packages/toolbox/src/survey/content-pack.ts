import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'

/**
 * Contents of files, by hash, in one file, each behind its hash and size: what a killed process has kept can be read by the
 * next one. The file goes when the pack is closed.
 */
export interface ContentPack {
  has(hash: string): boolean
  /** Keeps bytes; false when there is no room. */
  keep(hash: string, bytes: Uint8Array): boolean
  /** @throws when it was not kept. */
  read(hash: string): Uint8Array
  close(): void
}

/** Where a pack lies, and how much it may hold. */
export interface ContentPackOptions {
  /** A path that nobody else uses. */
  readonly path: (count: number) => string
  readonly limitBytes: number
  /** What is still needed, asked for when there is no room. */
  readonly neededHashes: () => ReadonlySet<string>
}

/** Where a content stands in a file. */
export interface Place {
  readonly offset: number
  readonly sizeBytes: number
}

interface PackFile {
  readonly path: string
  readonly descriptor: number
  readonly places: Map<string, Place>
  endBytes: number
  /** Of this, contents. */
  contentBytes: number
}

/** Opens an empty pack. It is used by one thread, which may wait for the disk. */
export function openContentPack({ path, limitBytes, neededHashes }: ContentPackOptions): ContentPack {
  let count = 0
  let file = openFile(path(count))

  /** Copies what is needed into a new file, where that frees enough to be worth it. */
  function tidy(): void {
    const needed = neededHashes()
    const kept = [...file.places].filter(([hash]) => needed.has(hash))
    const keptBytes = kept.reduce((sum, [, { sizeBytes }]) => sum + sizeBytes, 0)
    if (file.contentBytes - keptBytes < limitBytes / 4) return
    const next = openFile(path(++count))
    for (const [hash] of kept) append(next, hash, readFrom(file, hash))
    closeFile(file)
    file = next
  }

  return {
    has: (hash) => file.places.has(hash),
    keep(hash, bytes) {
      if (file.places.has(hash)) return true
      if (file.contentBytes + bytes.byteLength > limitBytes) tidy()
      if (file.contentBytes + bytes.byteLength > limitBytes) return false
      append(file, hash, bytes)
      return true
    },
    read: (hash) => readFrom(file, hash),
    close: () => closeFile(file),
  }
}

function openFile(path: string): PackFile {
  return { path, descriptor: openSync(path, 'wx+', 0o600), places: new Map(), endBytes: 0, contentBytes: 0 }
}

function closeFile({ descriptor, path }: PackFile): void {
  closeSync(descriptor)
  unlinkSync(path)
}

/** SHA-256 as bytes, and the size of what follows. */
const HASH_BYTES = 32
const HEAD_BYTES = HASH_BYTES + 8

/** The contents that a pack of a process that is gone has in whole; what it was writing when it ended is not among them. */
export function placesIn(path: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  const descriptor = openSync(path, 'r')
  try {
    const endBytes = fstatSync(descriptor).size
    const head = Buffer.alloc(HEAD_BYTES)
    for (let at = 0; at + HEAD_BYTES <= endBytes; ) {
      readSync(descriptor, head, 0, HEAD_BYTES, at)
      const place = { offset: at + HEAD_BYTES, sizeBytes: Number(head.readBigUInt64BE(HASH_BYTES)) }
      at = place.offset + place.sizeBytes
      if (at <= endBytes) places.set(head.toString('hex', 0, HASH_BYTES), place)
    }
    return places
  } finally {
    closeSync(descriptor)
  }
}

/** Reads a content of such a pack. @throws when it is not what was kept. */
export function readPlace(path: string, hash: string, place: Place): Uint8Array {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = readFrom({ path, descriptor, places: new Map([[hash, place]]), endBytes: 0, contentBytes: 0 }, hash)
    if (createHash('sha256').update(bytes).digest('hex') !== hash)
      throw new Error(`The content ${hash} is not what was kept`)
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

function append(file: PackFile, hash: string, bytes: Uint8Array): void {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(hash, 'hex')
  head.writeBigUInt64BE(BigInt(bytes.byteLength), HASH_BYTES)
  writeAt(file.descriptor, head, file.endBytes)
  const offset = file.endBytes + HEAD_BYTES
  writeAt(file.descriptor, bytes, offset)
  file.places.set(hash, { offset, sizeBytes: bytes.byteLength })
  file.endBytes = offset + bytes.byteLength
  file.contentBytes += bytes.byteLength
}

function writeAt(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let done = 0; done < bytes.byteLength; )
    done += writeSync(descriptor, bytes, done, bytes.byteLength - done, offset + done)
}

function readFrom({ descriptor, places }: PackFile, hash: string): Uint8Array {
  const place = places.get(hash)
  if (!place) throw new Error(`The content ${hash} was not kept`)
  const bytes = new Uint8Array(place.sizeBytes)
  for (let done = 0; done < bytes.byteLength; ) {
    const more = readSync(descriptor, bytes, done, bytes.byteLength - done, place.offset + done)
    if (more === 0) throw new Error(`The pack of contents ends inside ${hash}`)
    done += more
  }
  return bytes
}
