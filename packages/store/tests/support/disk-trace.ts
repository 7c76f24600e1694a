import { basename } from 'node:path'

/** What a traced process did to the files of a folder, and what it acknowledged, in the order of completion. */
export type DiskEvent =
  | { readonly type: 'write'; readonly file: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly type: 'truncate'; readonly file: string; readonly length: number }
  | { readonly type: 'unlink'; readonly file: string }
  /** Everything written to the file before `since` (an index into the events) is on the disk. */
  | { readonly type: 'sync'; readonly file: string; readonly since: number }
  | { readonly type: 'acknowledge'; readonly line: string }

/** The system calls that the trace must hold. */
export const TRACED_CALLS = 'pwrite64,pwritev,pwritev2,write,writev,fdatasync,fsync,ftruncate,unlink,unlinkat,rename'

const CALL = /^(\d+)\s+(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)$/

/**
 * Reads the output of `strace -f -y -xx`: one line a call, those that another thread interrupted in two.
 *
 * @throws when the trace holds a call that changes a file in a way that is not understood: a test that
 *   ignored it would prove nothing.
 */
export function parseTrace(trace: string, folder: string): DiskEvent[] {
  const events: DiskEvent[] = []
  const unfinished = new Map<string, { text: string; since: number }>()
  for (const line of trace.split('\n')) {
    const match = CALL.exec(line)
    if (!match) continue
    const [, thread = '', resumed, name, rest = ''] = match
    const begun = unfinished.get(thread)
    if (rest.endsWith('<unfinished ...>')) {
      const begin = rest.slice(0, -'<unfinished ...>'.length).trimEnd()
      unfinished.set(thread, { text: `${name}(${begin}`, since: events.length })
      continue
    }
    unfinished.delete(thread)
    const text = resumed ? `${begun?.text ?? ''}${rest}` : `${name}(${rest}`
    const event = toEvent(text, { folder, since: resumed ? (begun?.since ?? events.length) : events.length })
    if (event) events.push(event)
  }
  return events
}

function toEvent(text: string, at: { folder: string; since: number }): DiskEvent | null {
  const name = text.slice(0, text.indexOf('('))
  const result = Number(/\)\s+= (-?\d+)[^)]*$/.exec(text)?.[1] ?? '-1')
  if (result < 0) return null
  const descriptor = /^\w+\((\d+)<([^>]*)>/.exec(text)
  const path = descriptor ? decode(descriptor[2] ?? '').toString() : ''
  const inFolder = path.startsWith(`${at.folder}/`)
  if (name === 'write' && descriptor?.[1] === '1') return { type: 'acknowledge', line: bytesOf(text).toString().trim() }
  if (name.startsWith('unlink') || name === 'rename') return removed(text, at.folder)
  if (!inFolder || path.endsWith('-shm')) return null
  const file = basename(path)
  if (name === 'pwrite64') {
    const offset = Number(/, (\d+)\)\s+= \d+$/.exec(text)?.[1])
    return { type: 'write', file, offset, bytes: bytesOf(text).subarray(0, result) }
  }
  if (name === 'fdatasync' || name === 'fsync') return { type: 'sync', file, since: at.since }
  if (name === 'ftruncate') return { type: 'truncate', file, length: Number(/, (\d+)\)/.exec(text)?.[1]) }
  throw new Error(`The trace holds a call that is not understood: ${text.slice(0, 200)}`)
}

function removed(text: string, folder: string): DiskEvent | null {
  const paths = [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map((match) => decode(match[1] ?? '').toString())
  const path = paths.find((candidate) => candidate.startsWith(`${folder}/`))
  if (!path || path.endsWith('-shm')) return null
  if (text.startsWith('rename')) throw new Error(`The trace renames ${path}, which is not understood`)
  return { type: 'unlink', file: basename(path) }
}

function bytesOf(text: string): Buffer {
  return decode(/"((?:\\x[0-9a-f]{2})*)"/.exec(text)?.[1] ?? '')
}

function decode(escaped: string): Buffer {
  return escaped.includes('\\x') ? Buffer.from(escaped.replaceAll('\\x', ''), 'hex') : Buffer.from(escaped)
}
