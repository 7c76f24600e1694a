import { type Entry, type EntryOf, type EntryType, exclusions, type Projection } from '@holdfast/conversation'
import { EXCERPTS_SMALLER } from '../size/smaller-excerpts.ts'
import { WINDOW_LEARNT } from './window-learnt.ts'

/** Code of the notice that says: thinking made so far is no longer sent, because the provider refused it. [REQ4, RUN13] */
export const THINKING_DROPPED = 'thinking-dropped'

/** What a request needs to know of the whole log, whichever part of it is on the path. */
export interface RequestFacts {
  /** Thinking of steps that began before this entry is bound to bytes that are no longer sent; 0 for none. [REQ4] */
  readonly unboundBeforeSeq: number
  /** Thinking of steps that began before this entry is not sent even if it is bound to nothing: it was refused, or another agent's; 0 for none. [REQ4] */
  readonly droppedBeforeSeq: number
  /** Results that stand before this entry are sent in smaller excerpts; 0 for none. [CHK8] */
  readonly smallerBeforeSeq: number
  /** Tools, instructions or the agent changed here last: no bytes of requests before are sent again; 0 for never. [REQ5] */
  readonly headChangedSeq: number
  /** Results that a person left out, by `seq`: a mark stands for each. [TOOL10] */
  readonly excludedSeqs: readonly number[]
  /** Erasures until then unbind thinking too, and leave no entry at their time: milliseconds since the Unix epoch. [LOG9] */
  readonly unboundUntil: number
}

/** What changes the head of every request, folded over the whole log; a rewind does not bring it back. [PRJ6] */
export const requestFacts: Projection<RequestFacts> = {
  name: 'request-facts',
  version: 5,
  initial: {
    unboundBeforeSeq: 0,
    droppedBeforeSeq: 0,
    smallerBeforeSeq: 0,
    headChangedSeq: 0,
    excludedSeqs: exclusions.initial,
    unboundUntil: 0,
  },
  reduce(state, entries) {
    let { unboundBeforeSeq, droppedBeforeSeq, smallerBeforeSeq, headChangedSeq, unboundUntil } = state
    for (const entry of entries) {
      if (unbindsThinking(entry)) unboundBeforeSeq = entry.seq
      if (dropsThinking(entry)) droppedBeforeSeq = entry.seq
      if (shrinksExcerpts(entry)) smallerBeforeSeq = entry.seq
      if (changesHead(entry)) headChangedSeq = entry.seq
      if (entry.type === 'body-erased' && isSent(entry.erasedType))
        unboundUntil = Math.max(unboundUntil, entry.erasedAt)
    }
    const excludedSeqs = exclusions.reduce(state.excludedSeqs, entries)
    return { unboundBeforeSeq, droppedBeforeSeq, smallerBeforeSeq, headChangedSeq, excludedSeqs, unboundUntil }
  },
}

/** Whether an entry changes bytes before a message that thinks, or says that thinking is dropped. */
function unbindsThinking(entry: Entry): boolean {
  if (changesHead(entry) || entry.type === 'exclusion-changed' || dropsThinking(entry)) return true
  return entry.type === 'notice-raised' && (entry.code === EXCERPTS_SMALLER || entry.code === WINDOW_LEARNT)
}

/** Whether an entry changes bytes before every message. */
function changesHead(entry: Entry): boolean {
  if (entry.type === 'settings-changed') return changesInstructions(entry)
  return entry.type === 'tools-changed' || entry.type === 'agent-switched'
}

function shrinksExcerpts(entry: Entry): boolean {
  return entry.type === 'notice-raised' && entry.code === EXCERPTS_SMALLER
}

function dropsThinking(entry: Entry): boolean {
  if (entry.type === 'agent-switched') return true
  return entry.type === 'notice-raised' && entry.code === THINKING_DROPPED
}

/** Whether settings gave the conversation another system text. */
export function changesInstructions({ changes }: EntryOf<'settings-changed'>): boolean {
  return Object.hasOwn(changes, 'instructions') || Object.hasOwn(changes, 'agentId')
}

const SENT: ReadonlySet<string> = new Set<EntryType>([
  'user-message-sent',
  'step-finished',
  'tool-call-settled',
  'checkpoint-made',
  'context-noted',
  'stop-noted',
  'changes-decided',
])

/** Whether entries of this kind are sent, so that erasing one changes the request. */
export function isSent(type: string): boolean {
  return SENT.has(type)
}
