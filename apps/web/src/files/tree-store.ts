import { createSource, type Observable, type PlaceFiles, RequestFailedError, tellAtOnce } from '@holdfast/client'
import { answerOf } from '../shared/ask-server.ts'
import { type FolderState, NO_MARKS, ROOT, rowsOf, type TreeRow, type TreeShape, toMarks } from './tree-rows.ts'

/** The tree of a place, as far as it was opened. */
export interface TreeState extends TreeShape {
  readonly rows: readonly TreeRow[]
  /** The folder on the server; null until it is read. */
  readonly folder: string | null
}

/** Reads a tree folder by folder, and follows what changes in it while somebody looks. [UI67] */
export interface TreeStore extends Observable<TreeState> {
  toggle(path: string): void
  /** Opens the folders above a file. */
  reveal(path: string): void
  readMore(folder: string): void
  readMarks(): Promise<void>
  /** Follows until the signal fires; `onFile` is told when the file that is open may be another. */
  follow(signal: AbortSignal, file: { readonly path: () => string | null; readonly onFile: () => void }): Promise<void>
  /** Watches another file from now on. */
  watchAnew(): void
}

/** Folders and files that are watched at once, at most. */
const MOST_WATCHED = 150
/** After a question that failed so long is waited, in milliseconds. */
const FAILED_PAUSE_MS = 3_000
/** Marks are asked for again after so long, at least: a commit changes no file. In milliseconds. */
const MARKS_PAUSE_MS = 8_000

/** Makes the tree of a place. */
export function createTreeStore(files: PlaceFiles): TreeStore {
  const first: TreeShape = { folders: new Map(), open: new Set(), marks: NO_MARKS }
  const source = createSource<TreeState>({ ...first, rows: rowsOf(first), folder: null }, tellAtOnce)
  const reading = new Set<string>()
  /** Those that became others while they were read. */
  const again = new Set<string>()
  let isAskingMarks = false
  let isMarksStale = false
  /** Ends the wait that is under way, where something else is to be watched. */
  let watchAnew = (): void => {}

  function change(changes: Partial<Omit<TreeState, 'rows'>>): void {
    const next = { ...source.getSnapshot(), ...changes }
    source.set({ ...next, rows: rowsOf(next) })
  }

  function setFolder(path: string, state: FolderState): void {
    change({ folders: new Map([...source.getSnapshot().folders, [path, state]]) })
  }

  /** Reads a folder anew, as far as it was read before. */
  async function readFolder(path: string): Promise<void> {
    if (reading.has(path)) {
      again.add(path)
      return
    }
    reading.add(path)
    const before = source.getSnapshot().folders.get(path)
    const answer = await answerOf(pagesOf(files, path, before?.entries.length ?? 0))
    reading.delete(path)
    if (again.delete(path)) void readFolder(path)
    if (answer.value === null) {
      setFolder(path, { entries: [], totalCount: 0, isCut: false, problem: answer.problem })
      return
    }
    const { folder, entries, totalCount, isCut } = answer.value
    change({ folder })
    setFolder(path, { entries, totalCount, isCut, problem: null })
  }

  async function readMore(path: string): Promise<void> {
    const before = source.getSnapshot().folders.get(path)
    if (before === undefined || reading.has(path)) return
    reading.add(path)
    const answer = await answerOf(files.list(path, before.entries.length))
    reading.delete(path)
    if (answer.value === null) return setFolder(path, { ...before, problem: answer.problem })
    const known = new Set(before.entries.map(({ name }) => name))
    const added = answer.value.entries.filter(({ name }) => !known.has(name))
    const { totalCount, isCut } = answer.value
    // A folder from which much was taken meanwhile: nothing more comes, and what is here is all.
    const count = added.length === 0 ? before.entries.length : totalCount
    setFolder(path, { entries: [...before.entries, ...added], totalCount: count, isCut, problem: null })
  }

  async function readMarks(): Promise<void> {
    if (isAskingMarks) {
      isMarksStale = true
      return
    }
    isAskingMarks = true
    do {
      isMarksStale = false
      const { value } = await answerOf(files.marks())
      if (value !== null) change({ marks: toMarks(value.marks, value) })
    } while (isMarksStale)
    isAskingMarks = false
  }

  /** The file that is open and the open folders, with what they are known by; what is in a closed one is read when it is opened. */
  function watched(file: string | null, stamps: ReadonlyMap<string, string>) {
    const open = source.getSnapshot().rows.flatMap((row) => (row.type === 'entry' && row.isOpen ? [row.path] : []))
    const wanted = [...new Set([...(file === null ? [] : [file]), ROOT, ...open])].slice(0, MOST_WATCHED)
    return wanted.map((path) => ({ path, stamp: stamps.get(path) ?? '' }))
  }

  return {
    getSnapshot: source.getSnapshot,
    subscribe: source.subscribe,
    toggle(path) {
      const open = new Set(source.getSnapshot().open)
      if (open.delete(path)) change({ open })
      else {
        change({ open: open.add(path) })
        void readFolder(path)
      }
      watchAnew()
    },
    reveal(path) {
      const names = path.split('/').slice(0, -1)
      const above = names.map((_, index) => names.slice(0, index + 1).join('/'))
      const { open, folders } = source.getSnapshot()
      if (above.every((folder) => open.has(folder))) return
      change({ open: new Set([...open, ...above]) })
      for (const folder of above) if (!folders.has(folder)) void readFolder(folder)
      watchAnew()
    },
    readMore: (folder) => void readMore(folder),
    readMarks,
    watchAnew: () => watchAnew(),
    async follow(signal, { path: openPath, onFile }) {
      const stamps = new Map<string, string>()
      const timer = setInterval(() => void readMarks(), MARKS_PAUSE_MS)
      try {
        while (!signal.aborted) {
          const file = openPath()
          const anew = new AbortController()
          watchAnew = () => anew.abort()
          const news = await newsOf(files, watched(file, stamps), AbortSignal.any([signal, anew.signal]))
          if (news === null && !anew.signal.aborted) await pause(FAILED_PAUSE_MS, signal)
          for (const { path, stamp } of news?.changed ?? []) {
            stamps.set(path, stamp)
            if (path === file) onFile()
            else void readFolder(path)
          }
          if (news !== null && (news.changed.length > 0 || news.isTouched)) void readMarks()
        }
      } finally {
        clearInterval(timer)
      }
    },
  }
}

/** A folder from its beginning, as far as is wanted. */
async function pagesOf(files: PlaceFiles, path: string, wantedCount: number) {
  let page = await files.list(path, 0)
  const entries = [...page.entries]
  while (entries.length < Math.min(wantedCount, page.totalCount) && page.entries.length > 0) {
    page = await files.list(path, entries.length)
    entries.push(...page.entries)
  }
  return { ...page, entries }
}

/** Null where there is no answer. */
async function newsOf(
  files: PlaceFiles,
  seen: readonly { readonly path: string; readonly stamp: string }[],
  signal: AbortSignal,
) {
  try {
    return await files.watch(seen, signal)
  } catch (error) {
    if (error instanceof RequestFailedError || signal.aborted) return null
    throw error
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve()
  })
  return promise
}
