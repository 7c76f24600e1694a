import { type Entry, type EntryOf, THINKING_OFF } from '@holdfast/conversation'
import { EXCERPTS_SMALLER } from '../size/smaller-excerpts.ts'
import { changesInstructions, isSent, THINKING_DROPPED } from './request-facts.ts'
import { isAnswering } from './sent-steps.ts'
import { WINDOW_LEARNT } from './window-learnt.ts'

/** Why the prefix of the next request may differ from the one before. */
export type BoundaryReason =
  | 'rewind'
  | 'branch'
  | 'model'
  | 'builder'
  | 'tools'
  | 'agent'
  | 'instructions'
  | 'parameters'
  | 'checkpoint'
  | 'checkpoint-undone'
  | 'window'
  | 'erasure'
  | 'thinking-dropped'
  | 'excerpts'
  | 'exclusion'

/**
 * From where on the bytes differ. Providers keep a prefix in the order tools, system text, messages, so `tools`
 * breaks all, and `path` only the messages after the place to which the path went back.
 */
export type BrokenFrom = 'tools' | 'system' | 'messages' | 'path'

/** A recorded place at which the prefix of the next request may change, and what that breaks. [REQ5] */
export interface Boundary {
  readonly seq: number
  readonly reason: BoundaryReason
  readonly brokenFrom: BrokenFrom
  /** With `path`: the last entry whose bytes stay. */
  readonly keptToSeq: number | null
}

/**
 * The boundaries among the entries of a log, whichever of them are on the path, oldest first. A change of the model,
 * or of whether tools may be called, is recorded by the first request with it; an erasure stands at the place of what
 * was erased.
 */
export function boundariesOf(entries: readonly Entry[]): Boundary[] {
  const boundaries: Boundary[] = []
  let step: EntryOf<'step-started'> | null = null
  let unthinkingRunId: string | null = null
  for (const entry of entries) {
    const boundary = boundaryAt(entry, step)
    if (boundary) boundaries.push(boundary)
    if (entry.type === 'notice-raised' && entry.code === THINKING_OFF && entry.model === undefined)
      unthinkingRunId = entry.runId ?? null
    // Thinking that is off for a run is on again for the next. [RUN13]
    if (entry.type === 'run-finished' && entry.runId === unthinkingRunId)
      boundaries.push({ seq: entry.seq, reason: 'parameters', brokenFrom: 'messages', keptToSeq: null })
    if (entry.type === 'step-started' && isAnswering(entry.purpose)) step = entry
  }
  return boundaries
}

/** The boundaries after one entry, up to and with another. */
export function boundariesBetween(
  boundaries: readonly Boundary[],
  { afterSeq, toSeq }: { readonly afterSeq: number; readonly toSeq: number },
): Boundary[] {
  return boundaries.filter(({ seq }) => seq > afterSeq && seq <= toSeq)
}

function boundaryAt(entry: Entry, before: EntryOf<'step-started'> | null): Boundary | null {
  const { seq } = entry
  const at = (reason: BoundaryReason, brokenFrom: BrokenFrom): Boundary => ({
    seq,
    reason,
    brokenFrom,
    keptToSeq: null,
  })
  switch (entry.type) {
    case 'path-rewound':
      return { ...at('rewind', 'path'), keptToSeq: entry.toSeq }
    case 'path-selected':
      return { ...at('branch', 'path'), keptToSeq: entry.headSeq }
    case 'tools-changed':
      return at('tools', 'tools')
    case 'agent-switched':
      return at('agent', 'tools')
    case 'settings-changed':
      if (changesInstructions(entry)) return at('instructions', 'system')
      return Object.hasOwn(entry.changes, 'parameters') ? at('parameters', 'messages') : null
    case 'checkpoint-made':
      return at('checkpoint', 'messages')
    case 'checkpoint-undone':
      return at('checkpoint-undone', 'messages')
    case 'exclusion-changed':
      return at('exclusion', 'messages')
    case 'window-moved':
      return at('window', 'messages')
    case 'body-erased':
      return isSent(entry.erasedType) ? at('erasure', 'messages') : null
    case 'notice-raised':
      if (entry.code === THINKING_OFF) return at('parameters', 'messages')
      if (entry.code === EXCERPTS_SMALLER) return at('excerpts', 'messages')
      if (entry.code === WINDOW_LEARNT) return at('window', 'messages')
      return entry.code === THINKING_DROPPED ? at('thinking-dropped', 'messages') : null
    case 'step-started':
      if (!before || !isAnswering(entry.purpose)) return null
      if (entry.providerId !== before.providerId || entry.modelId !== before.modelId) return at('model', 'tools')
      if (entry.builderVersion !== before.builderVersion) return at('builder', 'tools')
      return entry.toolChoice === before.toolChoice ? null : at('tools', 'messages')
    default:
      return null
  }
}
