import type { TranscriptItem, TranscriptUsage } from '@holdfast/conversation'

/** What a checkpoint made of the requests, and what it cost. */
export interface CheckpointFigures {
  /** Tokens of the last request before it, with its answer; null where none was measured. */
  readonly beforeTokens: number | null
  /** Tokens of the first request after it; null before there is one. */
  readonly afterTokens: number | null
  /** The requests for the summary; none of one that a person wrote. */
  readonly usages: readonly TranscriptUsage[]
}

/** The figures of the checkpoint at a place among the items of the path. [CHK7] */
export function checkpointFigures(items: readonly TranscriptItem[], seq: number): CheckpointFigures {
  const before = items.findLast((item) => item.seq < seq && isAnswer(item))
  const after = items.find((item) => item.seq > seq && isAnswer(item))
  const since = items.findLast((item) => item.seq < seq && item.role === 'summary')?.seq ?? 0
  const asked = items.filter((item) => item.role === 'summary-request' && item.seq > since && item.seq < seq)
  return {
    beforeTokens: before?.usage ? sentTokens(before.usage) + before.usage.outputTokens : null,
    afterTokens: after?.usage ? sentTokens(after.usage) : null,
    usages: asked.flatMap(({ usage }) => usage ?? []),
  }
}

function isAnswer({ role, usage }: TranscriptItem): boolean {
  return role === 'assistant' && usage !== null
}

function sentTokens(usage: TranscriptUsage): number {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = usage
  return inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens
}
