import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What a folder with all in it takes on the disk, in bytes. What goes meanwhile counts nothing. */
export async function sizeOnDisk(folder: string): Promise<number> {
  let sizeBytes = 0
  const open = [folder]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const at = next
    const names = await orGone(() => readdir(at, { withFileTypes: true }))
    const sizes = await Promise.all(
      (names ?? []).map(async (name) => {
        const path = join(at, name.name)
        if (name.isDirectory()) open.push(path)
        return ((await orGone(() => lstat(path)))?.blocks ?? 0) * BLOCK_BYTES
      }),
    )
    for (const size of sizes) sizeBytes += size
  }
  return sizeBytes
}

/** The unit in which the system counts blocks, whatever those of the disk are. */
const BLOCK_BYTES = 512

async function orGone<Value>(look: () => Promise<Value>): Promise<Value | null> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Error && 'code' in error && GONE.has(error.code)) return null
    throw error
  }
}

const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EACCES'])
