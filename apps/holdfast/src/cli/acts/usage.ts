import type { UsageAnswer } from '@holdfast/protocol'
import { LOCAL_USER_ID, sumUsage } from '@holdfast/server'
import { explained, untilInterrupt } from '../reach/explained.ts'
import type { UsageReader } from '../reach/installed-store.ts'
import { plainText } from '../terminal/plain-text.ts'
import { usageName } from '../terminal/usage-names.ts'
import { configOf, type FolderOptions, storeOf } from './store-commands.ts'

/** What `holdfast usage` was asked for. */
export interface UsageOptions extends FolderOptions {
  readonly by: 'day' | 'model' | 'payer' | 'agent' | 'conversation'
  readonly json: boolean
  readonly csv: boolean
}

/** Says what was used and what it cost, with the sums of the API. @returns the exit code. [COST8] */
export async function usage(options: UsageOptions): Promise<number> {
  const config = configOf(options)
  const { answer, names } = await explained(() =>
    storeOf(options).withUsage(async (store) => {
      const answer = await sumOf(store, options.by)
      const names = new Map<string, string>()
      for (const { key } of answer.rows)
        names.set(key, await usageName({ config, records: store.records }, { by: options.by, key }))
      return { answer, names }
    }, untilInterrupt()),
  )
  process.stdout.write(written(answer, names, options))
  return 0
}

function sumOf(store: UsageReader, by: UsageOptions['by']): Promise<UsageAnswer> {
  const agentOf = async (conversationId: string) => (await store.readListing(conversationId))?.agentId ?? ''
  const range = { from: 0, to: Number.MAX_SAFE_INTEGER }
  return sumUsage(store, { ownerId: LOCAL_USER_ID, by, ...range, agentOf, dayOf: localDay })
}

/** The day in the zone of this computer. */
function localDay(at: number): string {
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** What a person reads has names; what a program reads has the keys of the API. */
function written(answer: UsageAnswer, names: ReadonlyMap<string, string>, { json, csv, by }: UsageOptions): string {
  if (json) return `${JSON.stringify(answer)}\n`
  const head = [by, 'requests', 'input tokens', 'cache read tokens', 'output tokens', 'US dollars']
  const lines = answer.rows.map(({ key, totals }) => [key, ...figuresOf(totals)])
  if (csv) return [head, ...lines].map((cells) => `${cells.map(quoted).join(',')}\n`).join('')
  if (lines.length === 0) return 'Nothing was used yet.\n'
  const named = answer.rows.map(({ key, totals }) => [
    plainText(names.get(key) ?? key).replace(/\s+/g, ' '),
    ...figuresOf(totals),
  ])
  const all = [head, ...named, ...(lines.length > 1 ? [['total', ...figuresOf(answer.total)]] : [])]
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)))
  return all
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => pad(cell, { width: widths[column] ?? 0, column }))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** What stands behind a key; tokens read anew, from the cache and into it are the input. */
function figuresOf(totals: UsageAnswer['total']): readonly string[] {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = totals
  const input = inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens
  const atLeast = totals.unpricedCount > 0 ? 'at least ' : ''
  return [
    ...[totals.requestCount, input, cacheReadTokens, totals.outputTokens].map(String),
    `${atLeast}${totals.costUsd.toFixed(4)}`,
  ]
}

function pad(cell: string, { width, column }: { readonly width: number; readonly column: number }): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

/** A cell that a table program takes as text: never as a formula. */
function quoted(cell: string): string {
  const plain = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
