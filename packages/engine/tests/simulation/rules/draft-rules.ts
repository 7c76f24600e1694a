import {
  applyDelta,
  type Draft,
  type DraftDelta,
  type Entry,
  type EntryOf,
  emptyDraft,
  sealDraft,
} from '@holdfast/conversation'
import { LIMITS } from '../../../src/api/ports.ts'
import { sorted } from './run-rules.ts'
import type { Violate } from './violation.ts'

interface Published {
  readonly replica: string
  draft: Draft
  largestBytes: number
  /** The replica that published it knows that it has ended. */
  endKnown: boolean
}

/** What was published of the steps of one log. */
export interface DraftRules {
  onDelta(replica: string, delta: DraftDelta): void
  /** Deltas were told to be durable. */
  onKept(deltas: readonly DraftDelta[]): void
  /** The replica has folded these entries. */
  onFolded(replica: string, entries: readonly Entry[]): void
  take(entry: Entry): void
}

/** Checks that what was shown is kept: all of it, or all but what a crash may take. */
export function createDraftRules(violate: Violate): DraftRules {
  const steps = new Map<string, Published>()
  /** What no crash may take back. */
  const kept = new Map<string, Draft>()
  const closedByAnswer = new Set<string>()
  /** Nobody watches a title being written. */
  const titles = new Set<string>()

  function finished({ stepId, seq, blocks, cut }: EntryOf<'step-finished'>): void {
    if (titles.has(stepId)) return
    for (const [index, block] of sealDraft(kept.get(stepId) ?? emptyDraft(stepId)).entries())
      if (!textOf(blocks[index] ?? NOTHING).startsWith(textOf(block)))
        violate('RUN3', `Step ${stepId} at ${seq} lost words that were told to be kept`)
    const published = steps.get(stepId)
    const shown = published ? sealDraft(published.draft) : []
    if (JSON.stringify(sorted(shown)) === JSON.stringify(sorted(blocks))) return
    if (cut !== 'interrupted') {
      violate('STOP4', `Step ${stepId} at ${seq} keeps something else than was shown of it`)
      return
    }
    let missing = 0
    for (const [index, block] of shown.entries()) {
      const text = textOf(block)
      const kept = blocks[index] ? textOf(blocks[index]) : ''
      if (!text.startsWith(kept)) violate('RUN4', `Step ${stepId} at ${seq} keeps words that were never shown`)
      missing += bytesOf(text.slice(kept.length))
    }
    if (blocks.length > shown.length) violate('RUN4', `Step ${stepId} at ${seq} keeps blocks that were never shown`)
    // What has gathered and what is on its way: each ends with the delta that made it full.
    const most = 2 * (LIMITS.draftSizeBytes + (published?.largestBytes ?? 0))
    if (missing > most)
      violate('RUN3', `Step ${stepId} at ${seq} lost ${missing} bytes that were shown; ${most} at most`)
  }

  return {
    onDelta(replica, delta) {
      const known = steps.get(delta.stepId)
      const published = known ?? { replica, draft: emptyDraft(delta.stepId), largestBytes: 0, endKnown: false }
      steps.set(delta.stepId, published)
      if (published.endKnown) violate('STOP4', `A delta of step ${delta.stepId} was published after its end`)
      if (published.replica !== replica) violate('RUN2', `Two replicas publish step ${delta.stepId}`)
      const { draft, outcome } = applyDelta(published.draft, delta)
      if (outcome === 'gap') violate('SYNC1', `A delta of step ${delta.stepId} left a hole`)
      published.draft = draft
      published.largestBytes = Math.max(published.largestBytes, bytesOf(delta.text))
    },
    onKept(deltas) {
      for (const delta of deltas) {
        const known = kept.get(delta.stepId) ?? emptyDraft(delta.stepId)
        kept.set(delta.stepId, applyDelta(known, delta).draft)
      }
    },
    onFolded(replica, entries) {
      for (const entry of entries) {
        if (entry.type !== 'step-finished' && entry.type !== 'step-failed') continue
        const published = steps.get(entry.stepId)
        if (published?.replica === replica) published.endKnown = true
      }
    },
    take(entry) {
      if (entry.type === 'step-started' && entry.purpose === 'title') titles.add(entry.stepId)
      if (entry.type === 'step-finished') finished(entry)
      if (entry.type === 'step-failed') {
        const published = steps.get(entry.stepId)
        const lost = published && published.draft.blocks.length > 0 && !closedByAnswer.has(entry.stepId)
        if (lost) violate('RUN9', `Step ${entry.stepId} failed at ${entry.seq} and what it had shown is gone`)
      }
      if (entry.type === 'step-finished') closedByAnswer.add(entry.stepId)
    },
  }
}

function textOf(block: EntryOf<'step-finished'>['blocks'][number]): string {
  return block.type === 'tool-call' ? block.inputText : block.text
}

/** Stands for a block that is not there. */
const NOTHING = { type: 'text', text: '' } as const

const encoder = new TextEncoder()

function bytesOf(text: string): number {
  return encoder.encode(text).length
}
