import { statfs } from 'node:fs/promises'

/** What is free for this process on the disk of a folder, in bytes. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
