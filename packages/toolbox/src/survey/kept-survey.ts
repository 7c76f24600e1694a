import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { NotKept } from '@holdfast/conversation'
import * as z from 'zod'
import type { Survey } from './survey.ts'

const Stamp = z.object({
  inode: z.number(),
  modifiedAtMs: z.number(),
  changedAtMs: z.number(),
  isFresh: z.boolean(),
})
const Seen = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('file'),
    mode: z.number(),
    sizeBytes: z.number(),
    hash: z.string().nullable(),
    notKept: NotKept.nullable(),
    stamp: Stamp.nullable(),
  }),
  z.object({ type: z.literal('link'), target: z.string() }),
  z.object({ type: z.literal('folder'), mode: z.number() }),
  z.object({ type: z.literal('left-out'), reason: NotKept }),
])
const KeptSurvey = z.object({
  rootPath: z.string(),
  /** The calls for which it was made. */
  callIds: z.array(z.string()),
  /** How the paths of the packs begin in which its contents are. */
  packPath: z.string(),
  seen: z.array(z.tuple([z.string(), Seen])),
})

/** A survey as it lies on the disk while calls run, for the case that the process is killed in one. [WS1] */
export interface KeptSurvey {
  readonly rootPath: string
  readonly callIds: readonly string[]
  readonly packPath: string
  readonly survey: Survey
}

const KEPT = 'survey-'
const PACK = 'seen-'
/** A survey that nobody has asked for is of no conversation that is recovered any more. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000

/** Where the survey of a name lies. */
export function keptPath(folder: string, name: string): string {
  return join(folder, `${KEPT}${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`)
}

/** How the paths of one process's packs begin. */
export function packPathOf(folder: string, { pid, id }: { readonly pid: number; readonly id: string }): string {
  return join(folder, `${PACK}${pid}-${id}`)
}

/** Writes it in the place of an older one: that one stays whole where the process is killed meanwhile. */
export function writeKeptSurvey(path: string, { rootPath, callIds, packPath, survey }: KeptSurvey): void {
  writeFileSync(`${path}.new`, JSON.stringify({ rootPath, callIds, packPath, seen: [...survey] }), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Null where there is none. */
export function readKeptSurvey(path: string): KeptSurvey | null {
  const text = textOf(path)
  if (text === null) return null
  const kept = KeptSurvey.safeParse(JSON.parse(text))
  if (!kept.success) return null
  const { rootPath, callIds, packPath, seen } = kept.data
  return { rootPath, callIds, packPath, survey: new Map(seen) }
}

/** The packs that begin so. */
export function packsOf(packPath: string): readonly string[] {
  const folder = dirname(packPath)
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(packPath)}-`))
    .map((name) => join(folder, name))
}

/** Removes what processes that are gone have left and nobody can ask for any more. */
export function removeLeft(folder: string, nowMs: number): void {
  const names = readdirSync(folder)
  const needed = new Set<string>()
  for (const name of names.filter((one) => one.startsWith(KEPT))) {
    const path = join(folder, name)
    if (nowMs - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true })
    else if (name.endsWith('.json')) needed.add(basename(readKeptSurvey(path)?.packPath ?? ''))
  }
  for (const name of names) {
    const [, prefix = '', pid = ''] = /^(seen-(\d+)-.*)-\d+$/.exec(name) ?? []
    if (prefix !== '' && !needed.has(prefix) && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

/**
 * Removes the surveys of processes that are gone, whatever their age: what is recovered of them has been asked for by then.
 * In a container the next process may have the number of the last. [AGENT74]
 */
export function removeOfGone(folder: string, ownPackPath: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(KEPT) || !name.endsWith('.json')) continue
    const path = join(folder, name)
    const packPath = readKeptSurvey(path)?.packPath ?? ''
    const pid = Number(/^seen-(\d+)-/.exec(basename(packPath))?.[1] ?? process.pid)
    if (packPath !== ownPackPath && (pid === process.pid || !isAlive(pid))) {
      rmSync(path, { force: true })
      for (const pack of packPath === '' ? [] : packsOf(packPath)) rmSync(pack, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
