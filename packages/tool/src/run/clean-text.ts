/** Escape sequences of terminals: colours, cursor moves, titles, links. Each part is bounded, so that no text is slow. */
const ESCAPE = String.fromCharCode(0x1b)
const BELL = String.fromCharCode(0x07)
const TERMINAL = new RegExp(
  `${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,16}[@-~]|\\][^${BELL}${ESCAPE}]{0,4096}(?:${BELL}|${ESCAPE}\\\\)|[()][0-9A-Za-z]|[@-Z\\\\^_=>78cM])`,
  'g',
)

/**
 * A text that every provider, database and screen takes: without terminal sequences, with U+FFFD for control
 * characters and halves of surrogate pairs. A carriage return before a line feed goes. [TOOL5]
 */
export function cleanText(text: string): string {
  const bare = (text.includes(ESCAPE) ? text.replace(TERMINAL, '') : text).toWellFormed()
  let clean = ''
  let from = 0
  for (let at = 0; at < bare.length; at++) {
    const code = bare.charCodeAt(at)
    const isControl = (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code < 0xa0)
    if (!isControl) continue
    clean += `${bare.slice(from, at)}\ufffd`
    from = at + 1
  }
  return from === 0 ? bare : clean + bare.slice(from)
}
