import { createHash } from 'node:crypto'
import { type Clock, createTurns, type Records, RevisionConflictError } from '@holdfast/conversation'
import type { PlaceQuery, WrittenFiles } from '@holdfast/engine'
import type { FileChange } from '@holdfast/tool'
import type { FileOrigins } from '@holdfast/toolbox'
import * as z from 'zod'

/** A file or folder that strangers may have written, or somebody else than whoever reads it. */
const StrangersFile = z.object({
  /** SHA-256 of its path, so that no name of a file outlives the conversation that it was in; or a content. [LOG9] */
  place: z.string().min(1),
  /** SHA-256 of the path of every folder above it. */
  above: z.array(z.string()),
  /** SHA-256 of what was written there; null for a folder and where it is not known. */
  hash: z.string().nullable(),
  /** Whether all that lies below counts as well. */
  whole: z.boolean(),
  how: z.enum(['brought', 'written', 'own']),
  conversationId: z.string(),
  ownerId: z.string(),
  by: z.string(),
})
type StrangersFile = z.infer<typeof StrangersFile>

const KIND = { kind: 'strangers-place', schema: StrangersFile } as const

/** As it was kept first: by its path. */
const ByPath = z.object({ ...StrangersFile.omit({ place: true, above: true }).shape, path: z.string().min(1) })
const KIND_BY_PATH = { kind: 'strangers-file', schema: ByPath } as const

/** Files belong to a folder of this installation, not to a person. */
const INSTALLATION = 'installation'
/** Stands before the hash of a content of which no place is known. */
const CONTENT = 'content '
const PAGE = 1_000
const WRITTEN_AT_ONCE = 8

/** Who reads files. */
export interface FileReader {
  readonly conversationId: string
  readonly ownerId: string
}

/** What is known of where files came from, for all conversations, kept in the records. [PERM7] */
export interface KnownFiles {
  /** As one conversation sees it: what it wrote itself brings it nothing new. */
  seenBy(reader: FileReader): FileOrigins
  /** Durable when it resolves. */
  note(written: WrittenFiles): Promise<void>
  /** Told what a person brought back: it is theirs again, but for contents of which strangers' are known. */
  restored(restored: Pick<WrittenFiles, 'ownerId' | 'settings' | 'changes'>): Promise<void>
}

/** What it is made of. */
export interface KnownFilesDeps {
  readonly records: Records
  readonly clock: Clock
  /** The folder of a conversation; null for none. */
  readonly folderOf: (query: PlaceQuery) => string | null
  /** Whether several people may use one folder: then what one's agents write is a stranger's to the others. */
  readonly hasAccounts: boolean
}

interface Index {
  readonly byPlace: Map<string, { readonly file: StrangersFile; readonly revision: number }>
  readonly byHash: Map<string, StrangersFile>
}

