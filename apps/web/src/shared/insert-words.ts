const INSERTED = 'holdfast:insert-words'

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
