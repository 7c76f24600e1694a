import { createMemories } from '@holdfast/engine'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { createServer } from './create-server.ts'
import { createStartUpToken } from './door/start-up-token.ts'
import type { Server, ServerDeps } from './server-deps.ts'

/** What a server stands on, and what of it is otherwise than usually in a test. */
export interface TestServerParts
  extends Pick<ServerDeps, 'engine' | 'bus' | 'store' | 'records'>,
    Partial<Omit<ServerDeps, 'engine' | 'bus' | 'store' | 'records'>> {
  /** What its start-up token is made of. */
  readonly token: string
}

/** A real server for one person by the clock of this machine: it prints nothing, serves no page, and names no providers. */
export function createTestServer({ token, ...parts }: TestServerParts): Promise<Server> {
  const ignore = (): void => {}
  return createServer({
    memories: createMemories({ records: parts.records, clock: systemClock, ids: systemIds, isShared: false }),
    ids: systemIds,
    clock: systemClock,
    models: () => ({
      defaultModelId: null,
      permissionMode: 'ask',
      silence: { firstEventMs: 120_000, betweenEventsMs: 300_000 },
      providers: [],
    }),
    log: { info: ignore, warn: ignore, error: ignore },
    version: '0.0.0-test',
    serverId: systemIds.next('run'),
    startupToken: createStartUpToken({ token, clock: systemClock }),
    webRoot: null,
    ...parts,
  })
}