/** Reads what is known with the first question. */
export function createKnownFiles({ records, clock, folderOf, hasAccounts }: KnownFilesDeps): KnownFiles {
  let opening: Promise<Index> | null = null
  const open = () => {
    opening ??= readAll(records, clock).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }

  /** One after the other: each begins with what the one before it wrote. */
  const inTurn = createTurns()

  async function put({ byPlace, byHash }: Index, file: StrangersFile): Promise<void> {
    const known = byPlace.get(file.place)
    // What strangers wrote stays theirs when somebody adds to it.
    const how = known?.file.how === 'brought' ? known.file.how : file.how
    const value = { ...file, how, whole: file.whole || known?.file.whole === true }
    const revision = await write(value, known?.revision ?? 0)
    byPlace.set(file.place, { file: value, revision })
    if (value.hash !== null) byHash.set(value.hash, value)
  }

  async function write(value: StrangersFile, revision: number): Promise<number> {
    const entry = { ownerId: INSTALLATION, id: value.place, value, at: clock.now() }
    try {
      return (await records.put(KIND, { ...entry, revision })).revision
    } catch (error) {
      // Another process that uses the folder was first: what it knows is written over by what is newer.
      if (!(error instanceof RevisionConflictError)) throw error
      return (await records.put(KIND, { ...entry, revision: error.currentRevision })).revision
    }
  }

  /** What stood in a place may be copied by now, or be brought back. */
  async function keepContent(index: Index, place: string): Promise<void> {
    const file = index.byPlace.get(place)?.file
    const own = `${CONTENT}${file?.hash}`
    if (file && file.hash !== null && !index.byPlace.has(own)) await put(index, { ...file, place: own, above: [] })
  }

  async function forget(index: Index, path: string): Promise<void> {
    const { byPlace } = index
    const place = placeOf(path)
    const known = byPlace.get(place)
    if (known === undefined) return
    await keepContent(index, place)
    byPlace.delete(place)
    await records.remove(KIND, { ownerId: INSTALLATION, id: place, revision: known.revision })
  }

  return {
    note: (written) =>
      inTurn(async () => {
        const { changes, how } = written
        const root = folderOf(written)
        if (root === null) return
        const index = await open()
        for (const { path, kind } of changes) if (kind === 'deleted') await forget(index, `${root}/${path}`)
        if (how === 'own' && !hasAccounts) return
        const noted = changes
          .filter((change) => isNoted(change, changes))
          .map((change) => fileOf(change, written, root))
        const files = [...new Map(noted.map((file) => [file.place, file])).values()]
        for (const { place, hash } of files)
          if (index.byPlace.get(place)?.file.hash !== hash) await keepContent(index, place)
        for (let at = 0; at < files.length; at += WRITTEN_AT_ONCE)
          await Promise.all(files.slice(at, at + WRITTEN_AT_ONCE).map((file) => put(index, file)))
      }),
    restored: ({ changes, ...query }) =>
      inTurn(async () => {
        const root = folderOf(query)
        if (root === null) return
        const index = await open()
        for (const { path, after } of changes)
          if (after === undefined || !index.byHash.has(after.hash)) await forget(index, `${root}/${path}`)
      }),
    seenBy: (reader) => ({
      async strangerAt({ absolutePath, hash }) {
        const { byPlace, byHash } = await open()
        const above = foldersAbove(absolutePath).flatMap((folder) => byPlace.get(placeOf(folder))?.file ?? [])
        const candidates = [
          byPlace.get(placeOf(absolutePath))?.file,
          ...above.filter(({ whole }) => whole),
          hash === null ? undefined : byHash.get(hash),
        ]
        const found = candidates.find((file) => file !== undefined && isStrangers(file, reader))
        // What another conversation wrote is its model's words: once they are known, another file of it brings no new ones.
        return found === undefined ? null : { key: found.how === 'brought' ? null : found.conversationId }
      },
      async hasStrangersBelow(absolutePath) {
        const { byPlace } = await open()
        const folder = placeOf(absolutePath)
        return [...byPlace.values()].some(({ file }) => file.above.includes(folder) && isStrangers(file, reader))
      },
    }),
  }
}

async function readAll(records: Records, clock: Clock): Promise<Index> {
  await takeOver(records, clock)
  const index: Index = { byPlace: new Map(), byHash: new Map() }
  let afterId: string | undefined
  for (;;) {
    const from = afterId === undefined ? {} : { afterId }
    const page = await records.list(KIND, { ownerId: INSTALLATION, limit: PAGE, ...from })
    for (const { value, revision } of page) {
      index.byPlace.set(value.place, { file: value, revision })
      if (value.hash !== null) index.byHash.set(value.hash, value)
    }
    afterId = page.at(-1)?.id
    if (page.length < PAGE) return index
  }
}

/** What an older version kept by path is kept by place from now on. */
async function takeOver(records: Records, clock: Clock): Promise<void> {
  for (;;) {
    const page = await records.list(KIND_BY_PATH, { ownerId: INSTALLATION, limit: PAGE })
    if (page.length === 0) return
    for (const { id, revision, value } of page) {
      const { path, ...known } = value
      const isContent = path.startsWith(CONTENT)
      const place = isContent ? path : placeOf(path)
      const above = isContent ? [] : foldersAbove(path).map(placeOf)
      const key = { ownerId: INSTALLATION, id: place }
      const earlier = await records.get(KIND, key)
      if (!earlier) await records.put(KIND, { ...key, revision: 0, value: { ...known, place, above }, at: clock.now() })
      await records.remove(KIND_BY_PATH, { ownerId: INSTALLATION, id, revision })
    }
  }
}

function placeOf(path: string): string {
  return createHash('sha256').update(path).digest('hex')
}

function isStrangers({ how, conversationId, ownerId }: StrangersFile, reader: FileReader): boolean {
  switch (how) {
    case 'brought':
      return true
    case 'written':
      return conversationId !== reader.conversationId
    case 'own':
      return ownerId !== reader.ownerId
  }
}

/** Folders count only where it is not said what came into them. */
function isNoted({ path, kind, entity, notKept }: FileChange, changes: readonly FileChange[]): boolean {
  if (kind === 'deleted' || path === '.') return false
  const isCut = changes.some((change) => change.path === '.')
  return entity !== 'folder' || (kind === 'created' && (notKept !== undefined || isCut))
}

function fileOf(change: FileChange, { how, by, conversationId, ownerId }: WrittenFiles, root: string): StrangersFile {
  const { entity, after } = change
  const path = `${root}/${change.path}`
  return {
    place: placeOf(path),
    above: foldersAbove(path).map(placeOf),
    hash: after?.hash ?? null,
    whole: entity === 'folder',
    how,
    by,
    conversationId,
    ownerId,
  }
}

function foldersAbove(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1, -1).map((_, index) => names.slice(0, index + 2).join('/'))
}
