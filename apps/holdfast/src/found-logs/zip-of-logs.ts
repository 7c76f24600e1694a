import { crc32 } from 'node:zlib'
import type { FoundLog } from './find-logs.ts'
import { readLog } from './read-log.ts'

interface Packed {
  readonly name: Buffer
  readonly offset: number
  readonly sizeBytes: number
  readonly checksum: number
}

/** Sizes and sums stand behind the content, names are UTF-8. */
const FLAGS = 0x0808
const VERSION = 20
/** The first day that a zip archive knows: the logs tell their times themselves. */
const DATE = 0x0021

/**
 * Files as one zip archive, unpacked as an import takes them, read one after another as it is asked for. What has gone meanwhile, or
 * has become a link, is left out; what grows is taken as far as it is there.
 */
export async function* zipOfLogs(logs: readonly FoundLog[]): AsyncGenerator<Uint8Array, void, undefined> {
  const packed: Packed[] = []
  let offset = 0
  for (const log of logs) {
    const content = await readLog(log.path)
    if (content === null) continue
    const name = Buffer.from(log.name)
    const begun = localHeader(name)
    let sizeBytes = 0
    let checksum = 0
    yield begun
    for await (const piece of content) {
      checksum = crc32(piece, checksum)
      sizeBytes += piece.length
      yield piece
    }
    const ended = descriptor({ sizeBytes, checksum })
    yield ended
    packed.push({ name, offset, sizeBytes, checksum })
    offset += begun.length + sizeBytes + ended.length
  }
  const directory = Buffer.concat(packed.map(directoryEntry))
  yield directory
  yield endOfDirectory({ count: packed.length, sizeBytes: directory.length, offset })
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DATE, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ sizeBytes, checksum }: Pick<Packed, 'sizeBytes' | 'checksum'>): Buffer {
  const behind = Buffer.alloc(16)
  behind.writeUInt32LE(0x08074b50, 0)
  behind.writeUInt32LE(checksum, 4)
  behind.writeUInt32LE(sizeBytes, 8)
  behind.writeUInt32LE(sizeBytes, 12)
  return behind
}

function directoryEntry({ name, offset, sizeBytes, checksum }: Packed): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(VERSION, 4)
  entry.writeUInt16LE(VERSION, 6)
  entry.writeUInt16LE(FLAGS, 8)
  entry.writeUInt16LE(DATE, 14)
  entry.writeUInt32LE(checksum, 16)
  entry.writeUInt32LE(sizeBytes, 20)
  entry.writeUInt32LE(sizeBytes, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(offset, 42)
  return Buffer.concat([entry, name])
}

function endOfDirectory(told: { readonly count: number; readonly sizeBytes: number; readonly offset: number }): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(told.count, 8)
  end.writeUInt16LE(told.count, 10)
  end.writeUInt32LE(told.sizeBytes, 12)
  end.writeUInt32LE(told.offset, 16)
  return end
}
