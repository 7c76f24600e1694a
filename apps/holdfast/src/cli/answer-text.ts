import { applyDelta, type Draft, type EntryOf, emptyDraft } from '@holdfast/conversation'
import type { ApiEvent } from './api.ts'

/** Puts the text of answers together, however its pieces come, and says each part of it once. [SYNC1] */
export interface AnswerText {
  /** A step of a turn that is told: what streams of it is part of the text. */
  begin(step: EntryOf<'step-started'>): void
  /** What streams. Steps that were not begun, such as those of titles, are not looked at. */
  see(event: Extract<ApiEvent, { type: 'draft' | 'delta' }>): void
  /** What the log has counts: it heals what the line lost. */
  finish(step: EntryOf<'step-finished'>): void
}

interface Block {
  readonly isText: boolean
  readonly text: string
}

/** Makes it; every new piece of text goes to `onText`. */
export function createAnswerText(onText: (text: string) => void): AnswerText {
  let draft: Draft = emptyDraft('')
  const said = new Map<number, number>()

  function sayNew(blocks: readonly Block[]): void {
    for (const [index, { isText, text }] of blocks.entries()) {
      const from = said.get(index) ?? 0
      if (!isText || text.length <= from) continue
      if (from === 0 && said.size > 0) onText('\n\n')
      said.set(index, text.length)
      onText(text.slice(from))
    }
  }

  return {
    begin({ stepId }) {
      if (draft.stepId === stepId) return
      draft = emptyDraft(stepId)
      said.clear()
    },
    see(event) {
      if (event.stepId !== draft.stepId) return
      draft = event.type === 'draft' ? { stepId: event.stepId, blocks: event.blocks } : applyDelta(draft, event).draft
      sayNew(draft.blocks.map(({ start, text }) => ({ isText: start.type === 'text', text })))
    },
    finish({ stepId, blocks }) {
      if (stepId !== draft.stepId) return
      sayNew(blocks.map((block) => ({ isText: block.type === 'text', text: block.type === 'text' ? block.text : '' })))
      if (said.size > 0) onText('\n')
    },
  }
}
