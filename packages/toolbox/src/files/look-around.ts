import { readBytes } from '../workspace/file-bytes.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { walkFiles } from '../workspace/walk-files.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { readText } from './text-file.ts'

/** Files and folders that are looked at for names, at most. */
const LOOKED_AT = 50_000
/** As many names are enough to choose from. */
const MOST_FOUND = 30
/** A longer text is not shown beside what would become of it, in bytes. */
const LONGEST_TEXT_BYTES = 1 << 20

/**
 * Paths of files whose letters hold the words, those first whose own name begins with them, then the shorter ones. What
 * `.gitignore` files name is left out.
 */
export async function findPaths(
  workspace: Workspace,
  { words, limitMs }: { readonly words: string; readonly limitMs: number },
): Promise<readonly string[]> {
  const wanted = words.toLowerCase()
  const found: string[] = []
  const signal = AbortSignal.timeout(limitMs)
  try {
    await walkFiles(workspace, {
      path: '.',
      ignored: 'skip',
      signal,
      limitCount: LOOKED_AT,
      onFile: async ({ path }) => {
        if (path.toLowerCase().includes(wanted)) found.push(path)
        return wanted !== '' || found.length < MOST_FOUND
      },
    })
  } catch (error) {
    // What was found until then is shown.
    if (!signal.aborted && !(error instanceof FileRefusal)) throw error
  }
  return found.toSorted((one, other) => rankOf(one, wanted) - rankOf(other, wanted)).slice(0, MOST_FOUND)
}

/** The text of a file of a workspace; null where there is none, or it is no text or a long one. */
export async function readWorkspaceText(workspace: Workspace, path: string): Promise<string | null> {
  try {
    const { bytes } = await readBytes(workspace, { path, limitBytes: LONGEST_TEXT_BYTES })
    return readText(bytes)?.text ?? null
  } catch (error) {
    if (error instanceof FileRefusal) return null
    throw error
  }
}

function rankOf(path: string, wanted: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const nearness = name.startsWith(wanted) ? 0 : name.includes(wanted) ? 1 : 2
  return nearness * 10_000 + Math.min(path.length, 9_999)
}
