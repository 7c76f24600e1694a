import {
  type CheckpointSource,
  contextLimits,
  DECISION_MARGIN,
  isCheckpointDue,
  summaryExcess,
  windowBudget,
} from '@holdfast/context'
import { type Entry, isInRanges, type Overview, pathRanges } from '@holdfast/conversation'
import type { TurnRequest } from '../turn-request.ts'

/** A window that is assumed where none is known, for a checkpoint that a person asks for. */
const ASSUMED_WINDOW = { windowTokens: 32_000, reservedOutputTokens: 8_000 } as const

/** What room is planned from. */
export function roomSource(at: TurnRequest): CheckpointSource {
  const { composed, path, model, ratio, tokens, pinned, composedFrom } = at
  const limits = at.limits ?? contextLimits(at.settings, ASSUMED_WINDOW)
  return {
    composed,
    limits,
    ratio,
    entries: path.entries,
    carried: [...pinned, ...path.carried],
    modelId: model.modelId,
    margin: tokens.decisionTokens > tokens.usedTokens ? DECISION_MARGIN : 1,
    itemLimitChars: at.itemLimitChars,
    pinnedSeqs: pinsOnPath(composedFrom),
  }
}

function pinsOnPath({ pins, path }: Overview): readonly number[] {
  const ranges = pathRanges(path)
  return pins.filter((seq) => isInRanges(ranges, seq))
}

/** Whether a checkpoint is made before this request. [CHK5] */
export function isSummaryDue(at: TurnRequest): boolean {
  return at.limits !== null && isDue(at, roomSource(at))
}

/** Whether a checkpoint is due, from what room is planned from. */
export function isDue({ tokens, path }: TurnRequest, source: CheckpointSource): boolean {
  return isCheckpointDue({
    limits: source.limits,
    decisionTokens: tokens.decisionTokens,
    excessTokens: summaryExcess(source),
    budgetTokens: windowBudget(source).budgetTokens,
    afterLastTokens: afterLastCheckpoint(path.entries, tokens.decisionTokens),
  })
}

/** What the first request after the last checkpoint held, measured or else estimated; null where there is none. */
function afterLastCheckpoint(entries: readonly Entry[], nowTokens: number): number | null {
  const last = entries.findLastIndex(({ type }) => type === 'checkpoint-made')
  if (last < 0) return null
  let estimated: number | null = null
  for (const entry of entries.slice(last)) {
    if (entry.type === 'step-started' && entry.purpose === 'turn') estimated ??= entry.estimatedInputTokens ?? null
    if (entry.type !== 'usage-recorded' || entry.purpose !== 'turn' || !entry.measured) continue
    const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = entry
    return inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens
  }
  return estimated ?? nowTokens
}
