import type { Draft } from '@holdfast/conversation'

/** One block of the open step: what it is, without its words. */
export interface DraftPiece {
  readonly type: 'text' | 'thinking' | 'tool-call'
  /** The name of the settled piece that it becomes. */
  readonly key: string
  /** Its place in the draft. */
  readonly blockIndex: number
  readonly isEmpty: boolean
}

/** What an open step is made of, as a text: it stays equal while only words come. Empty for none. */
export function draftShape(draft: Draft | null): string {
  if (draft === null || draft.blocks.length === 0) return ''
  const blocks = draft.blocks.map(({ start, text }) => `${start.type}${text === '' ? '-empty' : ''}`)
  return [draft.stepId, ...blocks].join(' ')
}

/** The pieces of a shape. */
export function draftPieces(shape: string): readonly DraftPiece[] {
  const [stepId = '', ...blocks] = shape.split(' ')
  const pieces: DraftPiece[] = []
  let partIndex = 0
  blocks.forEach((block, blockIndex) => {
    const isEmpty = block.endsWith('-empty')
    if (block.startsWith('tool-call')) {
      pieces.push({ type: 'tool-call', key: `${stepId}-call-${blockIndex}`, blockIndex, isEmpty })
      return
    }
    pieces.push({
      type: block.startsWith('text') ? 'text' : 'thinking',
      key: `${stepId}-${partIndex}`,
      blockIndex,
      isEmpty,
    })
    partIndex += 1
  })
  return pieces
}
