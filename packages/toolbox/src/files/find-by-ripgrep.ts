import type { Clock } from '@holdfast/conversation'
import { childEnvironment, runProcess } from '@holdfast/tool/process'
import { withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { SEARCHABLE_BYTES, type TextHits, type TextQuery } from './find-text.ts'

/** ripgrep on this machine. */
export interface Ripgrep {
  /** Path of the program. */
  readonly program: string
  readonly clock: Clock
}

/** Why ripgrep did not look; the message is its own. */
export class RipgrepError extends Error {
  override readonly name = 'RipgrepError'
  readonly code = 'ripgrep-failed'
}

/**
 * Finds lines by ripgrep. It says in which lines to look and nothing else: their text is read by the workspace
 * afterwards, so that a folder that is swapped while it walks shows nothing from outside. [WS1]
 *
 * @throws {RipgrepError} when it refused the pattern or could not be run.
 */
export async function findByRipgrep(
  workspace: Workspace,
  query: TextQuery,
  { program, clock }: Ripgrep,
): Promise<TextHits> {
  const walk = { path: query.path, lastLink: 'follow', missingFolders: 'refuse' } as const
  const start = await withPlace(workspace, walk, async ({ path, segments, stats }) => ({
    path,
    startDepth: stats?.isDirectory() ? segments.length : segments.length - 1,
  }))
  const hits = new Map<string, number[]>()
  const enough = new AbortController()
  let left = query.limitLines
  const lines = createLineReader((path, line) => {
    const pathBelow = path.split('/').slice(start.startDepth).join('/')
    if (left <= 0 || (query.files && !query.files.matches(pathBelow))) return
    const known = hits.get(path) ?? []
    if (known.at(-1) === line) return
    hits.set(path, [...known, line])
    if (--left === 0) enough.abort()
  })
  const end = await runProcess({
    program,
    args: argumentsOf(query, start.path),
    folder: workspace.rootPath,
    environment: childEnvironment({}, {}),
    signal: AbortSignal.any([query.signal, enough.signal]),
    graceMs: 200,
    outputLimitBytes: 2_000,
    clock,
    onOutput({ from, bytes }) {
      if (from === 'stdout') lines.add(bytes)
    },
  })
  query.signal.throwIfAborted()
  // 1 is its word for "nothing found"; 2 with hits means that some file could not be read.
  const isFine = enough.signal.aborted || end.exitCode === 0 || end.exitCode === 1
  if (!isFine && hits.size === 0)
    throw new RipgrepError((end.startError ?? end.stderr.text).trim() || 'no reason given')
  return { lines: hits, end: enough.signal.aborted ? 'ended' : 'complete' }
}

function argumentsOf(query: TextQuery, path: string): string[] {
  return [
    ...['--no-config', '--color=never', '--no-messages', '--hidden', '--glob=!.git', '--no-require-git'],
    ...['--no-ignore-parent', '--no-ignore-global', `--max-filesize=${SEARCHABLE_BYTES}`],
    ...['--no-heading', '--with-filename', '--line-number', '--null', '--only-matching', '--replace='],
    query.letters === 'exact' ? '--case-sensitive' : '--ignore-case',
    ...(query.ignored === 'include' ? ['--no-ignore'] : []),
    ...(query.isLiteral ? ['--fixed-strings'] : []),
    `--regexp=${query.pattern}`,
    '--',
    `./${path}`,
  ]
}

/** Reads `PATH NUL LINE :` from each line of output, whatever pieces it comes in. */
function createLineReader(onHit: (path: string, line: number) => void): { add(bytes: Uint8Array): void } {
  let waiting = Buffer.alloc(0)
  return {
    add(bytes) {
      waiting = Buffer.concat([waiting, bytes])
      for (let end = waiting.indexOf(0x0a); end !== -1; end = waiting.indexOf(0x0a)) {
        const [path = '', rest = ''] = waiting.subarray(0, end).toString('utf8').split('\0')
        const line = Number(/^\d+/.exec(rest)?.[0])
        if (Number.isInteger(line)) onHit(path.replace(/^(?:\.\/)+/, ''), line)
        waiting = waiting.subarray(end + 1)
      }
    },
  }
}
