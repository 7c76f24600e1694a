import type { TranscriptUsage } from '@holdfast/conversation'
import { shortCount, timeOfDay } from './format.ts'

/** What a turn used, added up over its requests. */
export interface TurnFigures {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  /** Null when a price is not known. */
  readonly costUsd: number | null
  readonly measured: boolean
}

/** Adds up the requests of a turn; null when nothing is known yet. */
export function figuresOf(usages: readonly TranscriptUsage[]): TurnFigures | null {
  if (usages.length === 0) return null
  const sum = (of: (usage: TranscriptUsage) => number) => usages.reduce((total, usage) => total + of(usage), 0)
  return {
    inputTokens: sum((usage) => usage.inputTokens + usage.cacheReadTokens + cacheCreation(usage)),
    outputTokens: sum((usage) => usage.outputTokens),
    cachedTokens: sum((usage) => usage.cacheReadTokens),
    costUsd: usages.some(({ costUsd }) => costUsd === null) ? null : sum((usage) => usage.costUsd ?? 0),
    measured: usages.every(({ measured }) => measured),
  }
}

/** The accounts of a passage, beside it: time, in and out, cache, cost. */
export function LedgerMargin(props: {
  readonly at: number
  readonly figures: TurnFigures | null
  readonly isDemo: boolean
}) {
  return (
    <div className="ledger">
      <time className="time" dateTime={new Date(props.at).toISOString()}>
        {timeOfDay(props.at)}
      </time>
      {props.figures && linesOf(props.figures, props.isDemo).map((line) => <span key={line}>{line}</span>)}
    </div>
  )
}

/** The same in one line, where there is no margin. */
export function LedgerLine(props: {
  readonly at: number
  readonly figures: TurnFigures | null
  readonly isDemo: boolean
}) {
  const lines = props.figures ? linesOf(props.figures, props.isDemo) : []
  return <p className="under-reply">{[timeOfDay(props.at), ...lines].join(' · ')}</p>
}

function linesOf(
  { inputTokens, outputTokens, cachedTokens, costUsd, measured }: TurnFigures,
  isDemo: boolean,
): string[] {
  const about = measured ? '' : '≈ '
  return [
    `${about}${shortCount(inputTokens)}→${shortCount(outputTokens)}`,
    ...(cachedTokens > 0 ? [`c ${Math.round((cachedTokens / inputTokens) * 100)} %`] : []),
    isDemo ? 'demo' : costText(costUsd, about),
  ]
}

function costText(costUsd: number | null, about: string): string {
  if (costUsd === null) return 'cost ?'
  return `${about}$${costUsd < 0.1 ? costUsd.toFixed(3) : costUsd.toFixed(2)}`
}

function cacheCreation({ cacheCreation5mTokens, cacheCreation1hTokens }: TranscriptUsage): number {
  return cacheCreation5mTokens + cacheCreation1hTokens
}
