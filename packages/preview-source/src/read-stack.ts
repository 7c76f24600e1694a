/** One place of a stack: an address of the page, with line and column from 1. */
export interface StackFrame {
  readonly name: string | null
  readonly address: string
  readonly line: number
  readonly column: number
}

/** So many places of one stack are read. */
const MOST_FRAMES = 40
const LINE_CHARS = 2_000

/** The places of a stack as a browser writes it, first the innermost. Lines that are none are left out. */
export function readStack(stack: string): StackFrame[] {
  const frames: StackFrame[] = []
  for (const line of stack.split('\n')) {
    if (frames.length >= MOST_FRAMES) break
    const frame = line.length > LINE_CHARS ? null : readLine(line.trim())
    if (frame !== null) frames.push(frame)
  }
  return frames
}

/** `at name (address:1:2)` and `at address:1:2` of Chromium, `name@address:1:2` of Firefox and Safari. */
function readLine(line: string): StackFrame | null {
  const place = /^(.*):(\d{1,9}):(\d{1,9})\)?$/u.exec(line)
  if (place === null) return null
  const [, before = '', row = '', column = ''] = place
  const isChromium = before.startsWith('at ')
  const said = isChromium ? before.slice(3) : before
  const cut = isChromium ? said.lastIndexOf(' (') : said.indexOf('@')
  const name = cut > 0 ? said.slice(0, cut) : null
  const address = cut >= 0 ? said.slice(cut + (isChromium ? 2 : 1)) : said
  if (address === '' || address === '<anonymous>') return null
  return { name, address, line: Number(row), column: Number(column) }
}
