import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** What a person does at the terminal. */
export interface AtTerminal {
  /** Each line is written when its words have come once more. */
  readonly answers: readonly { readonly after: string; readonly line: string }[]
}

/** Runs the built program in a terminal of its own, by `script` of Debian's essential packages. */
export async function inTerminal(
  args: readonly string[],
  { answers }: AtTerminal,
): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const main = join(import.meta.dirname, '..', '..', 'bin', 'holdfast.js')
  const command = [process.execPath, main, ...args].map(quoted).join(' ')
  const { PATH, HOME } = process.env
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH, HOME, TERM: 'dumb' },
  })
  const left = [...answers]
  let stdout = ''
  let looked = 0
  child.stdout.on('data', (piece) => {
    stdout += piece
    const [next] = left
    if (next === undefined) return
    const at = stdout.indexOf(next.after, looked)
    if (at < 0) return
    looked = at + next.after.length
    left.shift()
    child.stdin.write(`${next.line}\r`)
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
