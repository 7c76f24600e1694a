import { FileRefusal } from '../workspace/file-refusal.ts'
import type { HeldFolder } from '../workspace/held-folder.ts'
import { isIgnored } from '../workspace/ignore-rules.ts'
import { entriesOf, type FolderEntry, rulesAbove, rulesIn } from '../workspace/walk-files.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { withFolder } from './with-folder.ts'

/** One thing in a folder, as a person sees it. */
export interface ListedEntry extends FolderEntry {
  /** Whether `.gitignore` files name it, or a folder that it is in. */
  readonly isIgnored: boolean
}

/** A part of a folder, folders first and then by name. */
export interface ListedFolder {
  /** Real names from the root, joined by slashes; `.` for the root. */
  readonly path: string
  readonly entries: readonly ListedEntry[]
  /** Of all that it holds. */
  readonly totalCount: number
  /** Whether it holds more than are counted. */
  readonly isCut: boolean
}

/** Which part of which folder. */
export interface ListWish {
  readonly path: string
  /** Entries before the first that is wanted. */
  readonly from: number
  readonly limitCount: number
}

/** Names of one folder, at most; what is beyond is said to be there. */
const MOST_ENTRIES = 200_000

/**
 * Lists a folder for a person. Git's own folder and what belongs to the server are left out. [WS16]
 *
 * @throws {FileRefusal} when it is none, or is not in the workspace.
 */
export function listFolder(workspace: Workspace, { path, from, limitCount }: ListWish): Promise<ListedFolder> {
  return withFolder(workspace, path, async (folder) => {
    const found = await entriesOf(folder, MOST_ENTRIES + 1)
    const shown = found.slice(0, MOST_ENTRIES).filter(({ name }) => isShown(workspace, [...folder.segments, name]))
    const folders = shown.filter(({ type }) => type === 'folder')
    const others = shown.filter(({ type }) => type !== 'folder')
    const part = [...folders, ...others].slice(from, from + limitCount)
    return {
      path: folder.segments.join('/') || '.',
      entries: await withIgnored(workspace, folder, part),
      totalCount: shown.length,
      isCut: found.length > MOST_ENTRIES,
    }
  })
}

function isShown({ rootPath, closed }: Workspace, segments: readonly string[]): boolean {
  return segments.at(-1) !== '.git' && !closed.covers([rootPath, ...segments].join('/'))
}

async function withIgnored(
  workspace: Workspace,
  folder: HeldFolder,
  entries: readonly FolderEntry[],
): Promise<readonly ListedEntry[]> {
  const { segments } = folder
  const ruleSets = await rulesOf(workspace, folder)
  const isWhole = segments.some((_, depth) =>
    isIgnored(segments.slice(0, depth + 1), {
      isFolder: true,
      ruleSets: ruleSets.filter(({ folderDepth }) => folderDepth <= depth),
    }),
  )
  return entries.map(({ name, type }) => ({
    name,
    type,
    isIgnored: isWhole || isIgnored([...segments, name], { isFolder: type === 'folder', ruleSets }),
  }))
}

async function rulesOf(workspace: Workspace, folder: HeldFolder) {
  try {
    const own = await rulesIn(workspace, folder)
    const above = await rulesAbove(workspace, folder.segments)
    return own === null ? above : [...above, own]
  } catch (error) {
    // A folder above that is not ours to read, or is being moved: nothing is dimmed.
    if (error instanceof FileRefusal) return []
    throw error
  }
}
