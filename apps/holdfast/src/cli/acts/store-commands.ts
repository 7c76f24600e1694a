import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { IntegrityReport } from '@holdfast/conversation'
import { CliError } from '../../cli-error.ts'
import { type Config, readConfig } from '../../config.ts'
import { explained, untilInterrupt } from '../reach/explained.ts'
import { type InstalledStore, installedStore } from '../reach/installed-store.ts'

/** Which data folder a command is about. */
export interface FolderOptions {
  readonly dataDir?: string
}

/** How the names of the files begin that `backup` makes in a folder. */
const BACKUP = 'holdfast-'

/** Writes a copy of everything, while a server may go on. @returns the exit code. */
export async function backup(target: string, options: FolderOptions): Promise<number> {
  const path = resolve(target)
  const store = storeOf(options)
  const name = `${BACKUP}${new Date().toISOString().replace(/[:.]/g, '-')}${store.backupEnding}`
  const file = (await isFolderAt(path)) ? join(path, name) : path
  await explained(() => store.backup(file, untilInterrupt()))
  const { size } = await stat(file)
  process.stderr.write(`Saved ${size} bytes. Put it back with: holdfast restore ${file}\n`)
  process.stdout.write(`${file}\n`)
  return 0
}

/** Puts a backup in the place of what is there; of a folder, the newest backup in it. @returns the exit code. */
export async function restore(source: string, options: FolderOptions & { readonly force: boolean }): Promise<number> {
  const path = resolve(source)
  const store = storeOf(options)
  const from = (await isFolderAt(path)) ? join(path, await newestBackup(path, store)) : path
  const place = await explained(() => store.restore({ from, force: options.force, signal: untilInterrupt() }))
  process.stderr.write(`Restored ${from} into ${place}.\n`)
  return 0
}

/** Reads everything once and says what is damaged. @returns the exit code: 1 when something is. */
export async function checkStore(options: FolderOptions & { readonly json: boolean }): Promise<number> {
  const report = await explained(() => storeOf(options).check(untilInterrupt()))
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : inWords(report))
  return report.damages.length === 0 ? 0 : 1
}

/** The store that a command is about. */
export function storeOf(options: FolderOptions): InstalledStore {
  return installedStore(configOf(options))
}

/** How the installation is set up that a command is about. */
export function configOf({ dataDir }: FolderOptions): Config {
  const asked = { port: '0', host: '127.0.0.1', open: false, json: false, detect: false }
  return readConfig({ ...asked, ...(dataDir === undefined ? {} : { dataDir }) })
}

function inWords({ conversationCount, entryCount, damages }: IntegrityReport): string {
  const found = damages.map(({ conversationId, firstBadSeq, what }) => {
    const where = conversationId === null ? 'the store' : `conversation ${conversationId}`
    return `  ${where}${firstBadSeq === null ? '' : `, entry ${firstBadSeq}`}: ${what}\n`
  })
  const head = `Read ${entryCount} entries of ${conversationCount} conversations.`
  if (found.length === 0) return `${head} Nothing is damaged.\n`
  return `${head} Damaged:\n${found.join('')}Restore a backup to get it back: holdfast restore --help\n`
}

async function isFolderAt(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}

async function newestBackup(folder: string, { backupEnding }: InstalledStore): Promise<string> {
  const newest = (await readdir(folder))
    .filter((name) => name.startsWith(BACKUP) && name.endsWith(backupEnding))
    .toSorted()
    .at(-1)
  if (newest !== undefined) return newest
  throw new CliError('E_NO_BACKUP', 3, `There is no backup in ${folder}. Name the file, or the folder that has it.`)
}
