import type { TranscriptUsage } from '@holdfast/conversation'
import { Fragment } from 'react'
import { AgentMark } from '../agents/agent-mark.tsx'
import type { AnsweringAgent } from '../agents/answering-agent.ts'
import { type Cost, costOf, costText, costTitle } from '../shared/cost-words.ts'
import { shortCount, timeOfDay } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'

/** What a turn used, added up over its requests. */
export interface TurnFigures {
  /** All that was read, from the cache too. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly cost: Cost
  readonly measured: boolean
}

/** Adds up the requests of a turn; null when nothing is known yet. */
export function figuresOf(usages: readonly TranscriptUsage[]): TurnFigures | null {
  // A piece of an external agent's prompt counts nothing: the whole is counted at its end. [AGENT13]
  if (usages.every((usage) => usage.inputTokens + usage.outputTokens + usage.cacheReadTokens === 0)) return null
  const sum = (of: (usage: TranscriptUsage) => number) => usages.reduce((total, usage) => total + of(usage), 0)
  return {
    inputTokens: sum((usage) => usage.inputTokens + usage.cacheReadTokens + cacheCreation(usage)),
    outputTokens: sum((usage) => usage.outputTokens),
    cachedTokens: sum((usage) => usage.cacheReadTokens),
    cost: costOf(usages),
    measured: usages.every(({ measured }) => measured),
  }
}

interface LedgerMarginProps {
  readonly at: number
  readonly figures: TurnFigures | null
  /** Who answered, where it has a name. */
  readonly agent: AnsweringAgent | null
}

/** The accounts of a passage, beside it: who answered, time, in and out, cache, cost. */
export function LedgerMargin({ at, figures, agent }: LedgerMarginProps) {
  return (
    <div className="ledger">
      {agent && <AgentMark agentId={agent.agentId} name={agent.name} avatar={agent.avatar ?? null} />}
      <time className="time" dateTime={new Date(at).toISOString()}>
        {timeOfDay(at)}
      </time>
      {figures &&
        linesOf(figures).map(({ text, title }) => (
          <span key={text} title={title}>
            {text}
          </span>
        ))}
    </div>
  )
}

/** The accounts of a passage in one line, where there is no margin. */
export function LedgerLine({ at, figures, agent }: LedgerMarginProps) {
  const lines = figures ? linesOf(figures).map(({ text }) => text) : []
  return (
    <p className="under-reply">
      {[...(agent ? [agent.name] : []), timeOfDay(at), ...lines].map((text, index) => (
        <Fragment key={text}>
          {index > 0 && ' · '}
          <bdi>{text}</bdi>
        </Fragment>
      ))}
    </p>
  )
}

function linesOf({ inputTokens, outputTokens, cachedTokens, cost, measured }: TurnFigures) {
  const about = measured ? '' : '≈ '
  const cached = Math.round((cachedTokens / inputTokens) * 100)
  return [
    {
      // Between the two a long figure goes on in the next line, and stays beside the rule.
      text: `${about}${shortCount(inputTokens)}→\u200b${shortCount(outputTokens)}`,
      title: say(measured ? 'message.measured' : 'message.estimated', { input: inputTokens, output: outputTokens }),
    },
    ...(cachedTokens > 0
      ? [
          {
            text: say('inspector.cache-share', { percent: cached }),
            title: say('message.tokens-read-from-cache', { count: cachedTokens }),
          },
        ]
      : []),
    { text: costText(cost), title: costTitle(cost) },
  ]
}

function cacheCreation({ cacheCreation5mTokens, cacheCreation1hTokens }: TranscriptUsage): number {
  return cacheCreation5mTokens + cacheCreation1hTokens
}
