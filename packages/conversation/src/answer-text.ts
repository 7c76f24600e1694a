import { applyDelta, type Draft, type DraftDelta, emptyDraft } from './draft.ts'
import type { EntryOf } from './entry.ts'

/** Puts the text of answers together, however its pieces come, and says each part of it once. [SYNC1] */
export interface AnswerText {
  /** A step of a turn that is told: what streams of it is part of the text. */
  begin(step: Pick<EntryOf<'step-started'>, 'stepId'>): void
  /** The open step so far. Steps that were not begun, such as those of titles, are not looked at. */
  seeDraft(draft: Draft): void
  seeDelta(delta: DraftDelta): void
  /** What the log has counts: it heals what was lost. */
  finish(step: Pick<EntryOf<'step-finished'>, 'stepId' | 'blocks'>): void
}

interface Block {
  readonly isText: boolean
  readonly text: string
}

/** Makes the text of an answer as it comes. Blocks of one step are told apart by an empty line; `onStepEnd` comes after a step that said something. */
export function createAnswerText({
  onText,
  onStepEnd,
}: {
  readonly onText: (text: string) => void
  readonly onStepEnd: () => void
}): AnswerText {
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

  function see(next: Draft): void {
    draft = next
    sayNew(draft.blocks.map(({ start, text }) => ({ isText: start.type === 'text', text })))
  }

  return {
    begin({ stepId }) {
      if (draft.stepId === stepId) return
      draft = emptyDraft(stepId)
      said.clear()
    },
    seeDraft({ stepId, blocks }) {
      if (stepId === draft.stepId) see({ stepId, blocks })
    },
    seeDelta(delta) {
      if (delta.stepId === draft.stepId) see(applyDelta(draft, delta).draft)
    },
    finish({ stepId, blocks }) {
      if (stepId !== draft.stepId) return
      sayNew(blocks.map((block) => ({ isText: block.type === 'text', text: block.type === 'text' ? block.text : '' })))
      if (said.size > 0) onStepEnd()
    },
  }
}
