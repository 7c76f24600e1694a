import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { RefusedError } from '../parts/to-problem.ts'

/** Names a file that is imported. */
export interface SourceKey {
  readonly userId: string
  readonly importId: string
}

/** Where files wait until they are imported: a folder of each user. */
export interface SourceFolder {
  pathOf(key: SourceKey): string
  /**
   * Keeps a file piece by piece. @returns its size in bytes.
   *
   * @throws {RefusedError} when the disk has no room for it. Nothing of it is left. What `content` throws is thrown.
   */
  keep(key: SourceKey, content: AsyncIterable<Uint8Array>): Promise<number>
  remove(key: SourceKey): Promise<void>
  sizeOf(key: SourceKey): Promise<number>
  /** The files that an earlier process has left. What had not arrived in whole is removed. */
  left(): Promise<readonly SourceKey[]>
}

const ARRIVING = '.part'
const REFUSALS: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'])

/** Keeps files in a folder of this computer. */
export function createSourceFolder(folder: string): SourceFolder {
  const folderOf = (userId: string): string => join(folder, encodeURIComponent(userId))
  const pathOf = ({ userId, importId }: SourceKey): string => join(folderOf(userId), importId)

  return {
    pathOf,
    async keep(key, content) {
      const arriving = `${pathOf(key)}${ARRIVING}`
      try {
        await mkdir(folderOf(key.userId), { recursive: true, mode: 0o700 })
        await pipeline(content, createWriteStream(arriving, { flags: 'wx', mode: 0o600, flush: true }))
        const { size } = await stat(arriving)
        await rename(arriving, pathOf(key))
        return size
      } catch (error) {
        await rm(arriving, { force: true })
        if (!(error instanceof Error && 'code' in error && REFUSALS.has(error.code))) throw error
        const words = `The file cannot be kept in ${folder} (${String(error.code)}). Make room there, or give the right to write, and send it again`
        throw new RefusedError(503, 'store-write-failed', words)
      }
    },
    sizeOf: async (key) => (await stat(pathOf(key))).size,
    remove: (key) => rm(pathOf(key), { force: true }),
    async left() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const keys: SourceKey[] = []
      for (const user of await readdir(folder))
        for (const file of await readdir(join(folder, user)))
          if (file.endsWith(ARRIVING)) await rm(join(folder, user, file))
          else keys.push({ userId: decodeURIComponent(user), importId: file })
      return keys
    },
  }
}
