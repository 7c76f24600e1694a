import { constants, createReadStream } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { CliError } from '../../cli-error.ts'
import { opencodeContent } from '../../found-logs/opencode-logs.ts'

/** A file that may hold conversations. */
export interface LogFile {
  /** For the report. */
  readonly name: string
  /** Whether it was found in a folder: then it may well be something else. */
  readonly isFound: boolean
  open(): AsyncIterable<Uint8Array>
}

const LOGS = /\.(?:json|jsonl|ndjson|zip|chat\.history\.md)$/i

/**
 * The files that paths name: themselves, and the logs anywhere in folders; links in folders are not followed.
 *
 * @throws {CliError} when there is nothing at a path, or no log in any.
 */
export async function logFiles(paths: readonly string[]): Promise<readonly LogFile[]> {
  const files: LogFile[] = []
  for (const path of paths) files.push(...(await filesAt(path)))
  if (files.length > 0) return files
  throw new CliError(
    'E_NO_FILE',
    3,
    `There is no log in ${paths.join(', ')}: no .json, .jsonl, .ndjson, .zip or .chat.history.md file.`,
  )
}

async function filesAt(path: string): Promise<LogFile[]> {
  if (path === '-') return [{ name: 'stdin', isFound: false, open: () => process.stdin }]
  const root = resolve(path)
  try {
    if (!(await stat(root)).isDirectory()) {
      await access(root, constants.R_OK)
      return [logFile(root, { name: basename(root), isFound: false })]
    }
    return (await filesIn(root)).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    const why = whyUnread(path, cause)
    throw new CliError('E_NO_FILE', 3, `${why}. Give a file or folder that can be read.`, { cause })
  }
}

/** A folder in it that cannot be read counts as a log that cannot be: its report says so, and what lies beside it is read. */
async function filesIn(root: string): Promise<LogFile[]> {
  const files: LogFile[] = []
  const waiting = [root]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const at = folder
    const entries = await readdir(at, { withFileTypes: true }).catch((cause: unknown) => {
      if (at === root) throw cause
      files.push(logFile(at, { name: at.slice(root.length + 1), isFound: true }))
      return []
    })
    for (const entry of entries) {
      const path = join(at, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      if (entry.isFile() && (LOGS.test(entry.name) || opencodeContent(path) !== null))
        files.push(logFile(path, { name: path.slice(root.length + 1), isFound: true }))
    }
  }
  return files
}

function whyUnread(path: string, cause: Error & { readonly code: unknown }): string {
  if (cause.code === 'ENOENT') return `There is nothing at ${path}`
  if (cause.code === 'EACCES' || cause.code === 'EPERM') return `You may not read ${path}`
  return `${path} cannot be read: ${cause.message}`
}

/** The content of a file, or the sessions of opencode that lie in it. */
export async function* logContent(path: string): AsyncGenerator<Uint8Array> {
  const content = opencodeContent(path)
  if (content !== null) await access(path, constants.R_OK)
  yield* content?.() ?? createReadStream(path)
}

function logFile(path: string, what: Omit<LogFile, 'open'>): LogFile {
  return { ...what, open: () => logContent(path) }
}
