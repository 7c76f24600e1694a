import { FileRefusal } from '../workspace/file-refusal.ts'
import type { HeldFolder } from '../workspace/held-folder.ts'
import { absentInWords, enter, withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Holds a folder of the workspace open while it is used. @throws {FileRefusal} when it is none, or is not in it. */
export function withFolder<Value>(
  workspace: Workspace,
  path: string,
  use: (folder: HeldFolder) => Promise<Value>,
): Promise<Value> {
  const walk = { path, lastLink: 'follow', missingFolders: 'refuse', letters: 'any' } as const
  return withPlace(workspace, walk, async ({ folder, name, stats, path: real }) => {
    if (name === null) return use(folder)
    if (stats === null)
      throw new FileRefusal({ code: 'not-found', path, message: await absentInWords(path, { folder, name }) })
    if (!stats.isDirectory()) throw new FileRefusal({ code: 'not-a-folder', path, message: `${real} is not a folder.` })
    const inner = await enter(workspace, { folder, name })
    try {
      return await use(inner)
    } finally {
      await inner.handle.close()
    }
  })
}
