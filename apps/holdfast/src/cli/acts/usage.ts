import type { EntryOf, EntryStore } from '@holdfast/conversation'
import { LOCAL_USER_ID } from '@holdfast/server'
import { explained, untilInterrupt } from '../reach/explained.ts'
import { type FolderOptions, storeOf } from './store-commands.ts'

/** What `holdfast usage` was asked for. */
export interface UsageOptions extends FolderOptions {
  readonly by: 'day' | 'model' | 'conversation'
  readonly json: boolean
  readonly csv: boolean
}

/** What the requests of one day, model or conversation used. */
export interface UsageRow {
  readonly key: string
  readonly requestCount: number
  /** Read anew, from the cache and into it. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly outputTokens: number
  readonly costUsd: number
  /** Whether some prices are not known: it costs at least so much. [COST3] */
  readonly isAtLeast: boolean
}

const PAGE = 1_000

/** Says what was used and what it cost. @returns the exit code. */
export async function usage(options: UsageOptions): Promise<number> {
  const rows = await explained(() =>
    storeOf(options).withUsage((store) => readRows(store, options.by), untilInterrupt()),
  )
  process.stdout.write(written(rows, options))
  return 0
}

async function readRows(store: Pick<EntryStore, 'readUsage'>, by: UsageOptions['by']): Promise<readonly UsageRow[]> {
  const rows = new Map<string, UsageRow>()
  let after: EntryOf<'usage-recorded'> | undefined
  for (;;) {
    const query = { ownerId: LOCAL_USER_ID, from: 0, to: Number.MAX_SAFE_INTEGER, limit: PAGE }
    const page = await store.readUsage(after ? { ...query, after } : query)
    for (const record of page) {
      if (!counts(record)) continue
      const key = keyOf(record, by)
      rows.set(key, sumOf(rows.get(key) ?? emptyRow(key), record))
    }
    after = page.at(-1)
    if (page.length < PAGE) return [...rows.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1))
  }
}

/** A record counts where it was made, and the demo nowhere. [COST8] */
function counts({ carried, providerId }: EntryOf<'usage-recorded'>): boolean {
  return !carried && providerId !== 'demo'
}

function keyOf({ at, modelId, conversationId }: EntryOf<'usage-recorded'>, by: UsageOptions['by']): string {
  switch (by) {
    case 'day':
      return localDay(new Date(at))
    case 'model':
      return modelId
    case 'conversation':
      return conversationId
  }
}

/** The day in the zone of this computer. */
function localDay(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function emptyRow(key: string): UsageRow {
  return { key, requestCount: 0, inputTokens: 0, cacheReadTokens: 0, outputTokens: 0, costUsd: 0, isAtLeast: false }
}

function sumOf(row: UsageRow, record: EntryOf<'usage-recorded'>): UsageRow {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens, outputTokens, costUsd } = record
  return {
    key: row.key,
    requestCount: row.requestCount + 1,
    inputTokens: row.inputTokens + inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens,
    cacheReadTokens: row.cacheReadTokens + cacheReadTokens,
    outputTokens: row.outputTokens + outputTokens,
    costUsd: row.costUsd + (costUsd ?? 0),
    isAtLeast: row.isAtLeast || costUsd === null,
  }
}

function written(rows: readonly UsageRow[], { json, csv, by }: UsageOptions): string {
  if (json) return `${JSON.stringify({ by, rows })}\n`
  const head = [by, 'requests', 'input tokens', 'cache read tokens', 'output tokens', 'US dollars']
  const lines = rows.map(({ key, requestCount, inputTokens, cacheReadTokens, outputTokens, costUsd, isAtLeast }) => [
    key,
    ...[requestCount, inputTokens, cacheReadTokens, outputTokens].map(String),
    `${isAtLeast ? 'at least ' : ''}${costUsd.toFixed(4)}`,
  ])
  if (csv) return [head, ...lines].map((cells) => `${cells.map(quoted).join(',')}\n`).join('')
  if (lines.length === 0) return 'Nothing was used yet; the demo does not count.\n'
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((cells) => cells[column]?.length ?? 0)))
  return [head, ...lines]
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => pad(cell, { width: widths[column] ?? 0, column }))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function pad(cell: string, { width, column }: { readonly width: number; readonly column: number }): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

/** A cell that a table program takes as text: never as a formula. */
function quoted(cell: string): string {
  const plain = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
