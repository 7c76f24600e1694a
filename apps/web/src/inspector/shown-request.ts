import { setDock } from '../shared/address.ts'

const ASKED = 'holdfast:show-left-out'
let isAsked = false

/** Opens the inspector at what is left out of the next request. [WIN7] */
export function showLeftOut(): void {
  isAsked = true
  setDock('inspector')
  dispatchEvent(new Event(ASKED))
}

/** Calls for each time that somebody asks for it, also where that was before the inspector was there. @returns what ends it. */
export function onLeftOutAsked(show: () => void): () => void {
  function take(): void {
    if (!isAsked) return
    isAsked = false
    show()
  }
  take()
  addEventListener(ASKED, take)
  return () => removeEventListener(ASKED, take)
}
