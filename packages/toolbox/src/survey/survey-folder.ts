import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs'
import { isGitsOwn } from '@holdfast/tool'
import type { ClosedPlaces } from '../workspace/closed-places.ts'
import { systemCode } from '../workspace/file-refusal.ts'
import { type Holding, OPEN_SAFELY } from '../workspace/held-folder.ts'
import { type IgnoreRules, isIgnored, readIgnoreRules } from '../workspace/ignore-rules.ts'
import type { ContentPack } from './content-pack.ts'
import type { Seen, SeenFile, Stamp, Survey } from './survey.ts'

/** What a survey may take. */
export interface SurveyLimits {
  /** Files, links and folders; beyond, folders are not looked into. */
  readonly entryCount: number
  /** A larger file is seen and not kept. */
  readonly fileBytes: number
}

/** A folder to look at. */
export interface SurveyOrder {
  readonly rootPath: string
  readonly holding: Holding
  readonly hardLinks: 'refuse' | 'use'
  readonly closed: ClosedPlaces
  readonly nowMs: number
  readonly limits: SurveyLimits
  /** What was seen last: files that bear the same times are not read again. */
  readonly known: Survey
  /** The survey that this one will be compared with: the same folders are left out. */
  readonly since: Survey | null
  readonly pack: Pick<ContentPack, 'keep'>
  /** An empty map; what is seen goes there as it is seen. */
  readonly into: Map<string, Seen>
}

/** Folders of packages and caches, which commands fill with more than anybody reads. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__'])
const IGNORE_FILE_BYTES = 1 << 20
const DEEPEST = 100
/** Some disks note times by two seconds. */
const FRESH_MS = 2_000

interface OpenFolder {
  readonly descriptor: number
  /** What a name in it is appended to, behind a slash. */
  readonly at: string
  readonly segments: readonly string[]
}

/**
 * Looks at everything in a folder without following a link, each folder opened from the one before it. It waits for
 * the disk and is therefore for a thread of its own. [WS1]
 */
export function surveyFolder(wish: SurveyOrder): Survey {
  const isSeen = inFolder(wish, { path: wish.rootPath, segments: [] }, (root) => walkFolder(wish, root, []))
  if (!isSeen) wish.into.set('.', { type: 'left-out', reason: 'unreadable' })
  return wish.into
}

/** Opens a folder for as long as `use` takes. @returns false when it is none, or is closed to us. */
function inFolder(
  wish: SurveyOrder,
  { path, segments }: { readonly path: string; readonly segments: readonly string[] },
  use: (folder: OpenFolder) => void,
): boolean {
  const descriptor = orNull(() => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | OPEN_SAFELY))
  if (descriptor === null) return false
  try {
    const at = wish.holding === 'by-handle' ? `/proc/self/fd/${descriptor}` : path
    use({ descriptor, at, segments })
    return true
  } finally {
    closeSync(descriptor)
  }
}

function walkFolder(wish: SurveyOrder, folder: OpenFolder, above: readonly IgnoreRules[]): void {
  const names = orNull(() => readdirSync(folder.at))?.sort() ?? []
  const path = folder.segments.join('/') || '.'
  const realPath = [wish.rootPath, ...folder.segments].join('/')
  const before = wish.since?.get(path)?.type
  const wasLookedInto = before === 'folder' || (path === '.' && wish.since !== null && before === undefined)
  if (names.length > wish.limits.entryCount && !wasLookedInto)
    return void wish.into.set(path, { type: 'left-out', reason: 'too-many' })
  const own = names.includes('.gitignore') ? rulesIn(wish, folder) : null
  const ruleSets = own === null ? above : [...above, own]
  for (const { name, stats } of statsIn(wish, { folder, realPath, names })) {
    const segments = [...folder.segments, name]
    if (isGitsOwn([name]) || isClosed(wish, { realPath: `${realPath}/${name}`, stats }) || !isStillThere(wish, folder))
      continue
    if (stats.isDirectory()) lookInto(wish, { folder, segments, stats, ruleSets })
    else if (stats.isSymbolicLink()) {
      const target = orNull(() => readlinkSync(`${folder.at}/${name}`))
      if (target !== null) wish.into.set(segments.join('/'), { type: 'link', target })
    } else if (stats.isFile()) wish.into.set(segments.join('/'), fileSeen(wish, { folder, segments, stats }))
  }
}

