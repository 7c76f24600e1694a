import { createHash } from 'node:crypto'
import { lstatSync, type Stats } from 'node:fs'
import { listFiles } from '../files/list-files.ts'
import { readPlainFile } from '../files/read-plain-file.ts'
import { type FileTags, NO_TAGS } from '../parse/file-tags.ts'
import { languageOf } from '../parse/languages.ts'
import type { TagParser } from '../parse/tag-parser.ts'
import type { KnownFile, KnownTags, Stamp } from './known-file.ts'

/** Which repository is read, and how. */
export interface ReadOrder {
  /** A real path. */
  readonly rootPath: string
  /** Path of `git`; null where there is none. */
  readonly git: string | null
  /** Real paths of which nothing is listed or read. [SEC14] */
  readonly closedPaths: readonly string[]
  readonly hardLinks: 'refuse' | 'use'
  /** Milliseconds; what was not read by then is named and nothing more. */
  readonly limitMs: number
}

/** A repository as it is now. */
export interface Repository extends KnownTags {
  /** In the order of `files`. */
  readonly tags: readonly FileTags[]
  /** Files whose content was not looked at, for lack of time. */
  readonly unreadCount: number
  /** Whether there may be files that are not listed. */
  readonly isCut: boolean
  /** Contents that were parsed just now. */
  readonly parsedCount: number
}

/** A file of more bytes is its name alone. [MAP4] */
export const MOST_FILE_BYTES = 1 << 20
/** Files of a repository; what comes behind them is not listed. */
const MOST_FILES = 200_000
/** Some disks note times by two seconds. */
const FRESH_MS = 2_000
/** Contents that no file has any more are kept for going back to them, as many as this part of the files. */
const OLD_CONTENTS_SHARE = 0.5

/**
 * Reads what has changed since a repository was known, and nothing else. Two readings of the same files are equal,
 * whatever was known before, unless time ran out. [MAP1, MAP4]
 */
export async function readRepository(
  { rootPath, git, closedPaths, hardLinks, limitMs }: ReadOrder,
  { known, parser }: { readonly known: KnownTags | null; readonly parser: TagParser },
): Promise<Repository> {
  const endAt = performance.now() + limitMs
  const listed = listFiles({ rootPath, git, limitMs })
  const isClosed = (path: string) =>
    closedPaths.some((closed) => `${rootPath}/${path}` === closed || `${rootPath}/${path}`.startsWith(`${closed}/`))
  const before = new Map((known?.files ?? []).map((file) => [file.path, file]))
  const tagsByHash = new Map<string, FileTags>()
  const files: KnownFile[] = []
  const tags: FileTags[] = []
  let unreadCount = 0
  let parsedCount = 0

  const add = (file: KnownFile, found: FileTags) => {
    files.push(file)
    tags.push(found)
    if (file.hash !== null) tagsByHash.set(file.hash, found)
  }

  for (const path of listed.paths.slice(0, MOST_FILES)) {
    const stats = isClosed(path) ? null : plainStats(`${rootPath}/${path}`)
    if (stats === null) continue
    const stamp = stampOf(stats)
    const last = before.get(path)
    const lastTags = last?.hash == null ? undefined : known?.tagsByHash.get(last.hash)
    if (last && lastTags && isSame(last.stamp, stamp)) {
      add({ ...last, stamp }, lastTags)
      continue
    }
    const nameAlone = { path, stamp, hash: null }
    if (languageOf(path) === null || stats.size > MOST_FILE_BYTES) {
      add(nameAlone, NO_TAGS)
      continue
    }
    if (performance.now() > endAt) {
      unreadCount += 1
      add(nameAlone, NO_TAGS)
      continue
    }
    const bytes = readPlainFile(`${rootPath}/${path}`, { limitBytes: MOST_FILE_BYTES, hardLinks })
    if (bytes === null) {
      add(nameAlone, NO_TAGS)
      continue
    }
    // The same bytes are another text in another language.
    const hash = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${languageOf(path)?.grammar}`
    const same = tagsByHash.get(hash) ?? known?.tagsByHash.get(hash)
    if (same === undefined) parsedCount += 1
    add({ path, stamp, hash }, same ?? (await parser.tagsOf(path, bytes.toString('utf8'))))
  }
  keepOld(tagsByHash, { known, fileCount: files.length })
  return { files, tags, tagsByHash, unreadCount, parsedCount, isCut: listed.isCut || listed.paths.length > MOST_FILES }
}

/** Null for what is gone, and for links, folders, submodules and whatever else is no file. */
function plainStats(path: string): Stats | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats?.isFile() === true ? stats : null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

function stampOf({ size, ino, mtimeMs, ctimeMs }: Stats): Stamp {
  const isFresh = Math.max(mtimeMs, ctimeMs) > Date.now() - FRESH_MS
  return { sizeBytes: size, inode: ino, modifiedAtMs: mtimeMs, changedAtMs: ctimeMs, isFresh }
}

function isSame(one: Stamp, other: Stamp): boolean {
  return (
    !one.isFresh &&
    one.sizeBytes === other.sizeBytes &&
    one.inode === other.inode &&
    one.modifiedAtMs === other.modifiedAtMs &&
    one.changedAtMs === other.changedAtMs
  )
}

function keepOld(
  into: Map<string, FileTags>,
  { known, fileCount }: { readonly known: KnownTags | null; readonly fileCount: number },
): void {
  const most = into.size + Math.floor(fileCount * OLD_CONTENTS_SHARE)
  for (const [hash, tags] of known?.tagsByHash ?? []) {
    if (into.size >= most) return
    if (!into.has(hash)) into.set(hash, tags)
  }
}
