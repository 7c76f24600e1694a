/** A character that is written in one direction only, and the scripts of these that go from right to left. */
const FIRST_LETTER = /\p{L}/u
const FROM_THE_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * The direction of what is written, by its first letter; undefined without one: that of the page.
 * The field does not leave this to `dir="auto"`: there Chromium 156 looks through all lines for each line that is put in,
 * and stands still for 12 s at 62,501 lines (`textarea.value = 'a line of words\n'.repeat(62501)`, 2 cores).
 */
export function writtenDirection(text: string): 'ltr' | 'rtl' | undefined {
  const letter = FIRST_LETTER.exec(text)?.[0]
  if (letter === undefined) return undefined
  return FROM_THE_RIGHT.test(letter) ? 'rtl' : 'ltr'
}
