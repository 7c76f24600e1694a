import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DiskEvent } from './disk-trace.ts'

/** The disk of a traced process, carried forward through what happened to it. */
export interface DiskReplay {
  /** Goes on until `cut` events have happened. Never back. */
  advanceTo(cut: number): void
  /**
   * Writes the files as they are on the disk when the power fails now: what was synced, and of the later
   * writes those for which `kept` says so.
   */
  writeTo(options: { readonly folder: string; readonly kept: () => boolean }): void
}

type Change = Extract<DiskEvent, { type: 'write' | 'truncate' }>

interface DiskFile {
  /** What is on the disk for certain; the buffer may be longer than the file. */
  content: Buffer
  length: number
  unsynced: { readonly index: number; readonly change: Change }[]
}

/** The disk before anything happened. */
export function createDiskReplay(events: readonly DiskEvent[]): DiskReplay {
  const files = new Map<string, DiskFile>()
  let happened = 0
  const happen = (event: DiskEvent, index: number): void => {
    switch (event.type) {
      case 'acknowledge':
        return
      case 'unlink':
        files.delete(event.file)
        return
      case 'sync': {
        const file = files.get(event.file)
        if (!file) return
        for (const { index: written, change } of file.unsynced) if (written < event.since) apply(file, change)
        file.unsynced = file.unsynced.filter(({ index: written }) => written >= event.since)
        return
      }
      case 'write':
      case 'truncate': {
        const file = files.get(event.file) ?? { content: Buffer.alloc(0), length: 0, unsynced: [] }
        file.unsynced.push({ index, change: event })
        files.set(event.file, file)
      }
    }
  }
  return {
    advanceTo(cut) {
      if (cut < happened) throw new Error(`The replay stands at event ${happened} and cannot go back to ${cut}`)
      for (; happened < cut; happened++) {
        const event = events[happened]
        if (event) happen(event, happened)
      }
    },
    writeTo({ folder, kept }) {
      mkdirSync(folder, { recursive: true })
      for (const [name, { content, length, unsynced }] of files) {
        const after: DiskFile = { content: Buffer.from(content.subarray(0, length)), length, unsynced: [] }
        for (const { change } of unsynced) if (kept()) apply(after, change)
        writeFileSync(join(folder, name), after.content.subarray(0, after.length))
      }
    },
  }
}

function apply(file: DiskFile, change: Change): void {
  const end = change.type === 'write' ? change.offset + change.bytes.length : change.length
  // Twice as long as needed, or a file that grows by one page at a time would be copied for each of them.
  if (end > file.content.length) file.content = Buffer.concat([file.content], 2 * end)
  if (change.type === 'write') {
    change.bytes.copy(file.content, change.offset)
    file.length = Math.max(file.length, end)
  } else {
    file.content.fill(0, Math.min(end, file.length))
    file.length = end
  }
}
