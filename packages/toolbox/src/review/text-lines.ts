/** The text of bytes, with its byte order mark and its line ends as they are; null where they are no UTF-8 text. */
export function exactText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Lines, each with its end; joined they are the text again, byte for byte. A carriage return alone ends none. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])]
}

/**
 * The text of lines of which one that ended its own text may stand in the middle now: it gets the end that the line before
 * it has, or the one behind it.
 */
export function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, index) =>
      line.endsWith('\n') || index === lines.length - 1
        ? line
        : `${line}${endOf(lines[index - 1] ?? lines[index + 1] ?? '')}`,
    )
    .join('')
}

function endOf(line: string): string {
  return line.endsWith('\r\n') ? '\r\n' : '\n'
}
