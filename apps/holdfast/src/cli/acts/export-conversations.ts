import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join, parse, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { untilInterrupt } from '../reach/explained.ts'
import { reachServer } from '../reach/reach-server.ts'
import { conversationIdOf, conversationsOf } from './conversations.ts'

/** What `holdfast export` was asked for. */
export interface ExportCommandOptions {
  readonly dataDir?: string
  readonly all: boolean
  readonly format: 'json' | 'md' | 'html'
  readonly out: string
  readonly force: boolean
  readonly tools: boolean
  readonly thinking: boolean
  readonly setAside: boolean
  readonly usage: boolean
  readonly attachments: boolean
  readonly redact: boolean
  readonly since?: string
}

/** The exit code where something could not be read and the rest was written. */
const PARTIAL = 5

/** Writes conversations as files, or one to stdout. @returns the exit code. */
export async function exportConversations(ids: readonly string[], options: ExportCommandOptions): Promise<number> {
  const { all, out, dataDir, since } = options
  const sinceMs = since === undefined ? null : Date.parse(since)
  if (sinceMs !== null && (Number.isNaN(sinceMs) || !all))
    throw new CliError('E_USAGE', 2, 'Give --since with --all and a date, such as 2026-01-31.')
  if (all === ids.length > 0)
    throw new CliError('E_USAGE', 2, 'Name conversations or give --all: holdfast export ID… or holdfast export --all.')
  if (out === '-' && (all || ids.length > 1))
    throw new CliError('E_USAGE', 2, 'Several conversations go into a folder: give it with --out FOLDER.')
  const signal = untilInterrupt()
  const server = await reachServer({ detect: false, looksOnly: true, ...(dataDir === undefined ? {} : { dataDir }) })
  try {
    const wanted = all ? await allIds(server.api, sinceMs ?? 0) : await namedIds(server.api, ids)
    const folder = all || ids.length > 1 ? resolve(out) : await folderAt(out)
    if (folder !== null) await mkdir(folder, { recursive: true })
    let damagedCount = 0
    const masked = { keys: 0, mailAddresses: 0, homeFolders: 0 }
    for (const id of wanted) {
      await exportOne(server.api, { id, folder, options, signal })
      if (await isDamaged(server.api, id)) damagedCount += 1
      if (!options.redact) continue
      const counts = await server.api.call(routes.countSecrets, { params: { id } })
      masked.keys += counts.keys
      masked.mailAddresses += counts.mailAddresses
      masked.homeFolders += counts.homeFolders
    }
    if (folder !== null)
      process.stderr.write(`Wrote ${wanted.length} ${wanted.length === 1 ? 'file' : 'files'} into ${folder}.\n`)
    if (options.redact)
      process.stderr.write(
        `Masked: ${masked.keys} keys, ${masked.mailAddresses} e-mail addresses, ${masked.homeFolders} home folders; ` +
          'files are left out. All as it is: --no-redact\n',
      )
    return damagedCount === 0 ? 0 : PARTIAL
  } catch (cause) {
    if (!signal.aborted) throw cause
    throw new CliError('E_INTERRUPTED', 130, 'Broken off; the files that are written are whole.', { cause })
  } finally {
    await server.close()
  }
}

interface ExportedOne {
  readonly id: string
  /** Null for the one file, or stdout, that `--out` names. */
  readonly folder: string | null
  readonly options: ExportCommandOptions
  readonly signal: AbortSignal
}

async function exportOne(api: Api, { id, folder, options, signal }: ExportedOne): Promise<void> {
  const { format, out, force, tools, thinking, setAside, usage, attachments, redact } = options
  const chosen = Object.entries({ tools, thinking, setAside, usage, attachments, redact })
  const query = { format, ...Object.fromEntries(chosen.map(([key, isChosen]) => [key, String(isChosen)])) }
  const { name, content } = await api.download(routes.exportConversation, { params: { id }, query, signal })
  if (folder === null && out === '-') return pipeline(content, process.stdout, { end: false, signal })
  const target = folder === null ? resolve(out) : join(folder, uniqueName(name, id))
  if (!force && (await stat(target).catch(() => null)))
    throw new CliError('E_EXISTS', 1, `${target} exists. Choose another --out, or replace it with --force.`)
  const arriving = `${target}.part`
  try {
    await pipeline(content, createWriteStream(arriving, { mode: 0o600 }), { signal })
    await rename(arriving, target)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'path' in error && error.path === arriving)) throw error
    throw new CliError('E_NOT_WRITABLE', 1, `${target} cannot be written: ${error.message}. Choose another --out.`, {
      cause: error,
    })
  } finally {
    await rm(arriving, { force: true })
  }
  process.stdout.write(`${target}\n`)
}

/** Looks whether all of it is in its file, and says what is not. [LOG7] */
async function isDamaged(api: Api, id: string): Promise<boolean> {
  const damage = await api.call(routes.readDamage, { params: { id } })
  if (!damage.isDamaged) return false
  const { readableCount, entryCount, what } = damage
  const extent = entryCount === null ? `${readableCount}` : `${readableCount} of ${entryCount}`
  process.stderr.write(`Conversation ${id} is damaged: ${extent} entries are in the file. ${what ?? ''}\n`)
  return true
}

/** Two conversations may have one title. */
function uniqueName(name: string, id: string): string {
  const { name: stem, ext } = parse(name)
  return `${stem} ${id.slice(-8).replace(/[^\w-]/g, '_')}${ext}`
}

async function allIds(api: Api, sinceMs: number): Promise<string[]> {
  const ids: string[] = []
  for (const archived of [false, true])
    for await (const { id, updatedAt } of conversationsOf(api, { archived })) if (updatedAt >= sinceMs) ids.push(id)
  return ids
}

async function namedIds(api: Api, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push(await conversationIdOf(api, name))
  return ids
}

async function folderAt(path: string): Promise<string | null> {
  return path !== '-' && (await stat(path).catch(() => null))?.isDirectory() ? resolve(path) : null
}
