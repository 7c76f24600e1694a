import { constants } from 'node:fs'
import { link, open, rename, unlink } from 'node:fs/promises'
import { systemCode } from './file-refusal.ts'

/**
 * Moves a file to a name that nobody has, whole and at once. Unlike a rename it never replaces what appeared meanwhile.
 *
 * Where the disk gives no file a second name (FAT, exFAT, many shares), or not this one, the new name is taken by an empty file
 * first, as only one can do, and then the whole one comes in its place.
 *
 * @throws the system's EEXIST when somebody has the name.
 */
export async function moveToNewName(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!WITHOUT_LINKS.has(systemCode(error))) throw error
    await takeName(to)
    try {
      await rename(from, to)
    } catch (cause) {
      await unlink(to)
      throw cause
    }
    return
  }
  await unlink(from)
}

const WITHOUT_LINKS: ReadonlySet<string | null> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

async function takeName(path: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(path, flags, 0o600)
  await handle.close()
}
