import type { Stood } from '../files/change-set.ts'
import { standingNow, stoodOf } from '../files/restore-place.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What stands in a place now, with its bytes where it has any; a place that cannot be read has a reason and nothing. */
export type FoundPlace =
  | { readonly stood: Stood | null; readonly bytes: Uint8Array | null }
  | { readonly stood: null; readonly bytes: null; readonly reason: string }

/** Looks at a place as a change set would name it. */
export async function findPlace(workspace: Workspace, path: string): Promise<FoundPlace> {
  try {
    const standing = await standingNow(workspace, path)
    const bytes =
      standing?.type === 'file' ? standing.file.bytes : standing?.type === 'link' ? Buffer.from(standing.target) : null
    return { stood: stoodOf(standing), bytes }
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error
    return { stood: null, bytes: null, reason: error.message }
  }
}
