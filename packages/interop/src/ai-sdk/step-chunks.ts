import {
  applyDelta,
  type Draft,
  type DraftBlock,
  type DraftDelta,
  type EntryOf,
  emptyDraft,
  Json,
} from '@holdfast/conversation'
import type { UiChunk } from './ui-chunk.ts'

/** The blocks of one step as chunks: each piece of text once, whatever repeats or is healed from a draft. [SYNC1] */
export interface StepChunks {
  readonly stepId: string
  onDraft(draft: Draft): readonly UiChunk[]
  onDelta(delta: DraftDelta): readonly UiChunk[]
  /** What is left when the step is closed. */
  onFinished(entry: EntryOf<'step-finished'>): readonly UiChunk[]
  /** The step failed: what was opened is closed. */
  onFailed(): readonly UiChunk[]
}

interface Told {
  length: number
  closed: boolean
}

/** The chunks of a step of which nothing has been told. */
export function createStepChunks(stepId: string): StepChunks {
  let draft = emptyDraft(stepId)
  const told: Told[] = []

  /** What of these blocks has not been told. */
  function catchUp(blocks: readonly DraftBlock[]): readonly UiChunk[] {
    return blocks.flatMap((block, index) => {
      const id = `${stepId}:${index}`
      const chunks: UiChunk[] = []
      const known = told[index] ?? { length: 0, closed: false }
      if (!told[index]) {
        told[index] = known
        chunks.push(opening(block, id))
      }
      if (block.text.length > known.length) {
        chunks.push(piece(block, id, block.text.slice(known.length)))
        known.length = block.text.length
      }
      if (block.complete && !known.closed) {
        chunks.push(closing(block, id))
        known.closed = true
      }
      return chunks
    })
  }

  return {
    stepId,
    onDraft(whole) {
      if (whole.stepId !== stepId) return []
      draft = whole
      return catchUp(draft.blocks)
    },
    onDelta(delta) {
      const applied = applyDelta(draft, delta)
      if (applied.outcome !== 'applied') return []
      draft = applied.draft
      return catchUp(draft.blocks)
    },
    onFinished: ({ blocks }) => catchUp(blocks.map(toDraftBlock)),
    onFailed: () => catchUp(draft.blocks.map((block) => ({ ...block, complete: true }))),
  }
}

/** Half of a tool's input stays open in a draft; in a closed step it is an input that is no use. */
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

function opening({ start }: DraftBlock, id: string): UiChunk {
  switch (start.type) {
    case 'text':
      return { type: 'text-start', id }
    case 'thinking':
      return { type: 'reasoning-start', id }
    case 'tool-call':
      return { type: 'tool-input-start', toolCallId: start.callId, toolName: start.name, dynamic: true }
  }
}

function piece({ start }: DraftBlock, id: string, text: string): UiChunk {
  switch (start.type) {
    case 'text':
      return { type: 'text-delta', id, delta: text }
    case 'thinking':
      return { type: 'reasoning-delta', id, delta: text }
    case 'tool-call':
      return { type: 'tool-input-delta', toolCallId: start.callId, inputTextDelta: text }
  }
}

function closing({ start, text }: DraftBlock, id: string): UiChunk {
  switch (start.type) {
    case 'text':
      return { type: 'text-end', id }
    case 'thinking':
      return { type: 'reasoning-end', id }
    case 'tool-call': {
      const name = { toolCallId: start.callId, toolName: start.name, dynamic: true } as const
      const input = inputOf(text)
      if (input !== undefined) return { type: 'tool-input-available', ...name, input }
      return { type: 'tool-input-error', ...name, input: text, errorText: 'The input of the call is not whole JSON' }
    }
  }
}

/** A call without any input is one with an empty input. */
function inputOf(text: string): Json | undefined {
  if (text === '') return {}
  try {
    return Json.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
