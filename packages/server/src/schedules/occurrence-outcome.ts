import { BEYOND_ALL_LOGS, type Entry, type EntryLog, type EntryOf, entriesBefore } from '@holdfast/conversation'
import { exactPattern, readToolInput } from '@holdfast/tool'
import { because } from './because.ts'
import type { Occurrence } from './schedule-record.ts'

/** What became of the run of an occurrence. */
export interface OccurrenceOutcome extends Pick<Occurrence, 'reason' | 'why' | 'costUsd' | 'denied'> {
  readonly state: Exclude<Occurrence['state'], 'started' | 'missed' | 'set-back'>
  /** Whether the schedule itself failed by it, and is paused when that happens again and again. */
  readonly isFailure: boolean
}

const PAGE = 200

/** Reads from the log what became of an input that a schedule admitted; null while it waits or runs. [SCHED10] */
export async function outcomeOf(
  log: Pick<EntryLog, 'read'>,
  { conversationId, inputId }: { readonly conversationId: string; readonly inputId: string },
): Promise<OccurrenceOutcome | null> {
  const pages: (readonly Entry[])[] = []
  let isFound = false
  let isThere = false
  for await (const { entries, head } of entriesBefore(log, {
    conversationId,
    before: BEYOND_ALL_LOGS,
    pageEntries: PAGE,
  })) {
    isThere ||= head > 0
    const from = entries.findLastIndex((entry) => entry.type === 'input-admitted' && entry.inputId === inputId)
    pages.push(entries.slice(Math.max(0, from)))
    isFound = from >= 0
    if (isFound) break
  }
  if (!isThere || !isFound)
    return {
      state: 'failed',
      ...because({ code: 'conversation-deleted' }),
      costUsd: null,
      denied: [],
      isFailure: false,
    }
  return outcomeIn(pages.reverse().flat(), inputId)
}

/** What became of an occurrence, from the entries since its admission; null while it goes on. */
function outcomeIn(entries: readonly Entry[], inputId: string): OccurrenceOutcome | null {
  const sent = entries.find(
    (entry): entry is EntryOf<'user-message-sent'> => entry.type === 'user-message-sent' && entry.inputId === inputId,
  )
  if (!sent) {
    const isRemoved = entries.some((entry) => entry.type === 'input-removed' && entry.inputId === inputId)
    const told = because({ code: 'taken-out-of-queue' })
    return isRemoved ? { state: 'skipped', ...told, costUsd: null, denied: [], isFailure: false } : null
  }
  const { runId } = sent
  const ended = entries.find(
    (entry): entry is EntryOf<'run-finished'> => entry.type === 'run-finished' && entry.runId === runId,
  )
  if (!ended) return null
  const calls = new Map<string, Extract<EntryOf<'step-finished'>['blocks'][number], { type: 'tool-call' }>>()
  const denied = new Map<string, Occurrence['denied'][number]>()
  let costUsd = 0
  let isPriced = true
  for (const entry of entries) {
    if (entry.type === 'usage-recorded' && entry.runId === runId) {
      costUsd += entry.costUsd ?? 0
      isPriced &&= entry.costUsd !== null
    }
    if (entry.type === 'step-finished' && entry.runId === runId)
      for (const block of entry.blocks) if (block.type === 'tool-call') calls.set(block.callId, block)
    if (entry.type === 'tool-call-settled' && entry.runId === runId) {
      costUsd += entry.childTotals?.costUsd ?? 0
      if (entry.outcome === 'denied') {
        const block = calls.get(entry.callId)
        const read = block && readToolInput(block)
        const pattern = read?.type === 'read' ? exactPattern({ name: entry.name, input: read.input }) : ''
        denied.set(`${entry.name} ${pattern}`, { tool: entry.name, pattern })
      }
    }
  }
  const known = { costUsd: isPriced || costUsd > 0 ? costUsd : null, denied: [...denied.values()] }
  const end = endOf(ended, [...new Set([...denied.values()].map(({ tool }) => tool))])
  const admitted = entries.find(
    (entry): entry is EntryOf<'input-admitted'> => entry.type === 'input-admitted' && entry.inputId === inputId,
  )
  const period = admitted?.schedule?.budget?.period ?? 'run'
  // A day that has spent its share is no fault of the schedule: the next has another. [SCHED35]
  const isWaiting = ended.limit === 'schedule-budget' && period !== 'run'
  return { ...known, ...end, isFailure: end.isFailure && !isWaiting }
}

function endOf(
  { outcome, reason }: EntryOf<'run-finished'>,
  denied: readonly string[],
): Pick<OccurrenceOutcome, 'state' | 'reason' | 'why' | 'isFailure'> {
  switch (outcome) {
    case 'completed':
      if (denied.length === 0) return { state: 'succeeded', reason: null, isFailure: false }
      return { state: 'denied', ...because({ code: 'nobody-there', tools: denied.slice() }), isFailure: false }
    case 'failed':
    case 'limit':
      return { state: 'failed', reason: reason ?? 'It failed', isFailure: true }
    case 'stopped':
      return {
        state: 'stopped',
        ...(reason === undefined ? because({ code: 'stopped' }) : { reason }),
        isFailure: false,
      }
    case 'interrupted':
      return {
        state: 'failed',
        ...(reason === undefined ? because({ code: 'server-ended' }) : { reason }),
        isFailure: false,
      }
  }
}
