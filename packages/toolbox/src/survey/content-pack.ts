import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'

/** Contents of files, by hash, in one file without a name: the system frees it when the process ends. */
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
  /** A path that nobody else uses; the file has no name from the start. */
  readonly path: (count: number) => string
  readonly limitBytes: number
  /** What is still needed, asked for when there is no room. */
  readonly neededHashes: () => ReadonlySet<string>
}

interface Place {
  readonly offset: number
  readonly sizeBytes: number
}

interface PackFile {
  readonly descriptor: number
  readonly places: Map<string, Place>
  endBytes: number
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
    if (file.endBytes - keptBytes < limitBytes / 4) return
    const next = openFile(path(++count))
    for (const [hash] of kept) append(next, hash, readFrom(file, hash))
    closeSync(file.descriptor)
    file = next
  }

  return {
    has: (hash) => file.places.has(hash),
    keep(hash, bytes) {
      if (file.places.has(hash)) return true
      if (file.endBytes + bytes.byteLength > limitBytes) tidy()
      if (file.endBytes + bytes.byteLength > limitBytes) return false
      append(file, hash, bytes)
      return true
    },
    read: (hash) => readFrom(file, hash),
    close: () => closeSync(file.descriptor),
  }
}

function openFile(path: string): PackFile {
  const descriptor = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return { descriptor, places: new Map(), endBytes: 0 }
}

function append(file: PackFile, hash: string, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.byteLength; )
    done += writeSync(file.descriptor, bytes, done, bytes.byteLength - done, file.endBytes + done)
  file.places.set(hash, { offset: file.endBytes, sizeBytes: bytes.byteLength })
  file.endBytes += bytes.byteLength
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
