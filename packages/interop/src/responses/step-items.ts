import {
  applyDelta,
  type Draft,
  type DraftBlock,
  type DraftDelta,
  type EntryOf,
  emptyDraft,
} from '@holdfast/conversation'
import { itemIdOf } from './response-ids.ts'
import { MESSAGE, REASONING, type TextForm } from './response-items.ts'
import type { ItemPlace, ToldEvents } from './told-events.ts'

/** What a model says and thinks in the steps of an answer, as items. Its calls are told when it is known who runs them. */
export interface StepItems {
  stepId(): string
  begin(stepId: string): void
  seeDraft(draft: Draft): void
  seeDelta(delta: DraftDelta): void
  finish(blocks: EntryOf<'step-finished'>['blocks']): void
}

/** Tells the blocks one after the other: the next one waits until the one before it is whole, so that their order is that of the log. */
export function createStepItems(conversationId: string, told: ToldEvents): StepItems {
  let draft = emptyDraft('')
  let blocksTold = 0
  let charsTold = 0
  let place: ItemPlace | null = null

  function tellBlocks(blocks: readonly DraftBlock[]): void {
    for (let block = blocks[blocksTold]; block !== undefined; block = blocks[blocksTold]) {
      const { start, text, complete } = block
      // An empty block is not told: a log may have none where a draft had one.
      if (start.type !== 'tool-call' && text !== '')
        tellText(start.type === 'text' ? MESSAGE : REASONING, text, complete)
      if (!complete) return
      blocksTold += 1
      charsTold = 0
    }
  }

  function tellText(form: TextForm, text: string, complete: boolean): void {
    const step = { conversationId, stepId: draft.stepId }
    const id = itemIdOf(form === MESSAGE ? 'msg' : 'rs', step, String(blocksTold))
    const isNew = place === null
    place ??= told.open(form.item(id, 'in_progress', null))
    const at = { ...place, content_index: 0 }
    if (isNew) told.tell('response.content_part.added', { ...at, part: form.part('') })
    told.tellPiece(`${form.events}.delta`, text.slice(charsTold), { ...at, ...form.more })
    charsTold = Math.max(charsTold, text.length)
    if (!complete) return
    told.tell(`${form.events}.done`, { ...at, text, ...form.more })
    told.tell('response.content_part.done', { ...at, part: form.part(text) })
    told.close(place, form.item(id, 'completed', text))
    place = null
  }

  return {
    stepId: () => draft.stepId,
    begin(stepId) {
      draft = emptyDraft(stepId)
      blocksTold = 0
      charsTold = 0
    },
    seeDraft({ stepId, blocks }) {
      if (stepId !== draft.stepId) return
      draft = { stepId, blocks }
      tellBlocks(blocks)
    },
    seeDelta(delta) {
      draft = applyDelta(draft, delta).draft
      tellBlocks(draft.blocks)
    },
    finish: (blocks) => tellBlocks(blocks.map(toDraftBlock)),
  }
}

function toDraftBlock(block: EntryOf<'step-finished'>['blocks'][number]): DraftBlock {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return { start: { type: block.type }, text: block.text, complete: true }
    case 'tool-call': {
      const { callId, name, inputText } = block
      return { start: { type: 'tool-call', callId, name }, text: inputText, complete: true }
    }
  }
}
