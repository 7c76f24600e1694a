import type { UnsentPart } from '@holdfast/client'

const INSERTED = 'holdfast:insert-words'
const POINTED = 'holdfast:point-at'
const ATTACHED = 'holdfast:attach-file'

/** Puts words behind what stands in the composer, never in its place, and goes there. */
export function insertWords(words: string): void {
  dispatchEvent(new CustomEvent(INSERTED, { detail: words }))
}

/** Listens for such words. @returns what ends it. */
export function onInsertedWords(listener: (words: string) => void): () => void {
  function onEvent(event: Event): void {
    if (event instanceof CustomEvent && typeof event.detail === 'string') listener(event.detail)
  }
  addEventListener(INSERTED, onEvent)
  return () => removeEventListener(INSERTED, onEvent)
}

/** Lets something go along with the words that stand in the composer, and goes there. */
export function pointAt(part: UnsentPart): void {
  dispatchEvent(new PointedEvent(part))
}

/** Listens for such things. @returns what ends it. */
export function onPointedAt(listener: (part: UnsentPart) => void): () => void {
  function onEvent(event: Event): void {
    if (event instanceof PointedEvent) listener(event.part)
  }
  addEventListener(POINTED, onEvent)
  return () => removeEventListener(POINTED, onEvent)
}

/** Attaches a file to the message that is being written. */
export function attachFile(file: File): void {
  dispatchEvent(new CustomEvent(ATTACHED, { detail: file }))
}

/** Listens for such files. @returns what ends it. */
export function onAttachedFile(listener: (file: File) => void): () => void {
  function onEvent(event: Event): void {
    if (event instanceof CustomEvent && event.detail instanceof File) listener(event.detail)
  }
  addEventListener(ATTACHED, onEvent)
  return () => removeEventListener(ATTACHED, onEvent)
}

class PointedEvent extends Event {
  readonly part: UnsentPart

  constructor(part: UnsentPart) {
    super(POINTED)
    this.part = part
  }
}
