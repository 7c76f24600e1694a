import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { IntegrityReport } from '@holdfast/conversation'
import { backupSqliteStore, checkSqliteStore, restoreSqliteStore } from '@holdfast/store/sqlite'
import { CliError } from '../cli-error.ts'
import { readConfig } from '../config.ts'
import { explained, untilInterrupt } from './explained.ts'

/** Which data folder a command is about. */
export interface FolderOptions {
  readonly dataDir?: string
}

/** Names of the files that `backup` makes in a folder. */
const BACKUP = /^holdfast-.*\.sqlite$/

/** Writes a copy of everything, while a server may go on. @returns the exit code. */
export async function backup(target: string, options: FolderOptions): Promise<number> {
  const path = resolve(target)
  const isFolder = await isFolderAt(path)
  const name = `holdfast-${new Date().toISOString().replace(/[:.]/g, '-')}.sqlite`
  const file = isFolder ? join(path, name) : path
  await explained(() => backupSqliteStore({ dataDir: storeOf(options), file, signal: untilInterrupt() }))
  const { size } = await stat(file)
  process.stderr.write(`Saved ${size} bytes. Put it back with: holdfast restore ${file}\n`)
  process.stdout.write(`${file}\n`)
  return 0
}

/** Puts a backup in the place of what is there; of a folder, the newest backup in it. @returns the exit code. */
export async function restore(source: string, options: FolderOptions & { readonly force: boolean }): Promise<number> {
  const path = resolve(source)
  const from = (await isFolderAt(path)) ? join(path, await newestBackup(path)) : path
  const dataDir = storeOf(options)
  await explained(() => restoreSqliteStore({ from, dataDir, force: options.force, signal: untilInterrupt() }))
  process.stderr.write(`Restored ${from} into ${dataDir}.\n`)
  return 0
}

/** Reads everything once and says what is damaged. @returns the exit code: 1 when something is. */
export async function checkStore(options: FolderOptions & { readonly json: boolean }): Promise<number> {
  const report = await explained(() => checkSqliteStore({ dataDir: storeOf(options), signal: untilInterrupt() }))
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : inWords(report))
  return report.damages.length === 0 ? 0 : 1
}

/** Where the store of the data folder is. */
export function storeOf({ dataDir }: FolderOptions): string {
  const asked = { port: '0', host: '127.0.0.1', open: false, json: false, detect: false }
  const config = readConfig({ ...asked, ...(dataDir === undefined ? {} : { dataDir }) })
  if (config.databaseUrl === null) return join(config.dataDir, 'store')
  throw new CliError(
    'E_OTHER_DATABASE',
    1,
    'This command is about the database in the data folder, and HOLDFAST_DATABASE_URL names another. Use the tools of PostgreSQL for that one, or unset the variable.',
  )
}

function inWords({ conversationCount, entryCount, damages }: IntegrityReport): string {
  const found = damages.map(({ conversationId, firstBadSeq, what }) => {
    const where = conversationId === null ? 'the store' : `conversation ${conversationId}`
    return `  ${where}${firstBadSeq === null ? '' : `, entry ${firstBadSeq}`}: ${what}\n`
  })
  const head = `Read ${entryCount} entries of ${conversationCount} conversations.`
  if (found.length === 0) return `${head} Nothing is damaged.\n`
  return `${head} Damaged:\n${found.join('')}Restore a backup to get it back: holdfast restore FILE --force\n`
}

async function isFolderAt(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}

async function newestBackup(folder: string): Promise<string> {
  const newest = (await readdir(folder))
    .filter((name) => BACKUP.test(name))
    .toSorted()
    .at(-1)
  if (newest !== undefined) return newest
  throw new CliError('E_NO_BACKUP', 3, `There is no backup in ${folder}. Name the file, or the folder that has it.`)
}
