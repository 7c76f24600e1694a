import type { Clock, Records } from '@holdfast/conversation'
import type { PinStore } from '@holdfast/mcp'
import { PinnedServer } from '@holdfast/mcp/settings'
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
