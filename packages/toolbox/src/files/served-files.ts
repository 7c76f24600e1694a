import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { FileRefusal, systemCode } from '../workspace/file-refusal.ts'
import { OPEN_SAFELY } from '../workspace/held-folder.ts'
import { entriesOf } from '../workspace/walk-files.ts'
import { enter, withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What stands at a path for somebody who reads it piece by piece. */
export type OpenedToServe =
  /** Whoever gets it closes the handle. */
  | { readonly type: 'file'; readonly handle: FileHandle; readonly sizeBytes: number; readonly modifiedMs: number }
  | { readonly type: 'folder' }

/** Opens a file of a workspace; null where nothing may be read there. No name, link or race leads out. [WS1] */
export async function openToServe(workspace: Workspace, path: string): Promise<OpenedToServe | null> {
  return orNull(() =>
    withPlace(workspace, { path, lastLink: 'follow', missingFolders: 'refuse' }, async ({ folder, name, stats }) => {
      if (name === null || stats?.isDirectory()) return { type: 'folder' }
      if (stats === null) return null
      const handle = await open(`${folder.at}/${name}`, constants.O_RDONLY | OPEN_SAFELY)
      const opened = await handle.stat()
      const isOpen = opened.isFile() && !workspace.closed.are(opened)
      if (isOpen && (opened.nlink === 1 || workspace.hardLinks === 'use'))
        return { type: 'file', handle, sizeBytes: opened.size, modifiedMs: opened.mtimeMs }
      await handle.close()
      return null
    }),
  )
}

/** The names in a folder of a workspace, at most so many; empty where nothing may be read there. */
export async function namesIn(workspace: Workspace, path: string): Promise<readonly string[]> {
  const found = await orNull(() =>
    withPlace(workspace, { path, lastLink: 'follow', missingFolders: 'refuse' }, async ({ folder, name, stats }) => {
      if (name === null) return (await entriesOf(folder, MOST_NAMES)).map((entry) => entry.name)
      if (!stats?.isDirectory()) return []
      const inner = await enter(workspace, { folder, name })
      try {
        return (await entriesOf(inner, MOST_NAMES)).map((entry) => entry.name)
      } finally {
        await inner.handle.close()
      }
    }),
  )
  return found ?? []
}

const MOST_NAMES = 2_000

async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FileRefusal || systemCode(error) !== null) return null
    throw error
  }
}
