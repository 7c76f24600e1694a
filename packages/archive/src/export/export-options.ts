import type { ErasedItem, TranscriptItem, TranscriptItemOf } from '@holdfast/conversation'

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
export function remarksOf({
  item,
  isSetAside,
}: {
  readonly item: TranscriptItem
  readonly isSetAside: boolean
}): string[] {
  return [
    ...(isSetAside ? ['set aside'] : []),
    ...(item.state === 'complete' ? [] : [item.state]),
    ...factsOf(item).map(([name, value]) => `${name}: ${value}`),
  ]
}

type Fact = readonly [name: string, value: string | number]

function factsOf(item: TranscriptItem): readonly Fact[] {
  switch (item.role) {
    case 'user':
    case 'assistant':
    case 'title-request':
    case 'summary-request':
      return []
    case 'title':
      return item.state === 'erased' ? erasureFacts(item) : [['source', item.source]]
    case 'summary':
      return item.state === 'erased' ? erasureFacts(item) : summaryFacts(item)
    case 'accounting':
      return accountingFacts(item)
    case 'notice':
      return item.state === 'erased' ? erasureFacts(item) : noticeFacts(item)
    case 'error':
      return item.state === 'erased' ? erasureFacts(item) : errorFacts(item)
  }
}

function erasureFacts({ erasure }: ErasedItem): readonly Fact[] {
  return [
    ['reason', erasure.reason],
    ['erasedAt', erasure.erasedAt],
  ]
}

function summaryFacts(item: TranscriptItemOf<'summary'>): readonly Fact[] {
  return [
    ['source', item.source],
    ['keptFromSeq', item.keptFromSeq],
    ['coversFromSeq', item.coversFromSeq],
    ['coversToSeq', item.coversToSeq],
  ]
}

function accountingFacts(item: TranscriptItemOf<'accounting'>): readonly Fact[] {
  switch (item.code) {
    case 'path-rewound':
      return [
        ['reason', item.accounting.reason],
        ['setAsideCount', item.accounting.setAsideCount],
      ]
    case 'conversation-archived':
      return [['reason', item.accounting.reason]]
  }
}

function noticeFacts(item: TranscriptItemOf<'notice'>): readonly Fact[] {
  switch (item.code) {
    case 'notice-raised':
      return [
        ['code', item.raised.code],
        ['severity', item.raised.severity],
      ]
    case 'checkpoint-undone':
      return [
        ['code', item.code],
        ['checkpointSeq', item.checkpointSeq],
      ]
    case 'window-moved':
      return [
        ['code', item.code],
        ['startSeq', item.startSeq],
        ['leftOutCount', item.leftOutCount],
      ]
    case 'agent-switched':
      return [['code', item.code]]
    case 'files-restored':
      return [
        ['code', item.code],
        ['conflictCount', item.conflictCount],
      ]
  }
}

function errorFacts({ code, attempt, retryAt }: TranscriptItemOf<'error'>): readonly Fact[] {
  return [['code', code], ['attempt', attempt], ...(retryAt === null ? [] : [['retryAt', retryAt] as const])]
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
