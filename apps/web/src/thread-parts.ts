import type { ThreadWindow } from '@holdfast/client'
import type { OpenRun, RunState, TranscriptItem, TranscriptPart } from '@holdfast/conversation'

/** One input and everything that answers it. */
export interface TurnPart {
  readonly type: 'turn'
  readonly runId: string
  readonly items: readonly TranscriptItem[]
}

/** Something between turns. */
export interface LinePart {
  readonly type: 'line'
  readonly item: TranscriptItem
}

/** What the thread is made of. */
export type ThreadPart = TurnPart | LinePart

/** What a turn is doing, or how it ended. */
export type TurnState =
  | 'submitting'
  | 'streaming'
  | 'tool_running'
  | 'waiting_permission'
  | 'waiting_retry'
  | 'stopping'
  | 'completed'
  | 'stopped'
  | 'interrupted'
  | 'limit'
  | 'error'

/** The thread, oldest first. Titles and the requests for them are not part of it. */
export function threadParts(items: readonly TranscriptItem[]): readonly ThreadPart[] {
  const parts: ThreadPart[] = []
  let ofTurn: TranscriptItem[] = []
  for (const item of items) {
    if (isOfTurn(item)) {
      if (ofTurn[0]?.runId !== item.runId) {
        ofTurn = []
        parts.push({ type: 'turn', runId: item.runId, items: ofTurn })
      }
      ofTurn.push(item)
    } else if (isLine(item)) {
      parts.push({ type: 'line', item })
    }
  }
  return parts
}

/** The state of a turn; `open` is its run while it has not ended. */
export function turnState(turn: TurnPart, open: OpenRun | null, lastTurn: RunState['lastTurn']): TurnState {
  if (open) return phaseState(open.phase)
  if (lastTurn?.runId === turn.runId) return outcomeState(lastTurn.outcome)
  const last = turn.items.at(-1)
  if (last?.role === 'error') return 'error'
  switch (last?.state) {
    case 'stopped':
    case 'interrupted':
      return last.state
    case 'failed':
    case 'ended-early':
      return 'error'
    case 'complete':
    case 'erased':
    case undefined:
      return 'completed'
  }
}

/** The words of a message, without what is not words. */
export function wordsOf(parts: readonly TranscriptPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/** What a conversation without a title is called: how its first message begins, once that is here. */
export function firstWords({ items, firstSeq }: ThreadWindow): string | null {
  if (firstSeq > 1) return null
  const first = items.find(({ role }) => role === 'user')
  const words = first ? wordsOf(first.parts).trim().replace(/\s+/g, ' ') : ''
  if (words === '') return null
  return words.length > 60 ? `${words.slice(0, 59).trimEnd()}…` : words
}

function isOfTurn(item: TranscriptItem): item is TranscriptItem & { runId: string } {
  return item.runId !== null && (item.role === 'user' || item.role === 'assistant' || item.role === 'error')
}

function isLine({ role }: TranscriptItem): boolean {
  return role === 'notice' || role === 'accounting' || role === 'summary'
}

function phaseState(phase: OpenRun['phase']): TurnState {
  switch (phase) {
    case 'starting':
      return 'submitting'
    case 'waiting-to-retry':
      return 'waiting_retry'
    case 'streaming':
      return 'streaming'
    case 'running-tools':
      return 'tool_running'
    case 'waiting-for-permission':
      return 'waiting_permission'
    case 'stopping':
      return 'stopping'
  }
}

function outcomeState(outcome: NonNullable<RunState['lastTurn']>['outcome']): TurnState {
  switch (outcome) {
    case 'completed':
    case 'stopped':
    case 'interrupted':
    case 'limit':
      return outcome
    case 'failed':
      return 'error'
  }
}
