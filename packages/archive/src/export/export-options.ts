import { type Entry, type TranscriptItem, title, transcript, visibleItems } from '@holdfast/conversation'
import { missingText, watchMissing } from './missing-entries.ts'

/** What of a conversation a reader's export shows. */
export interface ExportOptions {
  readonly includesToolCalls: boolean
  readonly includesThinking: boolean
  /** Branches that were set aside, marked as such. */
  readonly includesSetAside: boolean
  readonly includesUsage: boolean
  /** Names and sizes of files and pictures. */
  readonly includesAttachments: boolean
  /** The last place of the log, to say what of it is missing; null or absent where nobody knows it. [LOG7] */
  readonly head?: number | null
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
  readonly items: readonly ExportedItem[]
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

/** The conversation as a reader's export shows it. */
export function exportedConversation(entries: readonly Entry[], options: ExportOptions): ExportedConversation {
  const state = transcript.reduce(transcript.initial, entries)
  const visible = new Set(visibleItems(state))
  const watch = watchMissing()
  for (const { seq } of entries) watch.see(seq)
  return {
    warning: missingText(watch.missing(options.head ?? null)),
    title: title.reduce(title.initial, entries).text ?? 'Untitled conversation',
    items: state.items
      .filter((item) => SHOWN.has(item.role) && (options.includesSetAside || visible.has(item)))
      .map((item) => ({ item, isSetAside: !visible.has(item) })),
  }
}

/** Who speaks in an item, in words. */
export function speakerOf({ role }: TranscriptItem): string {
  switch (role) {
    case 'user':
      return 'User'
    case 'assistant':
      return 'Assistant'
    case 'summary':
      return 'Summary'
    case 'accounting':
      return 'Accounting'
    case 'notice':
      return 'Notice'
    case 'error':
      return 'Error'
    case 'title':
    case 'title-request':
    case 'summary-request':
      return 'Request'
  }
}

/** What an item says besides its parts, in words: a state that is not complete, and facts of its role. */
export function remarksOf({ item, isSetAside }: ExportedItem): string[] {
  const { state, detail, role } = item
  return [
    ...(isSetAside ? ['set aside'] : []),
    ...(state === 'complete' ? [] : [state]),
    ...Object.entries(role === 'assistant' || role === 'user' ? {} : detail).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [`${name}: ${value}`] : [],
    ),
  ]
}

/** The usage of an item in words, or null where there is none. */
export function usageText({ usage }: TranscriptItem): string | null {
  if (!usage) return null
  const read = usage.inputTokens + usage.cacheReadTokens + usage.cacheCreation5mTokens + usage.cacheCreation1hTokens
  const cost = usage.costUsd === null ? 'price not known' : `${usage.costUsd.toFixed(6)} USD`
  return `${read} tokens read, ${usage.outputTokens} written${usage.measured ? '' : ' (estimated)'}, ${cost}`
}

/** A time as it is written in an export: ISO 8601 in UTC. */
export function timeText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
