const ASKED = 'holdfast:find'

/** Asks for the field that finds words in the conversation. */
export function askToFind(): void {
  dispatchEvent(new Event(ASKED))
}

/** Listens for that. @returns what ends it. */
export function onFindAsked(listener: () => void): () => void {
  addEventListener(ASKED, listener)
  return () => removeEventListener(ASKED, listener)
}
