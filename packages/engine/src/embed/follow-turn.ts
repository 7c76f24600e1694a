import {
  type DraftDelta,
  type Entry,
  type EntryLog,
  type EntryOf,
  entriesAfter,
  waitUntil,
} from '@holdfast/conversation'
import type { EnginePorts } from '../api/ports.ts'
import { LIMITS } from '../api/ports.ts'

/** How the turn of an input ended. */
export interface TurnEnd {
  readonly runId: string
  readonly outcome: EntryOf<'run-finished'>['outcome']
  readonly reason: string | null
  /** The words of the last answer. */
  readonly text: string
  /** What each request of the run used, in their order; failed ones too. */
  readonly usage: readonly EntryOf<'usage-recorded'>[]
}

/** Which turn, and who is told of it on the way. */
export interface FollowedTurn {
  readonly conversationId: string
  readonly inputId: string
  /** `seq` of the input's admission. */
  readonly admittedSeq: number
  /** Ends the following, and nothing else: the turn goes on. */
  readonly signal: AbortSignal
  /** `isOwn` says whether the entry belongs to the run that answers the input. */
  readonly onEntry?: (entry: Entry, isOwn: boolean) => void
  readonly onDelta?: (delta: DraftDelta) => void
}

const PAGE = 200

/**
 * Follows the turn that answers an input to its end, from the store; the bus only says when to look.
 *
 * @returns null when the input was removed, or the signal fired first.
 */
export async function followTurn(
  { store, bus, clock }: Pick<EnginePorts, 'bus' | 'clock'> & { readonly store: Pick<EntryLog, 'read'> },
  { conversationId, inputId, admittedSeq, signal, onEntry, onDelta }: FollowedTurn,
): Promise<TurnEnd | null> {
  const progress: Progress = { inputId, runId: null, text: '', usage: [], end: null, removed: false }
  let bell = new AbortController()
  const unsubscribe = bus.subscribe(conversationId, (message) => {
    if (message.type === 'delta') onDelta?.(message.delta)
    if (message.type === 'entries') bell.abort()
  })
  try {
    for (let cursor = admittedSeq; ; ) {
      if (signal.aborted) return null
      bell = new AbortController()
      for await (const { entries } of entriesAfter(store, { conversationId, after: cursor, pageEntries: PAGE })) {
        for (const entry of entries) {
          const isOwn = take(progress, entry)
          onEntry?.(entry, isOwn)
        }
        cursor = entries.at(-1)?.seq ?? cursor
        if (progress.removed) return null
        if (progress.end) return endOf(progress, progress.end)
        if (signal.aborted) return null
      }
      await waitUntil(clock, clock.now() + LIMITS.pollMs, AbortSignal.any([signal, bell.signal]))
    }
  } finally {
    unsubscribe()
  }
}

interface Progress {
  readonly inputId: string
  runId: string | null
  text: string
  readonly usage: EntryOf<'usage-recorded'>[]
  end: EntryOf<'run-finished'> | null
  removed: boolean
}

/** Whether the entry belongs to the run that answers. */
function take(progress: Progress, entry: Entry): boolean {
  if (entry.type === 'user-message-sent' && entry.inputId === progress.inputId) progress.runId = entry.runId
  if (entry.type === 'input-removed' && entry.inputId === progress.inputId) progress.removed = true
  if (!('runId' in entry) || entry.runId === undefined || entry.runId !== progress.runId) return false
  if (entry.type === 'step-finished') progress.text = wordsOf(entry)
  if (entry.type === 'usage-recorded') progress.usage.push(entry)
  if (entry.type === 'run-finished') progress.end = entry
  return true
}

function wordsOf({ blocks }: EntryOf<'step-finished'>): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n')
}

function endOf({ text, usage }: Progress, { runId, outcome, reason }: EntryOf<'run-finished'>): TurnEnd {
  return { runId, outcome, reason: reason ?? null, text, usage }
}
