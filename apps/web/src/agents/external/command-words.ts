/** A program with its arguments. */
export interface ProgramWords {
  readonly command: string
  readonly args: readonly string[]
}

/** One word of a line: what stands between quotes, what is escaped, and what is neither. */
const PIECES = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gsu

/**
 * What a person wrote as one line, as a program with its arguments: quotes hold words together, and a backslash takes the
 * next character as it is. No shell is asked, so nothing else means anything. Null where a quote is not closed, or nothing stands there.
 */
export function readCommandLine(line: string): ProgramWords | null {
  const words: string[] = []
  let end = -1
  let read = 0
  for (const found of line.trim().matchAll(PIECES)) {
    const [whole, single, double, escaped, plain] = found
    const gap = line.trim().slice(Math.max(read, 0), found.index)
    if (gap.trim() !== '') return null
    const piece = single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? plain ?? ''
    if (found.index === end) words.push(`${words.pop() ?? ''}${piece}`)
    else words.push(piece)
    end = found.index + whole.length
    read = end
  }
  const [command, ...args] = words
  return command === undefined || command === '' || read !== line.trim().length ? null : { command, args }
}

/** The line again that is read so. */
export function commandLineOf({ command, args }: ProgramWords): string {
  return [command, ...args].map(quoted).join(' ')
}

function quoted(word: string): string {
  if (/^[^\s'"\\]+$/.test(word)) return word
  return word.includes("'") ? `"${word.replaceAll(/["\\]/g, '\\$&')}"` : `'${word}'`
}

/** What a person wrote as `NAME=value` in lines; the first line that is none of that, by its number. */
export function readVariables(
  text: string,
):
  | { readonly type: 'read'; readonly env: Readonly<Record<string, string>> }
  | { readonly type: 'bad-line'; readonly line: number } {
  const env: [string, string][] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf('=')
    const name = line.slice(0, at).trim()
    if (at < 1 || !/^[A-Za-z_]\w*$/.test(name)) return { type: 'bad-line', line: index + 1 }
    env.push([name, line.slice(at + 1).trim()])
  }
  return { type: 'read', env: Object.fromEntries(env) }
}
