/** How much of a model's window may be used for what. Each is a setting; they are checked together. [WIN1] */
export interface ContextLimits {
  readonly windowTokens: number
  readonly reservedOutputTokens: number
  /** Share of the window at which a checkpoint is made by itself. */
  readonly checkpointShare: number
  /** Exchanges and share of the window that a checkpoint keeps as they are. */
  readonly keptExchanges: number
  readonly keptShare: number
  /** Share of the budget for what people wrote in the covered part, word for word. [CHK4] */
  readonly carriedShare: number
  /** Tokens of a summary. */
  readonly summaryTokens: number
}

/** The defaults of the specification. [DEFAULTS] */
export const DEFAULT_SHARES = {
  checkpointShare: 0.75,
  keptExchanges: 2,
  keptShare: 0.2,
  carriedShare: 0.15,
  summaryTokens: 4_000,
} as const

/** Characters of tool output in a request. [DEFAULTS] */
const ITEM_LIMIT_CHARS = 50_000

/** One item takes at most this share of the window, at 2.5 characters a token. [WIN3] */
const ITEM_SHARE = 0.2

/** Tokens at which a checkpoint is due: min(share x window, 0.9 x (window - reserved output)). [WIN1] */
export function checkpointDueTokens({ windowTokens, reservedOutputTokens, checkpointShare }: ContextLimits): number {
  return Math.floor(Math.min(checkpointShare * windowTokens, 0.9 * (windowTokens - reservedOutputTokens)))
}

/** Characters of one text above which an excerpt is sent. [WIN3] */
export function itemLimitChars(windowTokens: number | null): number {
  if (windowTokens === null) return ITEM_LIMIT_CHARS
  return Math.max(1_000, Math.min(ITEM_LIMIT_CHARS, Math.floor(windowTokens * ITEM_SHARE * 2.5)))
}

/** What is wrong with limits, in words for whoever set them; empty when they work together. [WIN1] */
export function limitProblems(limits: ContextLimits): string[] {
  const { windowTokens, reservedOutputTokens, checkpointShare, keptExchanges, keptShare, carriedShare, summaryTokens } =
    limits
  const problems: string[] = []
  const check = (isFine: boolean, problem: string): void => {
    if (!isFine) problems.push(problem)
  }
  check(windowTokens > 0, `A window of ${windowTokens} tokens holds nothing; set the model's window`)
  check(reservedOutputTokens >= 0, `${reservedOutputTokens} tokens cannot be reserved for the answer`)
  check(
    reservedOutputTokens < windowTokens,
    `${reservedOutputTokens} tokens reserved for the answer leave nothing of a window of ${windowTokens}; reserve less`,
  )
  check(
    checkpointShare > 0 && checkpointShare <= 1,
    `A checkpoint at ${checkpointShare} of the window is not between 0 and 1`,
  )
  check(Number.isInteger(keptExchanges) && keptExchanges >= 0, `${keptExchanges} is not a number of exchanges to keep`)
  check(keptShare >= 0 && keptShare < 1, `Keeping ${keptShare} of the window is not between 0 and 1`)
  check(carriedShare >= 0 && carriedShare < 1, `Carrying over ${carriedShare} of the budget is not between 0 and 1`)
  check(summaryTokens > 0, `A summary of ${summaryTokens} tokens says nothing`)
  const afterTokens = keptShare * windowTokens + carriedShare * (windowTokens - reservedOutputTokens) + summaryTokens
  const dueTokens = checkpointDueTokens(limits)
  check(
    afterTokens < dueTokens,
    `A checkpoint leaves up to ${Math.ceil(afterTokens)} tokens and is due at ${dueTokens}: it would never make room; keep or carry less, or make it later`,
  )
  return problems
}
