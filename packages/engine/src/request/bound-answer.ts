import type { ModelPart } from '@holdfast/provider'

type BlockPart = Extract<ModelPart, { block: number }>

/** Counts what an answer holds. */
interface AnswerBound {
  /** Aborted when the answer holds as much as it may. */
  readonly signal: AbortSignal
  /** What of a part still fits; null for nothing. */
  fit(part: BlockPart): BlockPart | null
}

/**
 * Lets so much of an answer through, in UTF-16 code units: its words, the names of its calls and what its provider signs,
 * together. A provider has no end of its own that it must keep to. [RUN26]
 */
export function boundAnswer(mostChars: number): AnswerBound {
  const full = new AbortController()
  let left = mostChars

  /** Whether all of it fits: what does not ends the answer. */
  function takes(chars: number): boolean {
    left -= chars
    if (left < 0) full.abort()
    return left >= 0
  }

  return {
    signal: full.signal,
    fit(part) {
      const room = left
      switch (part.type) {
        case 'block-started':
          return takes(JSON.stringify(part.start).length) ? part : null
        case 'block-delta':
          return takes(part.text.length) ? part : { ...part, text: beginning(part.text, room) }
        case 'block-ended':
          return part.providerState === undefined || takes(JSON.stringify(part.providerState).length) ? part : null
      }
    },
  }
}

/** The first `most` code units, without half of a pair at the end. */
function beginning(text: string, most: number): string {
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most)
}
