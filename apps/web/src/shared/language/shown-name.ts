import { markHidden } from '@holdfast/conversation'

/** A name on one line: line ends and other controls in it are shown as their pictures, what is not seen or turns others around as a mark. [UI31] */
export function shownName(name: string): string {
  let shown = ''
  for (const letter of name) {
    const code = letter.codePointAt(0) ?? 0
    if (code < 0x20) shown += String.fromCodePoint(0x2400 + code)
    else if (code === 0x7f) shown += '\u2421'
    else shown += letter
  }
  return markHidden(shown)
}
