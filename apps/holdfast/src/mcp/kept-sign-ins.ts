import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SignInStore } from '@holdfast/mcp'
import { KeptSignIn } from '@holdfast/mcp/settings'
import type { Seal } from '@holdfast/server'

/**
 * Keeps sign-ins in files of a private folder, each sealed for its server: a backup of the database holds no token, and
 * a copy of the folder opens nothing. One that does not open (another key, another server's, never sealed) is removed,
 * and the person signs in again. [SEC4]
 */
export function createSignInStore({ dataDir, seal }: { readonly dataDir: string; readonly seal: Seal }): SignInStore {
  const folder = join(dataDir, 'mcp-sign-ins')
  const pathOf = (server: string): string =>
    join(folder, `${createHash('sha256').update(server).digest('hex').slice(0, 32)}.sealed`)
  return {
    async read(server) {
      const sealed = await textOf(pathOf(server))
      if (sealed === null) return null
      const opened = seal.open(sealed, server)
      if (opened !== null) return KeptSignIn.parse(JSON.parse(opened))
      await rm(pathOf(server), { force: true })
      return null
    },
    async write(server, state) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = pathOf(server)
      await writeFile(`${path}.new`, seal.seal(JSON.stringify(state), server), { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
