import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs'

const SAFELY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * The bytes of a plain file; null for what is none, is too large, cannot be read or lies elsewhere than its path says.
 * No link is followed: what was opened is asked where it is, and that has to be the path. [MAP2]
 *
 * @param path - a real folder's path with a name of a file below it.
 */
export function readPlainFile(
  path: string,
  { limitBytes, hardLinks }: { readonly limitBytes: number; readonly hardLinks: 'refuse' | 'use' },
): Buffer | null {
  const descriptor = orNull(() => openSync(path, SAFELY))
  if (descriptor === null) return null
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > limitBytes || (stats.nlink > 1 && hardLinks === 'refuse')) return null
    if (placeOf(descriptor, path) !== path) return null
    return readUpTo(descriptor, { sizeBytes: stats.size, limitBytes })
  } finally {
    closeSync(descriptor)
  }
}

/** Where an open file lies. Without `/proc` the path is asked again, which a swap in between could deceive. */
function placeOf(descriptor: number, path: string): string | null {
  return orNull(() => readlinkSync(`/proc/self/fd/${descriptor}`)) ?? orNull(() => realpathSync(path))
}

function readUpTo(
  descriptor: number,
  { sizeBytes, limitBytes }: { readonly sizeBytes: number; readonly limitBytes: number },
): Buffer | null {
  // One byte more than the system says, so that a file that grows meanwhile is seen to.
  const bytes = Buffer.allocUnsafe(Math.min(sizeBytes, limitBytes) + 1)
  let count = 0
  while (count < bytes.byteLength) {
    const read = orNull(() => readSync(descriptor, bytes, count, bytes.byteLength - count, count))
    if (read === null) return null
    if (read === 0) break
    count += read
  }
  return bytes.subarray(0, Math.min(count, sizeBytes))
}

/** What the system refuses is not there for us. */
function orNull<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