interface NamesIn {
  readonly folder: OpenFolder
  /** Where it should be. */
  readonly realPath: string
  readonly names: readonly string[]
}

interface NamedStats {
  readonly name: string
  readonly stats: Stats
}

/** A folder with fewer names is looked at by its handle: to make sure of a path costs as much. */
const MANY_NAMES = 8

/**
 * What the system says of each name; without those that have gone. By a handle that takes twice as long as by a path, and
 * most of a survey is this. What was seen by a path counts where that led to the held folder before and afterwards: one who
 * swaps folders in between can have a file looked at again, and none passed over, for no other file bears the same
 * number and times. What is read is opened by the handle.
 */
function statsIn(wish: SurveyOrder, { folder, realPath, names }: NamesIn): readonly NamedStats[] {
  if (wish.holding === 'by-handle' && names.length >= MANY_NAMES && leadsTo(realPath, folder)) {
    const seen = statsBelow(realPath, names)
    if (leadsTo(realPath, folder)) return seen
  }
  return statsBelow(folder.at, names)
}

function statsBelow(at: string, names: readonly string[]): readonly NamedStats[] {
  const all: NamedStats[] = []
  for (const name of names) {
    const stats = orNull(() => lstatSync(`${at}/${name}`))
    if (stats !== null) all.push({ name, stats })
  }
  return all
}

function isClosed(
  { closed }: SurveyOrder,
  { realPath, stats }: { readonly realPath: string; readonly stats: Stats },
): boolean {
  return closed.covers(realPath) || (stats.isDirectory() && closed.are(stats))
}

interface Inner {
  readonly folder: OpenFolder
  readonly segments: readonly string[]
  readonly stats: Stats
  readonly ruleSets: readonly IgnoreRules[]
}

function lookInto(wish: SurveyOrder, { folder, segments, stats, ruleSets }: Inner): void {
  const path = segments.join('/')
  const leaveOut = (reason: 'left-out' | 'too-many' | 'unreadable') => wish.into.set(path, { type: 'left-out', reason })
  const before = wish.since?.get(path)
  if (before?.type === 'left-out') return void wish.into.set(path, before)
  // What was looked into before is looked into again: a command that writes an ignore file hides nothing by it.
  if (before?.type !== 'folder') {
    if (LEFT_OUT.has(segments.at(-1) ?? '') || isIgnored(segments, { isFolder: true, ruleSets }))
      return void leaveOut('left-out')
    if (wish.into.size >= wish.limits.entryCount || segments.length > DEEPEST) return void leaveOut('too-many')
  }
  wish.into.set(path, { type: 'folder', mode: stats.mode & 0o777 })
  const at = `${folder.at}/${segments.at(-1)}`
  if (!inFolder(wish, { path: at, segments }, (inner) => walkFolder(wish, inner, ruleSets))) leaveOut('unreadable')
}

interface FoundFile {
  readonly folder: OpenFolder
  readonly segments: readonly string[]
  readonly stats: Stats
}

