/** What is known of one folder. */
export interface FolderState {
  readonly entries: readonly TreeEntry[]
  /** Of all that it holds. */
  readonly totalCount: number
  readonly isCut: boolean
  /** Why it could not be read; null where it was. */
  readonly problem: string | null
}

/** One thing in a folder. */
export interface TreeEntry {
  readonly name: string
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly isIgnored: boolean
}

/** How a file stands against the last commit. */
export type Mark = 'new' | 'changed' | 'deleted' | 'conflict'

/** The marks of a place. */
export interface Marks {
  readonly branch: string | null
  /** By path; a folder ends in `/`, and everything in it has the mark. */
  readonly byPath: ReadonlyMap<string, Mark>
  /** Folders in which something is marked. */
  readonly above: ReadonlySet<string>
  readonly isCut: boolean
}

/** No marks. */
export const NO_MARKS: Marks = { branch: null, byPath: new Map(), above: new Set(), isCut: false }

/** One line of the tree. */
export type TreeRow =
  | {
      readonly type: 'entry'
      readonly path: string
      readonly depth: number
      readonly entry: TreeEntry
      readonly isOpen: boolean
      readonly mark: Mark | 'inside' | null
    }
  /** The folder has more entries than are here. */
  | { readonly type: 'more'; readonly path: string; readonly depth: number; readonly restCount: number }
  | { readonly type: 'note'; readonly path: string; readonly depth: number; readonly note: 'reading' | 'empty' | 'cut' }
  | { readonly type: 'problem'; readonly path: string; readonly depth: number; readonly words: string }

/** What the tree shows. */
export interface TreeShape {
  readonly folders: ReadonlyMap<string, FolderState>
  readonly open: ReadonlySet<string>
  readonly marks: Marks
}

/** The path of the folder of the place. */
export const ROOT = '.'

/** The path of a name in a folder. */
export function pathIn(folder: string, name: string): string {
  return folder === ROOT ? name : `${folder}/${name}`
}

/** Marks as they are looked up. */
export function toMarks(
  said: readonly { readonly path: string; readonly mark: Mark }[],
  { branch, isCut }: Pick<Marks, 'branch' | 'isCut'>,
): Marks {
  const above = new Set<string>()
  for (const { path } of said)
    for (let end = path.lastIndexOf('/', path.length - 2); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      if (above.has(folder)) break
      above.add(folder)
    }
  return { branch, byPath: new Map(said.map(({ path, mark }) => [path, mark])), above, isCut }
}

/** The lines of the tree, from the top. */
export function rowsOf(shape: TreeShape): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const gone = goneByFolder(shape.marks)
  addRows(rows, { shape, gone, folder: ROOT, depth: 0, inherited: null })
  return rows
}

interface Adding {
  readonly shape: TreeShape
  readonly gone: ReadonlyMap<string, readonly string[]>
  readonly folder: string
  readonly depth: number
  /** The mark of a folder in which everything has it. */
  readonly inherited: Mark | null
}

function addRows(rows: TreeRow[], { shape, gone, folder, depth, inherited }: Adding): void {
  const known = shape.folders.get(folder)
  if (known === undefined) return void rows.push({ type: 'note', path: folder, depth, note: 'reading' })
  if (known.problem !== null) rows.push({ type: 'problem', path: folder, depth, words: known.problem })
  const here = new Set<string>()
  for (const entry of known.entries) {
    here.add(entry.name)
    const path = pathIn(folder, entry.name)
    const isOpen = entry.type === 'folder' && shape.open.has(path)
    const whole = inherited ?? (entry.type === 'folder' ? (shape.marks.byPath.get(`${path}/`) ?? null) : null)
    const inside = entry.type === 'folder' && shape.marks.above.has(path) ? 'inside' : null
    const mark = whole ?? shape.marks.byPath.get(path) ?? inside
    rows.push({ type: 'entry', path, depth, entry, isOpen, mark })
    if (isOpen) addRows(rows, { shape, gone, folder: path, depth: depth + 1, inherited: whole })
  }
  const restCount = known.totalCount - known.entries.length
  // Where a part could not be read, the next is not asked for by being seen.
  if (restCount > 0 && known.problem !== null) return
  if (restCount > 0) rows.push({ type: 'more', path: folder, depth, restCount })
  else {
    for (const name of gone.get(folder) ?? []) {
      if (here.has(name)) continue
      const entry = { name, type: 'file', isIgnored: false } as const
      rows.push({ type: 'entry', path: pathIn(folder, name), depth, entry, isOpen: false, mark: 'deleted' })
    }
    if (known.isCut) rows.push({ type: 'note', path: folder, depth, note: 'cut' })
    else if (known.entries.length === 0 && known.problem === null)
      rows.push({ type: 'note', path: folder, depth, note: 'empty' })
  }
}

/** Names of files that git has and the disk has not. */
function goneByFolder({ byPath }: Marks): ReadonlyMap<string, readonly string[]> {
  const gone = new Map<string, string[]>()
  for (const [path, mark] of byPath) {
    if (mark !== 'deleted') continue
    const at = path.lastIndexOf('/')
    const folder = at === -1 ? ROOT : path.slice(0, at)
    const names = gone.get(folder) ?? []
    names.push(path.slice(at + 1))
    gone.set(folder, names)
  }
  return gone
}
