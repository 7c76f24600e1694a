import type { TranscriptItem } from '@holdfast/conversation'

/** What the requests of one turn read, in tokens. */
export interface CacheTurn {
  readonly runId: string
  /** Its first item, and when that was written. */
  readonly seq: number
  readonly at: number
  readonly promptTokens: number
  readonly cachedTokens: number
}

/** As many bars as the section has room for. */
const MOST = 24

/** The newest turns whose provider said what it read, oldest first; requests beside the conversation are not among them. */
export function cacheTurns(items: readonly TranscriptItem[]): readonly CacheTurn[] {
  const turns = new Map<string, CacheTurn>()
  for (const { runId, role, seq, at, usage } of items) {
    if (runId === null || usage === null || role !== 'assistant' || !usage.measured) continue
    const known = turns.get(runId) ?? { runId, seq, at, promptTokens: 0, cachedTokens: 0 }
    const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = usage
    turns.set(runId, {
      ...known,
      promptTokens: known.promptTokens + inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens,
      cachedTokens: known.cachedTokens + cacheReadTokens,
    })
  }
  return [...turns.values()].filter(({ promptTokens }) => promptTokens > 0).slice(-MOST)
}

/** How much of what a turn read came from the cache, in whole percent. */
export function cachedPercent({
  promptTokens,
  cachedTokens,
}: Pick<CacheTurn, 'promptTokens' | 'cachedTokens'>): number {
  return Math.round((cachedTokens / promptTokens) * 100)
}
