import { CHANGEABLE_BYTES } from '../workspace/change-file.ts'
import { hashOf, openAt, readFrom } from '../workspace/file-bytes.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import { withPlace } from '../workspace/walk-path.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A file, or a piece of it, as it was at one moment. */
export interface OpenedFile {
  /** Real names from the root, joined by slashes. */
  readonly path: string
  readonly sizeBytes: number
  /** SHA-256 of the whole content, in lower-case hexadecimal; null for one that is too large to be changed. */
  readonly hash: string | null
  /** Where the piece begins. */
  readonly from: number
  readonly bytes: Uint8Array
}

/** Which bytes are wanted, the last included; all of them for null. */
export interface OpenWish {
  readonly path: string
  readonly range: { readonly from: number; readonly to: number } | null
}

/**
 * Reads a file for a person. A large one is read in pieces. [WS17]
 *
 * @throws {FileRefusal} when it is none, is not in the workspace, or is too large to be read whole.
 */
export function openFile(workspace: Workspace, { path, range }: OpenWish): Promise<OpenedFile> {
  const walk = { path, lastLink: 'follow', missingFolders: 'refuse', letters: 'any' } as const
  return withPlace(workspace, walk, (place) =>
    openAt(workspace, place, async (handle, { size }) => {
      const from = range?.from ?? 0
      if (size > CHANGEABLE_BYTES) {
        if (range === null || range.to - range.from >= CHANGEABLE_BYTES)
          throw new FileRefusal({
            code: 'too-large',
            path,
            message: `${place.path} has ${size} bytes; ${CHANGEABLE_BYTES} are given at once. Ask for a range of it.`,
          })
        const bytes = await readFrom(handle, { from, limitBytes: range.to - range.from + 1, sizeBytes: size })
        return { path: place.path, sizeBytes: size, hash: null, from, bytes }
      }
      const whole = await readFrom(handle, { from: 0, limitBytes: CHANGEABLE_BYTES, sizeBytes: size })
      const bytes = range === null ? whole : whole.subarray(range.from, range.to + 1)
      return { path: place.path, sizeBytes: whole.byteLength, hash: hashOf(whole), from, bytes }
    }),
  )
}
