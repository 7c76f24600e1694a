import type { EntryPage } from '@holdfast/conversation'
import { isIntact } from './intact-row.ts'
import type { EntryRow } from './prepare-append.ts'

/** A page of a log as JSON. */
export interface PageText {
  /** In UTF-8, in memory of its own: it can be given to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of which kinds and versions its entries are, each once. It may be handed on where all are the newest. */
  readonly kinds: readonly EntryKind[]
}

/** The kind of an entry and its version. */
export interface EntryKind {
  readonly type: string
  readonly v: number
}

/** A page that is to be written out. */
interface PageOfRows {
  readonly conversationId: string
  readonly head: number
  /** Its first `seq` and its last; less than the first for no rows. */
  readonly from: number
  readonly to: number
  readonly rows: readonly EntryRow[]
}

/**
 * The rows of a page one behind the other, as they stand: nothing of them is taken apart. Null when one is missing, not what was written, or
 * does not begin as `placeEntry` writes it. [LOG7, LOG37]
 */
export function pageText({ conversationId, head, from, to, rows }: PageOfRows): PageText | null {
  if (rows.length !== Math.max(0, to - from + 1)) return null
  const kinds = new Map<string, EntryKind>()
  for (const [index, row] of rows.entries()) {
    if (row.seq !== from + index || !isIntact(conversationId, row)) return null
    const [, version, type] = BEGINNING.exec(row.body.slice(0, MOST_BEGINNING)) ?? []
    if (version === undefined || type === undefined) return null
    kinds.set(`${type} ${version}`, { type, v: Number(version) })
  }
  return { bytes: joined(['{"entries":[', ...separated(rows), `],"head":${head}}`]), kinds: [...kinds.values()] }
}

/** A page that was read, as text. */
export function textOfPage({ entries, head }: EntryPage): Uint8Array {
  return Buffer.from(JSON.stringify({ entries, head }))
}

/** How an entry begins: its place, its version and its type. An id is whatever a text may be. */
const BEGINNING = /^\{"conversationId":"(?:[^"\\]|\\.)*","seq":\d+,"at":\d+,"v":(\d+),"type":"([a-z-]+)"/

/** What stands before the end of the type is no longer, unless somebody chose a long id: then the page is read. */
const MOST_BEGINNING = 512

function separated(rows: readonly EntryRow[]): string[] {
  return rows.flatMap(({ body }, index) => (index === 0 ? [body] : [',', body]))
}

/** One text after the other is written where it is to stand: of a page of megabytes there is no second one. */
function joined(texts: readonly string[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
  let end = 0
  for (const text of texts) end += bytes.write(text, end)
  return bytes
}
