import { type ImportAnswer, nothingImported, routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { reachServer } from '../reach/reach-server.ts'
import { type LogFile, logFiles } from '../terminal/log-files.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What `holdfast import` was asked for. */
export interface ImportCommandOptions {
  readonly dataDir?: string
  readonly json: boolean
  readonly from?: string
  readonly since?: string
  readonly dryRun: boolean
}

/** What came of one file. */
export type ImportedFile = Omit<ImportAnswer, 'id'> & { readonly isFound: boolean }

/** How often a terminal is told how far it is, in milliseconds. */
const PROGRESS_MS = 200
/** So much of what was left out is named in the terminal. */
const NAMED = 20
/** What a conversation does not miss. */
const HARMLESS: ReadonlySet<string> = new Set([
  'not-conversation',
  'repeated',
  'instructions',
  'already-imported',
  'before-date',
])
/** How the problem of a file begins that is there and cannot be read. */
const UNREAD = 'It cannot be read'
const INTERRUPTED = 130
const PARTIAL = 5

/** Imports files one after another, through the server that has the data folder or one of its own. @returns the exit code. */
export async function importPaths(paths: readonly string[], options: ImportCommandOptions): Promise<number> {
  if (paths.length === 0)
    throw new CliError(
      'E_USAGE',
      2,
      'Name files or folders, or --found for what other programs have left in your home.',
    )
  return importFiles(await logFiles(paths), options)
}

/** Imports these. @returns the exit code. */
export async function importFiles(files: readonly LogFile[], options: ImportCommandOptions): Promise<number> {
  const { dataDir } = options
  const query = queryOf(options)
  const stop = new AbortController()
  const onInterrupt = (): void => stop.abort()
  process.on('SIGINT', onInterrupt)
  const server = await reachServer({ detect: false, ...(dataDir === undefined ? {} : { dataDir }) })
  const done: ImportedFile[] = []
  try {
    for (const [index, file] of files.entries()) {
      const place = files.length === 1 ? '' : `${index + 1}/${files.length} `
      const answer = await importFile(server.api, { file, place, query, signal: stop.signal })
      const { id: _, ...rest } = answer
      done.push({ ...rest, isFound: file.isFound })
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    showProgress('')
    process.off('SIGINT', onInterrupt)
    await server.close()
  }
  if (options.dryRun) process.stderr.write('Nothing was written; without --dry-run there would be:\n')
  process.stdout.write(options.json ? `${JSON.stringify(reportOf(done))}\n` : inWords(done))
  if (stop.signal.aborted) {
    process.stderr.write(
      `Stopped after ${done.length} of ${files.length} files. Import the same again to go on: nothing is doubled.\n`,
    )
    return INTERRUPTED
  }
  return exitCodeOf(done)
}

interface Importing {
  readonly file: LogFile
  readonly place: string
  /** What is asked of the file beside its name. */
  readonly query: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

async function importFile(api: Api, { file, place, query, signal }: Importing): Promise<ImportAnswer> {
  const title = `${place}${file.name}`
  showProgress(`Reading ${title}`)
  const begun = await sent(api, { file, query, signal })
  if (!('id' in begun)) return begun
  const params = { importId: begun.id }
  const onStop = (): void => void api.call(routes.cancelImport, { params })
  signal.addEventListener('abort', onStop, { once: true })
  if (signal.aborted) onStop()
  try {
    let answer: ImportAnswer = begun
    while (answer.state === 'running') {
      answer = await api.call(routes.readImport, { params, query: { waitMs: String(PROGRESS_MS) } })
      const percent = Math.floor((100 * answer.readBytes) / Math.max(1, answer.sizeBytes))
      showProgress(`Importing ${title}  ${percent} %  ${answer.imported + answer.updated} conversations`)
    }
    signal.throwIfAborted()
    return answer
  } finally {
    signal.removeEventListener('abort', onStop)
  }
}

/** @throws {CliError} for a date that is none. */
function queryOf({ from, since, dryRun }: ImportCommandOptions): Importing['query'] {
  if (since !== undefined && !/^\d{4}-\d\d-\d\d/.test(since))
    throw new CliError('E_USAGE', 2, `${since} is no date: give one such as 2026-01-31.`)
  return {
    ...(from === undefined ? {} : { format: from }),
    ...(since === undefined ? {} : { since }),
    ...(dryRun ? { dryRun: 'true' } : {}),
  }
}

/** An empty file, and one that cannot be read, is a file that failed, not the end of the command. */
async function sent(api: Api, { file, query, signal }: Omit<Importing, 'place'>): Promise<ImportAnswer> {
  let unread: Error | null = null
  const noteUnread = (error: Error): void => {
    unread = error
  }
  try {
    return await api.upload(routes.startImport, {
      query: { name: file.name.slice(-500), ...query },
      content: ReadableStream.from(readBy(file, noteUnread)),
      signal,
    })
  } catch (error) {
    const problem = unread === null ? refusedWords(error) : `${UNREAD}: ${whyUnread(unread)}`
    if (problem === null) throw error
    const now = Date.now()
    return {
      ...nothingImported(),
      isDryRun: query.dryRun !== undefined,
      only: null,
      since: null,
      id: '',
      name: file.name,
      state: 'failed',
      sizeBytes: 0,
      startedAt: now,
      finishedAt: now,
      problem,
    }
  }
}

/** One line that is written over; only where a person looks. */
function showProgress(text: string): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(`\r\u001b[K${plainText(text).slice(0, (process.stderr.columns || 80) - 1)}`)
}

type Sums = Pick<ImportAnswer, 'imported' | 'updated' | 'alreadyThere' | 'unchanged'>

function reportOf(files: readonly ImportedFile[]): Sums & { readonly files: readonly ImportedFile[] } {
  const sum = (name: keyof Sums): number => files.reduce((total, file) => total + file[name], 0)
  return {
    imported: sum('imported'),
    updated: sum('updated'),
    alreadyThere: sum('alreadyThere'),
    unchanged: sum('unchanged'),
    files,
  }
}

function inWords(files: readonly ImportedFile[]): string {
  const { imported, updated, alreadyThere, unchanged } = reportOf(files)
  const lines = [
    `${imported} imported, ${updated} brought up to date, ${alreadyThere} already there, ${unchanged} left as they are`,
  ]
  const failed = files.filter(({ state }) => state === 'failed')
  const others = failed.filter(isNoLog)
  for (const { name, isFound, problem } of failed.filter((file) => !others.includes(file)))
    lines.push(isFound ? `${plainText(name)}: ${problem}` : (problem ?? 'An import failed'))
  if (others.length > 0)
    lines.push(
      `${others.length} files of the folder are no logs: ${others
        .slice(0, NAMED)
        .map(({ name }) => name)
        .join(', ')}`,
    )
  const skips = files.flatMap(({ name, skips: ofFile }) => ofFile.map((skip) => ({ ...skip, name: skip.file ?? name })))
  const told = skips.filter(({ reason }) => !HARMLESS.has(reason) && reason !== 'unknown-format')
  for (const { name, line, what } of told.slice(0, NAMED))
    lines.push(`  ${name}${line === null ? '' : `:${line}`}  ${what}`)
  const counts = new Map<string, number>()
  for (const file of files)
    for (const [reason, count] of Object.entries(file.skippedCounts))
      counts.set(reason, (counts.get(reason) ?? 0) + count)
  if (counts.size > 0) lines.push(`Left out: ${[...counts].map(([reason, count]) => `${count} ${reason}`).join(', ')}`)
  return lines.map((line) => `${plainText(line)}\n`).join('')
}

/** In a folder there is much that is no log; what could not be read may well be one. */
function isNoLog({ isFound, problem }: ImportedFile): boolean {
  return isFound && problem?.startsWith(UNREAD) !== true
}

function exitCodeOf(files: readonly ImportedFile[]): number {
  const failed = files.filter(({ state }) => state !== 'finished')
  if (failed.length === files.length) return 1
  const isMissing = files.some(({ skippedCounts }) =>
    Object.keys(skippedCounts).some((reason) => !HARMLESS.has(reason)),
  )
  return isMissing || failed.some((file) => !isNoLog(file)) ? PARTIAL : 0
}

/** The content of a file; what keeps it from being read is noted, for whoever sends it is told of a broken line. */
async function* readBy(file: LogFile, onUnread: (error: Error) => void): AsyncGenerator<Uint8Array> {
  try {
    yield* file.open()
  } catch (error) {
    if (error instanceof Error) onUnread(error)
    throw error
  }
}

/** What the server had against the content of a file; null where it was something else. */
function refusedWords(error: unknown): string | null {
  return error instanceof CliError && error.code === 'E_BAD_REQUEST' ? error.message : null
}

function whyUnread(error: Error): string {
  const code = 'code' in error ? error.code : null
  if (code === 'EACCES' || code === 'EPERM') return 'you may not read it'
  return code === 'ENOENT' ? 'it is not there any more' : error.message
}
