import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'

/**
 * A folder that is held open. Names in it are reached through `at`: where the system shows open files as
 * `/proc/self/fd/N`, that is the folder itself, wherever it was moved and whatever now bears its name; elsewhere
 * it is the path, and `isStillThere` has to be asked.
 */
export interface HeldFolder {
  readonly handle: FileHandle
  /** From the root of the workspace; empty for the root. */
  readonly segments: readonly string[]
  /** What a name of a child is appended to, behind a slash. */
  readonly at: string
}

/** How folders are held: by their open handle, safe against races, or by their path, checked before and after. */
export type Holding = 'by-handle' | 'by-path'

/** Never follows a link in the last place, never waits for a pipe, never becomes our terminal. */
export const OPEN_SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/** Opens a folder. @throws the system's ENOTDIR or ELOOP when it is none. */
export async function holdFolder(
  path: string,
  { segments, holding }: { readonly segments: readonly string[]; readonly holding: Holding },
): Promise<HeldFolder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | OPEN_SAFELY)
  return { handle, segments, at: holding === 'by-handle' ? `/proc/self/fd/${handle.fd}` : path }
}

/** Whether the path by which a folder is reached still leads to it; always so when it is held by its handle. */
export async function isStillThere(folder: HeldFolder): Promise<boolean> {
  if (folder.at.startsWith('/proc/self/fd/')) return true
  const [held, named] = await Promise.all([folder.handle.stat(), statOrNull(folder.at)])
  return named !== null && named.dev === held.dev && named.ino === held.ino
}

/** Looks at a name without following it; null when there is none. */
export async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}
