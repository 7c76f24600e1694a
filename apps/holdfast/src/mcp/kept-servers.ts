import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Records } from '@holdfast/conversation'
import type { PinStore, SignInStore } from '@holdfast/mcp'
import { PinnedServer, SignInState } from '@holdfast/mcp/settings'
import * as z from 'zod'

/** The owner of what belongs to the installation. */
const INSTALLATION = 'installation'

const PINNED = { kind: 'mcp-pinned', schema: PinnedServer } as const
const SWITCHED = { kind: 'mcp-switched', schema: z.object({ on: z.boolean() }) } as const

/** Keeps what was accepted of servers beside the log. */
export function createPinStore(records: Records, clock: Clock): PinStore {
  return {
    read: async (server) => (await records.get(PINNED, { ownerId: INSTALLATION, id: server }))?.value ?? null,
    async write(server, pinned) {
      const key = { ownerId: INSTALLATION, id: server }
      const revision = (await records.get(PINNED, key))?.revision ?? 0
      await records.put(PINNED, { ...key, revision, value: pinned, at: clock.now() })
    },
  }
}

/** Whether a server was switched by hand, and how; null where the file says it. */
export async function switchedOn(records: Records, server: string): Promise<boolean | null> {
  return (await records.get(SWITCHED, { ownerId: INSTALLATION, id: server }))?.value.on ?? null
}

/** Notes how a server was switched by hand. */
export async function keepSwitch(
  { records, clock }: { readonly records: Records; readonly clock: Clock },
  server: string,
  on: boolean,
): Promise<void> {
  const key = { ownerId: INSTALLATION, id: server }
  const revision = (await records.get(SWITCHED, key))?.revision ?? 0
  await records.put(SWITCHED, { ...key, revision, value: { on }, at: clock.now() })
}

/**
 * Keeps sign-ins in files of a private folder: a backup of the database, or a copy of it, holds no token. [SEC4]
 */
export function createSignInStore(dataDir: string): SignInStore {
  const folder = join(dataDir, 'mcp-sign-ins')
  const pathOf = (server: string): string =>
    join(folder, `${createHash('sha256').update(server).digest('hex').slice(0, 32)}.json`)
  return {
    async read(server) {
      try {
        return SignInState.parse(JSON.parse(await readFile(pathOf(server), 'utf8')))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },
    async write(server, state) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = pathOf(server)
      await writeFile(`${path}.new`, JSON.stringify(state), { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
  }
}
