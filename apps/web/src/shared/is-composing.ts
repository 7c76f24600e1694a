import type { KeyboardEvent } from 'react'

/** Whether a key belongs to an input method that is still composing a word: then it sends and closes nothing. */
export function isComposing(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- Safari ends the composing before this key and marks it by 229 alone: https://bugs.webkit.org/show_bug.cgi?id=165004
  return event.nativeEvent.isComposing || event.keyCode === 229
}
