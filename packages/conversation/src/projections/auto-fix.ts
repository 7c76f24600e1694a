import type { AutoFixOutcome } from '../entries/auto-fix-entries.ts'
import type { Entry, EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** Auto-fix of a conversation. [WS4] */
export interface AutoFix {
  readonly isOn: boolean
  /** The preview whose errors it mends; null before it was ever switched. */
  readonly previewId: string | null
  readonly capUsd: number
  readonly onSince: number
  /** Attempts since a person wrote last. */
  readonly attempts: number
  readonly costUsd: number
  readonly last: AutoFixAttempt | null
  /** Why it does no more until a person writes; null while it may. */
  readonly ended: { readonly outcome: AutoFixOutcome; readonly attempts: number; readonly costUsd: number } | null
  /** The run that began last. */
  readonly run: { readonly runId: string; readonly at: number } | null
  /**
   * When the run began that changed files last, or when a person did; null before. What came first since then is its doing: a
   * page shows what was written before the entry about it is there.
   */
  readonly editSince: number | null
}

/** One attempt. */
export interface AutoFixAttempt {
  readonly inputId: string
  readonly at: number
  readonly signatures: readonly string[]
  readonly distinctCount: number
  readonly runId: string | null
  /** When its run ended; null before. */
  readonly endAt: number | null
  /** What became of it is known. */
  readonly isJudged: boolean
}

/** The state of auto-fix, of entries alone: no restart gives it another attempt. */
export const autoFix: Projection<AutoFix> = {
  name: 'auto-fix',
  version: 1,
  initial: {
    isOn: false,
    previewId: null,
    capUsd: 0,
    onSince: 0,
    attempts: 0,
    costUsd: 0,
    last: null,
    ended: null,
    run: null,
    editSince: null,
  },
  reduce(state, entries) {
    let next = state
    for (const entry of entries) next = withEntry(next, entry)
    return next
  },
}

function withEntry(state: AutoFix, entry: Entry): AutoFix {
  switch (entry.type) {
    case 'auto-fix-changed':
      return changed(state, entry)
    case 'run-started':
      return { ...state, run: { runId: entry.runId, at: entry.at } }
    case 'files-changed':
      return edited(state, entry)
    case 'input-admitted':
      return entry.origin === 'preview' || state.previewId === null ? state : renewed(state)
    case 'user-message-sent':
      return state.last?.inputId === entry.inputId ? { ...state, last: { ...state.last, runId: entry.runId } } : state
    case 'usage-recorded':
      return isOwn(state, entry.runId) ? { ...state, costUsd: state.costUsd + (entry.costUsd ?? 0) } : state
    case 'input-removed':
      return state.last?.inputId === entry.inputId ? ended(state, 'stopped') : state
    case 'stop-requested':
      return isOwn(state, entry.runId) ? ended(state, 'stopped') : state
    case 'run-finished': {
      if (state.last === null || !isOwn(state, entry.runId)) return state
      const over = { ...state, last: { ...state.last, endAt: entry.at } }
      if (entry.outcome === 'limit') return ended(over, 'budget')
      return entry.outcome === 'failed' ? ended(over, 'failed') : over
    }
    default:
      return state
  }
}

function edited(state: AutoFix, { runId, at }: EntryOf<'files-changed'>): AutoFix {
  const isOfRun = runId !== undefined && state.run?.runId === runId
  return { ...state, editSince: isOfRun && state.run ? state.run.at : at }
}

function isOwn({ last }: AutoFix, runId: string | undefined): boolean {
  return last !== null && last.runId !== null && last.runId === runId
}

/** What a person writes gives it its attempts again. */
function renewed(state: AutoFix): AutoFix {
  return { ...state, attempts: 0, costUsd: 0, last: null, ended: null }
}

function ended(state: AutoFix, outcome: AutoFixOutcome): AutoFix {
  if (state.ended !== null) return state
  return { ...state, ended: { outcome, attempts: state.attempts, costUsd: state.costUsd } }
}

function changed(state: AutoFix, { at, previewId, change }: EntryOf<'auto-fix-changed'>): AutoFix {
  switch (change.type) {
    case 'switched': {
      const switched = { ...state, isOn: change.isOn, previewId, capUsd: change.capUsd }
      // Switching is no message: what was spent and tried since the last one stays.
      return change.isOn ? { ...switched, onSince: at, ended: null } : switched
    }
    case 'attempted': {
      const { attempt, inputId, signatures, distinctCount } = change
      const last = { inputId, at, signatures, distinctCount, runId: null, endAt: null, isJudged: false }
      return { ...state, attempts: attempt, last, ended: null }
    }
    case 'ended': {
      const { outcome, attempts, costUsd } = change
      const last = state.last === null ? null : { ...state.last, isJudged: true }
      return { ...state, last, ended: { outcome, attempts, costUsd } }
    }
  }
}
