import {
  AgentSettings,
  type Clock,
  type Records,
  RevisionConflictError,
  type StoredRecord,
} from '@holdfast/conversation'
import { AgentVoice } from '@holdfast/protocol'
import * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'

/** Who may use an agent beside its owner. */
const Sharing = z.discriminatedUnion('type', [
  z.object({ type: z.literal('private') }),
  z.object({ type: z.literal('everyone') }),
  /** By address, in lower case, whether anybody has it or not: who shares is not told. Older ones name ids. [AGENT5] */
  z.object({ type: z.literal('people'), userIds: z.array(z.string()), emails: z.array(z.string()).default([]) }),
])

/** An agent as it is kept. */
export const StoredAgent = z.object({
  ownerId: z.string().min(1),
  name: z.string(),
  description: z.string(),
  avatar: z.string().nullable(),
  /** The digest of its picture. */
  picture: z.string().nullable().default(null),
  settings: AgentSettings,
  /** A preset of its owner, or one that comes along. */
  presetId: z.string().nullable().default(null),
  /** Null for what the installation says. */
  voice: AgentVoice.nullable().default(null),
  starters: z.array(z.string()),
  sharing: Sharing,
})
export type StoredAgent = z.infer<typeof StoredAgent>

const AGENT = { kind: 'agent', schema: StoredAgent } as const

/** All agents stand together: who may use one is asked of the agent, not of a person. */
const SHELF = 'installation'
const PAGE = 500

/** Agents of one person, at most. */
const MOST_OF_ONE = 200

/** The agents of people, as records. */
export interface StoredAgents {
  all(): Promise<readonly StoredRecord<StoredAgent>[]>
  get(id: string): Promise<StoredRecord<StoredAgent> | null>
  /** @throws {RefusedError} when another version was written since, or the owner has too many. */
  put(write: {
    readonly id: string
    readonly version: number
    readonly value: StoredAgent
  }): Promise<StoredRecord<StoredAgent>>
  /** @throws {RefusedError} when another version was written meanwhile. */
  remove(id: string, version: number): Promise<void>
}

/** Keeps agents in the records of the store. */
export function createStoredAgents({
  records,
  clock,
}: {
  readonly records: Records
  readonly clock: Clock
}): StoredAgents {
  async function all(): Promise<readonly StoredRecord<StoredAgent>[]> {
    const found: StoredRecord<StoredAgent>[] = []
    for (;;) {
      const last = found.at(-1)
      const after = last === undefined ? {} : { afterId: last.id }
      const page = await records.list(AGENT, { ownerId: SHELF, limit: PAGE, ...after })
      found.push(...page)
      if (page.length < PAGE) return found
    }
  }

  return {
    all,
    get: (id) => records.get(AGENT, { ownerId: SHELF, id }),
    async put({ id, version, value }) {
      if (version === 0) {
        const own = (await all()).filter((agent) => agent.value.ownerId === value.ownerId)
        if (own.length >= MOST_OF_ONE)
          throw new RefusedError(422, 'too-many-agents', `You have ${own.length} agents; delete one first`)
      }
      return unlessConflict(id, version, () =>
        records.put(AGENT, { ownerId: SHELF, id, revision: version, value, at: clock.now() }),
      )
    },
    remove: (id, version) =>
      unlessConflict(id, version, () => records.remove(AGENT, { ownerId: SHELF, id, revision: version })),
  }
}

async function unlessConflict<Result>(id: string, version: number, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof RevisionConflictError)) throw error
    const { currentRevision } = error
    throw new RefusedError(
      409,
      'conflict',
      `Agent ${id} is at version ${currentRevision}, not ${version}; read it again`,
    )
  }
}
