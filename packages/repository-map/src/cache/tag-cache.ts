import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import * as z from 'zod'
import type { FileTags } from '../parse/file-tags.ts'
import type { KnownFile, KnownTags, Stamp } from '../repository/known-file.ts'

/** Where the caches lie, and what they may take. */
export interface TagCacheOptions {
  /** A folder that nothing else writes in. */
  readonly folder: string
  /** Bytes of all caches; the ones that were longest not used go. */
  readonly limitBytes: number
}

/** Bytes of one cache; a larger one is not written, and its repository is parsed anew after a restart. */
const MOST_BYTES = 32 << 20
/** Bytes of one cache before it was packed. */
const MOST_UNPACKED_BYTES = 256 << 20
/** Of the first line: what wrote it, and the hash of what follows. A change of queries or ranks of tags changes it. */
const MARK = 'holdfast-map-1'
const SUFFIX = '.map'
const HEAD = /^holdfast-map-1 ([\da-f]{64})\n$/
const HEAD_BYTES = MARK.length + 66

/** What was kept of a repository; null for nothing, and for what is damaged, which is as good as nothing. [MAP5] */
export function readTagCache(rootPath: string, { folder }: TagCacheOptions): KnownTags | null {
  const path = pathOf(rootPath, folder)
  try {
    const bytes = readFileSync(path)
    const body = bytes.subarray(HEAD_BYTES)
    const hash = HEAD.exec(bytes.subarray(0, HEAD_BYTES).toString('latin1'))?.[1]
    if (hash !== createHash('sha256').update(body).digest('hex')) return null
    const text = brotliDecompressSync(body, { maxOutputLength: MOST_UNPACKED_BYTES }).toString('utf8')
    const kept = Kept.safeParse(JSON.parse(text))
    if (!kept.success || kept.data.rootPath !== rootPath) return null
    const now = new Date()
    utimesSync(path, now, now)
    return unpacked(kept.data)
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}

/** Keeps what is known of a repository. What the disk refuses is not kept, and nobody needs it. [MAP5] */
export function writeTagCache(rootPath: string, known: KnownTags, options: TagCacheOptions): void {
  const { folder } = options
  const body = brotliCompressSync(JSON.stringify(packed(rootPath, known)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
  })
  if (body.byteLength > MOST_BYTES) return
  const path = pathOf(rootPath, folder)
  const head = `${MARK} ${createHash('sha256').update(body).digest('hex')}\n`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.new`, Buffer.concat([Buffer.from(head, 'latin1'), body]), { mode: 0o600 })
    renameSync(`${path}.new`, path)
    removeOldest(options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

function pathOf(rootPath: string, folder: string): string {
  return join(folder, `${createHash('sha256').update(rootPath).digest('hex').slice(0, 32)}${SUFFIX}`)
}

function removeOldest({ folder, limitBytes }: TagCacheOptions): void {
  const all = readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => ({ path: join(folder, name), stats: statSync(join(folder, name)) }))
    .sort((one, other) => other.stats.mtimeMs - one.stats.mtimeMs)
  let bytes = 0
  for (const { path, stats } of all) {
    bytes += stats.size
    if (bytes > limitBytes) rmSync(path, { force: true })
  }
}

const Count = z.int().nonnegative()

/** Numbers stand for names; lines and numbers of names are differences to the one before, which packs well. */
const Kept = z.object({
  rootPath: z.string(),
  names: z.array(z.string()),
  contents: z.array(
    z.tuple([
      z.string(),
      z.array(Count),
      z.array(Count),
      z.array(Count),
      z.array(Count),
      z.array(Count),
      z.array(Count),
      z.array(z.string()),
    ]),
  ),
  files: z.array(z.tuple([z.string(), Count, z.number(), z.number(), z.number(), z.int()])),
})
type Kept = z.infer<typeof Kept>

function packed(rootPath: string, { files, tagsByHash }: KnownTags): Kept {
  const all = new Set<string>()
  for (const { definitions, references, members } of tagsByHash.values())
    for (const { name } of [...definitions, ...references, ...members]) all.add(name)
  // Sorted as references are, so that their numbers rise.
  const names = [...all].sort()
  const numbers = new Map(names.map((name, number) => [name, number]))
  const numberOf = (name: string): number => numbers.get(name) ?? 0
  const order = new Map([...tagsByHash.keys()].map((hash, index) => [hash, index]))
  const contents = [...tagsByHash].map(
    ([hash, { definitions, references, members, imports }]): Kept['contents'][number] => {
      return [
        hash,
        definitions.map(({ name }) => numberOf(name)),
        differences(definitions.map(({ line }) => line)),
        differences(references.map(({ name }) => numberOf(name))),
        references.map(({ count }) => count),
        differences(members.map(({ name }) => numberOf(name))),
        members.map(({ count }) => count),
        [...imports],
      ]
    },
  )
  return {
    rootPath,
    contents,
    names,
    files: files.map(({ path, stamp, hash }) => [
      path,
      stamp.sizeBytes,
      stamp.inode,
      // A time that no file has: one written just then is read again.
      stamp.isFresh ? -1 : stamp.modifiedAtMs,
      stamp.changedAtMs,
      (hash === null ? undefined : order.get(hash)) ?? -1,
    ]),
  }
}

function unpacked({ names, contents, files }: Kept): KnownTags {
  const nameOf = (number: number): string => names[number] ?? ''
  const referencesOf = (numbers: readonly number[], counts: readonly number[]) =>
    sums(numbers).map((number, index) => ({ name: nameOf(number), count: counts[index] ?? 1 }))
  const tagsByHash = new Map<string, FileTags>()
  for (const [hash, defined, lines, referred, counts, members, memberCounts, imports] of contents) {
    const lineNumbers = sums(lines)
    tagsByHash.set(hash, {
      definitions: defined.map((number, index) => ({ name: nameOf(number), line: lineNumbers[index] ?? 0 })),
      references: referencesOf(referred, counts),
      members: referencesOf(members, memberCounts),
      imports,
    })
  }
  return {
    tagsByHash,
    files: files.map(([path, sizeBytes, inode, modifiedAtMs, changedAtMs, content]): KnownFile => {
      const stamp: Stamp = { sizeBytes, inode, modifiedAtMs, changedAtMs, isFresh: false }
      return { path, stamp, hash: contents[content]?.[0] ?? null }
    }),
  }
}

function differences(numbers: readonly number[]): number[] {
  return numbers.map((number, index) => number - (numbers[index - 1] ?? 0))
}

function sums(numbers: readonly number[]): number[] {
  let sum = 0
  return numbers.map((number) => {
    sum += number
    return sum
  })
}