function fileSeen(wish: SurveyOrder, { folder, segments, stats }: FoundFile): SeenFile {
  const known = wish.known.get(segments.join('/'))
  if (known?.type === 'file' && isUntouched(known, stats)) return known
  const unread = (notKept: SeenFile['notKept'], now: Stats): SeenFile => ({
    type: 'file',
    mode: now.mode & 0o777,
    sizeBytes: now.size,
    hash: null,
    notKept,
    stamp: stampOf(now, wish.nowMs),
  })
  const descriptor = orNull(() => openSync(`${folder.at}/${segments.at(-1)}`, constants.O_RDONLY | OPEN_SAFELY))
  if (descriptor === null) return unread('unreadable', stats)
  try {
    const opened = fstatSync(descriptor)
    if (!opened.isFile() || !isStillThere(wish, folder)) return unread('unreadable', opened)
    if (wish.closed.are(opened)) return unread('unreadable', opened)
    if (opened.nlink > 1 && wish.hardLinks === 'refuse') return unread('hard-linked', opened)
    if (opened.size > wish.limits.fileBytes) return unread('too-large', opened)
    const bytes = orNull(() => readAll(descriptor, wish.limits.fileBytes + 1))
    if (bytes === null) return unread('unreadable', opened)
    if (bytes.byteLength > wish.limits.fileBytes) return unread('too-large', opened)
    const hash = createHash('sha256').update(bytes).digest('hex')
    return {
      type: 'file',
      mode: opened.mode & 0o777,
      sizeBytes: bytes.byteLength,
      hash,
      notKept: wish.pack.keep(hash, bytes) ? null : 'too-many',
      stamp: stampOf(opened, wish.nowMs),
    }
  } finally {
    closeSync(descriptor)
  }
}

function isUntouched({ mode, sizeBytes, stamp }: SeenFile, stats: Stats): boolean {
  return (
    stamp !== null &&
    !stamp.isFresh &&
    stamp.inode === stats.ino &&
    stamp.modifiedAtMs === stats.mtimeMs &&
    stamp.changedAtMs === stats.ctimeMs &&
    sizeBytes === stats.size &&
    mode === (stats.mode & 0o777)
  )
}

function stampOf({ ino, mtimeMs, ctimeMs }: Stats, nowMs: number): Stamp {
  const isFresh = Math.max(mtimeMs, ctimeMs) > nowMs - FRESH_MS
  return { inode: ino, modifiedAtMs: mtimeMs, changedAtMs: ctimeMs, isFresh }
}

function readAll(descriptor: number, limitBytes: number): Buffer {
  const pieces: Buffer[] = []
  let count = 0
  // One byte more than the system says, so that a file that grows meanwhile is seen to.
  for (let size = fstatSync(descriptor).size + 1; count < limitBytes; size = 65_536) {
    const piece = Buffer.allocUnsafe(Math.min(size, limitBytes - count))
    const read = readSync(descriptor, piece, 0, piece.byteLength, count)
    if (read === 0) break
    pieces.push(piece.subarray(0, read))
    count += read
  }
  return Buffer.concat(pieces)
}

function rulesIn(wish: SurveyOrder, folder: OpenFolder): IgnoreRules | null {
  const flags = constants.O_RDONLY | OPEN_SAFELY
  const descriptor = orNull(() => openSync(`${folder.at}/.gitignore`, flags))
  if (descriptor === null) return null
  try {
    if (!fstatSync(descriptor).isFile() || !isStillThere(wish, folder)) return null
    const bytes = orNull(() => readAll(descriptor, IGNORE_FILE_BYTES))
    return bytes === null ? null : readIgnoreRules(bytes.toString('utf8'), folder.segments.length)
  } finally {
    closeSync(descriptor)
  }
}

/** Whether the path of a folder that is held by its path still leads to it. */
function isStillThere(wish: SurveyOrder, { descriptor, at }: OpenFolder): boolean {
  return wish.holding === 'by-handle' || leadsTo(at, { descriptor })
}

function leadsTo(path: string, { descriptor }: Pick<OpenFolder, 'descriptor'>): boolean {
  const named = orNull(() => lstatSync(path))
  const held = fstatSync(descriptor)
  return named !== null && named.dev === held.dev && named.ino === held.ino
}

/** What the system refuses is not there for us. */
function orNull<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch (error) {
    if (systemCode(error) !== null) return null
    throw error
  }
}
