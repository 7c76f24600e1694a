import {
  type ActivePath,
  activePath,
  canvases,
  type Entry,
  isExclusive,
  listing,
  PAGE_BYTES,
  sizeOf,
  type TranscriptItem,
  transcript,
  visibleItems,
} from '@holdfast/conversation'
import { type ExportedCanvas, exportedCanvases } from './canvas-blocks.ts'
import type { ExportOptions } from './export-options.ts'
import { missingText, watchMissing } from './missing-entries.ts'

/** A conversation that is written for people to read. */
export interface ReadersSource {
  /** All entries, oldest first, set aside or not. It is asked for twice, so that the log is never held as a whole. [LOG5] */
  readonly entries: () => AsyncIterable<Entry>
  readonly options: ExportOptions
}

/** An item of the export, and whether it counts now. */
export interface ExportedItem {
  readonly item: TranscriptItem
  readonly isSetAside: boolean
}

/** What a reader's export is made from. */
export interface ExportedConversation {
  readonly title: string
  /** What is to be said before everything: that some of it could not be read. */
  readonly warning: string | null
  readonly canvases: readonly ExportedCanvas[]
  /** What stands in it, in its order, read as it is asked for: no more is held than the turns that belong together. */
  items(): AsyncGenerator<ExportedItem>
}

/** Roles that a reader wants; requests for titles and summaries are the program's own. */
const SHOWN: ReadonlySet<TranscriptItem['role']> = new Set([
  'user',
  'assistant',
  'summary',
  'accounting',
  'notice',
  'error',
])

/** The conversation as a reader's export shows it: the first reading finds what is true of all of it. */
export async function exportedConversation({ entries, options }: ReadersSource): Promise<ExportedConversation> {
  const watch = watchMissing()
  const agentNames = new Map<string, string>()
  /** The last entry of each run: what comes late belongs to an item of before. */
  const runEnds = new Map<string, number>()
  let [row, path, canvas, lastSeq] = [listing.initial, activePath.initial, canvases.initial, 0]
  for await (const batch of batchesOf(entries())) {
    row = listing.reduce(row, batch)
    path = activePath.reduce(path, batch)
    canvas = canvases.reduce(canvas, batch)
    for (const entry of batch) {
      watch.see(entry.seq)
      lastSeq = entry.seq
      if (entry.type === 'agent-switched') agentNames.set(entry.agentId, entry.agentName)
      if ('runId' in entry && entry.runId !== undefined) runEnds.set(entry.runId, entry.seq)
    }
  }
  return {
    title: row.title.text ?? row.firstWords ?? 'Untitled conversation',
    warning: missingText(watch.missing(options.head ?? null)),
    canvases: exportedCanvases(canvas, agentNames),
    async *items() {
      for await (const turns of turnsOf(entries(), { runEnds, lastSeq })) yield* itemsOf(turns, path, options)
    },
  }
}

/** Entries are folded so many at a time, and no more than a page of bytes. */
const BATCH = 100

async function* batchesOf(entries: AsyncIterable<Entry>): AsyncGenerator<readonly Entry[]> {
  let batch: Entry[] = []
  let leftBytes = PAGE_BYTES
  for await (const entry of entries) {
    batch.push(entry)
    leftBytes -= sizeOf(entry)
    if (batch.length < BATCH && leftBytes > 0) continue
    yield batch
    batch = []
    leftBytes = PAGE_BYTES
  }
  if (batch.length > 0) yield batch
}

/** The log cut where a turn begins and no run of before goes on: each part is folded by itself. */
async function* turnsOf(
  entries: AsyncIterable<Entry>,
  { runEnds, lastSeq }: { readonly runEnds: ReadonlyMap<string, number>; readonly lastSeq: number },
): AsyncGenerator<readonly Entry[]> {
  let turns: Entry[] = []
  let openUntil = 0
  for await (const entry of entries) {
    // What was added since the first reading is not in what that found.
    if (entry.seq > lastSeq) break
    if (entry.type === 'run-started' && isExclusive(entry.purpose) && openUntil < entry.seq && turns.length > 0) {
      yield turns
      turns = []
    }
    turns.push(entry)
    if ('runId' in entry && entry.runId !== undefined) openUntil = Math.max(openUntil, runEnds.get(entry.runId) ?? 0)
  }
  yield turns
}

function itemsOf(turns: readonly Entry[], path: ActivePath, { includesSetAside }: ExportOptions): ExportedItem[] {
  const { items } = transcript.reduce(transcript.initial, turns)
  const visible = new Set(visibleItems({ items, path }))
  return items
    .filter((item) => SHOWN.has(item.role) && (includesSetAside || visible.has(item)))
    .map((item) => ({ item, isSetAside: !visible.has(item) }))
}
