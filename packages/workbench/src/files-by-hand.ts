import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { BlobReference, Clock } from '@holdfast/conversation'
import type { PlaceQuery } from '@holdfast/engine'
import type { BlobSink, FileChange } from '@holdfast/tool'
import {
  FileRefusal,
  type FolderWatch,
  type FoundLines,
  findPaths,
  type ListedFolder,
  type ListWish,
  listFolder,
  type Machine,
  type OpenedFile,
  type OpenWish,
  openFile,
  type PlaceNews,
  type SavedFile,
  type SaveWish,
  type SeenPlace,
  saveFile,
  searchLines,
  type Workspace,
  waitForChange,
} from '@holdfast/toolbox'
import { type GitMarks, readGitMarks } from './git-marks.ts'
import type { KnownFiles } from './known-files.ts'
import type { Places } from './places.ts'
import type { Git } from './worktrees/git.ts'

/** Whose place it is: a conversation's, or a workspace's where there is none. */
export interface HandPlace extends PlaceQuery {
  readonly conversationId: string | null
}

/**
 * The files of places as a person reads and writes them in the page. The same guards hold as for the tools of agents, and
 * who may use a place is asked each time. Everything throws {FileRefusal}. [WS16, WS17, WS18]
 */
export interface FilesByHand {
  list(place: HandPlace, wish: ListWish): Promise<ListedFolder & { readonly folder: string }>
  open(place: HandPlace, wish: OpenWish): Promise<OpenedFile>
  /** What is saved is the person's: no call of an agent that runs meanwhile is said to have done it. [WS19] */
  save(place: HandPlace, wish: SaveWish, signal: AbortSignal): Promise<SavedFile>
  search(
    place: HandPlace,
    words: string,
    signal: AbortSignal,
  ): Promise<FoundLines & { readonly paths: readonly string[] }>
  marks(place: HandPlace): Promise<GitMarks>
  wait(
    place: HandPlace,
    wish: { readonly seen: readonly SeenPlace[]; readonly limitMs: number },
    signal: AbortSignal,
  ): Promise<PlaceNews>
}

/** What it is made of. */
export interface FilesByHandDeps {
  readonly places: Places
  readonly machine: () => Machine | null
  /** Null where there is none on the machine. */
  readonly git: Git | null
  readonly watch: Pick<FolderWatch, 'told' | 'heard'>
  readonly knownFiles: Pick<KnownFiles, 'note'>
  readonly clock: Clock
}

/** So long a search takes at most, in milliseconds; what was found by then is shown. */
const SEARCH_MS = 10_000
const NAMES_MS = 2_000
/** Who waits beyond is answered at once, and asks again. */
const MOST_WAITING = 64
/** So soon they are answered, in milliseconds. */
const CROWDED_MS = 1_000

/** Makes them. */
export function createFilesByHand(deps: FilesByHandDeps): FilesByHand {
  const { places, clock } = deps
  let waitingCount = 0
  /** One question to git for all who ask meanwhile, by folder. */
  const asking = new Map<string, Promise<GitMarks>>()

  async function inPlace<Value>(place: HandPlace, work: (workspace: Workspace) => Promise<Value>): Promise<Value> {
    const folder = places.folderOf(place)
    if (folder === null) throw noPlace()
    try {
      return await work(places.workspaceAt(folder))
    } catch (error) {
      if (error instanceof FileRefusal && !existsSync(folder)) throw gone(folder)
      throw error
    }
  }

  return {
    list: (place, wish) =>
      inPlace(place, async (workspace) => ({ ...(await listFolder(workspace, wish)), folder: workspace.rootPath })),
    open: (place, wish) => inPlace(place, (workspace) => openFile(workspace, wish)),
    save: (place, wish, signal) =>
      inPlace(place, async (workspace) => {
        const made: FileChange[] = []
        const ports = {
          blobSink: deps.watch.heard(workspace, HASHING),
          onChanged(changes: readonly FileChange[]) {
            deps.watch.told(workspace, changes)
            made.push(...changes)
          },
        }
        const saved = await saveFile(workspace, wish, { ports, call: { signal } })
        const { conversationId, ownerId, settings } = place
        const written = { conversationId: conversationId ?? '', ownerId, settings, changes: made }
        await deps.knownFiles.note({ ...written, how: 'own', by: 'a person' })
        return saved
      }),
    search: (place, words, signal) =>
      inPlace(place, async (workspace) => {
        const program = deps.machine()?.ripgrep ?? null
        const ripgrep = program === null ? null : { program, clock }
        const limit = new AbortController()
        const cancel = clock.after(SEARCH_MS, () => limit.abort())
        try {
          const [paths, found] = await Promise.all([
            findPaths(workspace, { words, limitMs: NAMES_MS }),
            searchLines(workspace, { words, ripgrep, signal: AbortSignal.any([signal, limit.signal]) }),
          ])
          return { paths, ...found }
        } catch (error) {
          if (!limit.signal.aborted) throw error
          throw new FileRefusal({
            code: 'system',
            path: '.',
            message: `The search took longer than ${SEARCH_MS} ms. Search for more letters.`,
          })
        } finally {
          cancel()
        }
      }),
    marks: (place) =>
      inPlace(place, async ({ rootPath }) => {
        const { git } = deps
        if (git === null) return { branch: null, marks: [], isCut: false }
        const known = asking.get(rootPath)
        if (known) return known
        const asked = readGitMarks(git, rootPath)
        asking.set(rootPath, asked)
        try {
          return await asked
        } finally {
          asking.delete(rootPath)
        }
      }),
    wait: (place, { seen, limitMs }, signal) =>
      inPlace(place, async (workspace) => {
        const isCrowded = waitingCount >= MOST_WAITING
        waitingCount += 1
        try {
          const most = isCrowded ? Math.min(limitMs, CROWDED_MS) : limitMs
          return await waitForChange(workspace, { seen, limitMs: most, signal, clock })
        } finally {
          waitingCount -= 1
        }
      }),
  }
}

/** Nothing of a person's own words is kept beside the file: they are named by their hash, and passed on. */
const HASHING: BlobSink = {
  async keep(content, { mediaType }): Promise<BlobReference> {
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const piece of content) {
      hash.update(piece)
      sizeBytes += piece.byteLength
    }
    return { hash: hash.digest('hex'), sizeBytes, mediaType }
  },
}

function noPlace(): FileRefusal {
  return new FileRefusal({
    code: 'not-found',
    path: '.',
    message: 'The folder is not there any more, or is not open to you.',
  })
}

function gone(folder: string): FileRefusal {
  return new FileRefusal({ code: 'not-found', path: '.', message: `The folder ${folder} is not there any more.` })
}
