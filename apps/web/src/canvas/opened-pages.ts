/** Which pages of canvases are open in this tab, and which version of each. Nothing opens by itself after a reload. */
const opened = new Map<string, number>()
const listeners = new Set<() => void>()
/** The page that is to come into sight, once. */
let toShow: string | null = null

/** A page of a canvas, by its conversation and element. */
export interface PagePlace {
  readonly conversationId: string
  readonly elementId: string
}

/** The entry with the version that is open; null where the page is closed. */
export function openedVersion({ conversationId, elementId }: PagePlace): number | null {
  return opened.get(`${conversationId}/${elementId}`) ?? null
}

/** Opens a version of a page, or closes the page. */
export function openVersion({ conversationId, elementId }: PagePlace, seq: number | null): void {
  const key = `${conversationId}/${elementId}`
  if (seq === null) opened.delete(key)
  else opened.set(key, seq)
  for (const listener of [...listeners]) listener()
}

/** Opens a version of a page from elsewhere: it comes into sight. */
export function showVersion(place: PagePlace, seq: number): void {
  toShow = `${place.conversationId}/${place.elementId}`
  openVersion(place, seq)
}

/** Whether this page is to come into sight; asked once. */
export function isToShow({ conversationId, elementId }: PagePlace): boolean {
  if (toShow !== `${conversationId}/${elementId}`) return false
  toShow = null
  return true
}

/** Listens to what is opened and closed. @returns a function that ends it. */
export function onOpened(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
