import { CliError } from '../../cli-error.ts'
import { ownLogPlaces } from '../../config.ts'
import { type FoundLogs, findLogs } from '../../found-logs/find-logs.ts'
import { type LogFile, logContent } from '../terminal/log-files.ts'
import { plainText } from '../terminal/plain-text.ts'
import { readLine } from '../terminal/terminal-prompt.ts'
import { type ImportCommandOptions, importFiles } from './import-paths.ts'

/** What `holdfast import --found` was asked for. */
export interface ImportFoundOptions extends ImportCommandOptions {
  /** True for all programs; absent where paths are imported. */
  readonly found?: string | true
  readonly yes: boolean
}

/**
 * Lists what other programs have left in this home, by names and sizes, and imports it when the person says so.
 *
 * @returns the exit code. [CLI38]
 */
export async function importFound(paths: readonly string[], options: ImportFoundOptions): Promise<number> {
  if (paths.length > 0)
    throw new CliError('E_USAGE', 2, 'Give paths, or --found, not both: --found takes what it finds.')
  const places = ownLogPlaces()
  const names = places.map(({ id }) => id).join(', ')
  const wanted = options.found === true ? places : places.filter(({ id }) => id === options.found)
  if (wanted.length === 0)
    throw new CliError('E_USAGE', 2, `--found ${options.found} is none of the programs that are looked for: ${names}.`)
  const ownerId = process.getuid?.() ?? null
  const found = (await Promise.all(wanted.map((place) => findLogs(place, ownerId)))).filter(
    ({ logs, unreadable }) => logs.length + unreadable.length > 0,
  )
  if (found.length === 0) {
    const folders = wanted.map(({ folder }) => folder).join(', ')
    throw new CliError('E_NO_FILE', 3, `There are no conversations of other programs in ${plainText(folders)}.`)
  }
  const isAsked = !options.yes && process.stdin.isTTY === true
  if (options.yes || isAsked) process.stderr.write(listWords(found))
  else {
    process.stdout.write(options.json ? `${JSON.stringify(found.map(rowOf))}\n` : listWords(found))
    process.stderr.write('Nothing was read. To import all of it: holdfast import --found --yes\n')
    return 0
  }
  if (isAsked && !(await isAgreed())) {
    process.stderr.write('Nothing was read.\n')
    return 0
  }
  return importFiles(found.flatMap(filesOf), options)
}

async function isAgreed(): Promise<boolean> {
  const answer = await readLine('Import all of it? [y/N] ', new AbortController().signal)
  return /^y(?:es)?$/i.test(answer?.trim() ?? '')
}

function rowOf({ place: { id, name, folder }, logs, unreadable, isCut }: FoundLogs) {
  const names = unreadable.map((log) => log.name)
  return { id, name, folder, logCount: logs.length, sizeBytes: sizeOf(logs), isCut, unreadable: names }
}

function listWords(found: readonly FoundLogs[]): string {
  return found
    .map(({ place: { id, name, folder }, logs, unreadable, isCut }) => {
      const count = logs.length
      const words = `${isCut ? 'at least ' : ''}${count} ${count === 1 ? 'log' : 'logs'}, ${sizeWords(sizeOf(logs))}`
      const closed = unreadable.map((log) => `${' '.repeat(14)}You may not read ${plainText(log.path)}\n`)
      return `${id.padEnd(12)}  ${name}: ${words}, in ${plainText(folder)}\n${closed.join('')}`
    })
    .join('')
}

function sizeOf(logs: FoundLogs['logs']): number {
  return logs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

function sizeWords(bytes: number): string {
  return bytes < 100_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** What may not be read is among them, so that the report says so. */
function filesOf({ place, logs, unreadable }: FoundLogs): readonly LogFile[] {
  return [...logs, ...unreadable].map(({ name, path }) => ({
    name: `${place.name}/${name}`,
    isFound: true,
    open: () => logContent(path),
  }))
}
