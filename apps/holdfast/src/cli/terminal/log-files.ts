import { constants, createReadStream } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { CliError } from '../../cli-error.ts'

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
    const names = await readdir(root, { recursive: true, withFileTypes: true })
    const found = names.filter((entry) => entry.isFile() && LOGS.test(entry.name))
    const paths = found.map((entry) => join(entry.parentPath, entry.name)).toSorted()
    for (const file of paths) await access(file, constants.R_OK)
    return paths.map((file) => logFile(file, { name: file.slice(root.length + 1), isFound: true }))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    const why = whyUnread(path, cause)
    throw new CliError('E_NO_FILE', 3, `${why}. Give a file or folder that can be read.`, { cause })
  }
}

function whyUnread(path: string, cause: Error & { readonly code: unknown }): string {
  if (cause.code === 'ENOENT') return `There is nothing at ${path}`
  if (cause.code === 'EACCES' || cause.code === 'EPERM') return `You may not read ${path}`
  return `${path} cannot be read: ${cause.message}`
}

function logFile(path: string, what: Omit<LogFile, 'open'>): LogFile {
  return { ...what, open: () => createReadStream(path) }
}
