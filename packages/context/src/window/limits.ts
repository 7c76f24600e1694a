import { DUE_OF_THE_REST, SETTINGS, type SettingProblem, type Settings, SUMMARY_SHARE } from '@holdfast/conversation'

/** How much of a model's window may be used for what: settings, with what they come to for one model. [WIN1] */
export interface ContextLimits {
  readonly windowTokens: number
  readonly reservedOutputTokens: number
  /** Share of the window at which a checkpoint is made by itself. */
  readonly checkpointShare: number
  /** Tokens at which one is made at the latest, however large the window is. [CHK5] */
  readonly checkpointMostTokens: number
  /** Exchanges and share of the window that a checkpoint keeps as they are. */
  readonly keptExchanges: number
  readonly keptShare: number
  /** Share of the budget for what people wrote in the covered part, word for word. [CHK4] */
  readonly carriedShare: number
  /** Tokens of a summary. */
  readonly summaryTokens: number
}

/** Characters of one item that a request holds at most: no setting allows more. [WIN3] */
const ITEM_LIMIT_CHARS = SETTINGS.toolOutputChars.most

/** One item takes at most this share of the window, at 2.5 characters a token. [WIN3] */
const ITEM_SHARE = 0.2

/** What settings come to for a window and what is kept of it for the answer. */
export function contextLimits(
  settings: Settings,
  { windowTokens, reservedOutputTokens }: Pick<ContextLimits, 'windowTokens' | 'reservedOutputTokens'>,
): ContextLimits {
  const { checkpointShare, checkpointMostTokens, keptExchanges, keptShare, carriedShare } = settings
  return {
    windowTokens,
    reservedOutputTokens,
    checkpointShare,
    checkpointMostTokens,
    keptExchanges,
    keptShare,
    carriedShare,
    summaryTokens: Math.min(settings.summaryTokens, Math.floor(windowTokens * SUMMARY_SHARE)),
  }
}

/** Tokens at which a checkpoint is due: min(share x window, 0.9 x (window - reserved output), the most). [WIN1, CHK5] */
export function checkpointDueTokens(limits: ContextLimits): number {
  const { windowTokens, reservedOutputTokens, checkpointShare, checkpointMostTokens } = limits
  const due = Math.min(checkpointShare * windowTokens, DUE_OF_THE_REST * (windowTokens - reservedOutputTokens))
  return Math.floor(Math.min(due, checkpointMostTokens))
}

/** What shares are taken of: the window, or as much of it as is used where a checkpoint is due before. [CHK4, CHK5] */
export function sharedTokens({ windowTokens, checkpointShare, checkpointMostTokens }: ContextLimits): number {
  return Math.min(windowTokens, Math.floor(checkpointMostTokens / checkpointShare))
}

/** Characters of one text above which an excerpt is sent. [WIN3] */
export function itemLimitChars(windowTokens: number | null): number {
  if (windowTokens === null) return ITEM_LIMIT_CHARS
  return Math.max(1_000, Math.min(ITEM_LIMIT_CHARS, Math.floor(windowTokens * ITEM_SHARE * 2.5)))
}

/** What is wrong with limits, whichever setting is to blame. */
export type LimitProblem = Omit<SettingProblem, 'keys'>

/**
 * What is wrong with limits for one model, in words for whoever set them; empty when they work together. What is wrong
 * whatever the model says `settingProblems`. [WIN1, WIN10]
 */
export function limitProblems(limits: ContextLimits): readonly LimitProblem[] {
  const { windowTokens, reservedOutputTokens, keptShare, carriedShare, summaryTokens } = limits
  if (reservedOutputTokens >= windowTokens)
    return [
      {
        code: 'answer-fills-window',
        value: reservedOutputTokens,
        limit: windowTokens,
        text: `${reservedOutputTokens} tokens kept for the answer leave nothing of a window of ${windowTokens}; set a shorter answer`,
      },
    ]
  const shared = sharedTokens(limits)
  const carriedTokens = carriedShare * Math.min(shared, windowTokens - reservedOutputTokens)
  const afterTokens = Math.ceil(keptShare * shared + carriedTokens + summaryTokens)
  const dueTokens = checkpointDueTokens(limits)
  if (afterTokens < dueTokens) return []
  return [
    {
      code: 'summary-over-window',
      value: afterTokens,
      limit: dueTokens,
      text: `A summary leaves up to ${afterTokens} tokens and is due at ${dueTokens}: it would never make room; keep or carry less, or make it later`,
    },
  ]
}
