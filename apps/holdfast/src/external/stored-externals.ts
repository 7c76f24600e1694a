import { type Clock, type RecordKind, type Records, RevisionConflictError } from '@holdfast/conversation'
import { RefusedError, type Seal } from '@holdfast/server'
import * as z from 'zod'

const Stored = z.object({
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  /** The variables, as JSON, sealed; null where there are none. */
  sealedEnv: z.string().nullable(),
})

const EXTERNAL_AGENT_RECORD = { kind: 'external-agent', schema: Stored } as const satisfies RecordKind<
  z.infer<typeof Stored>
>

const Env = z.record(z.string(), z.string())

/** They belong to the installation, not to one user. */
const OWNER_ID = 'installation'

const PAGE = 200

/** An external agent that was added in the page or over the API. */
export interface StoredExternal {
  readonly id: string
  readonly revision: number
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** Null where it cannot be read with the key file of this data folder. */
  readonly env: Readonly<Record<string, string>> | null
}

/** What is written of one. */
export type ExternalValue = StoredExternal & { readonly env: Readonly<Record<string, string>> }

/** Keeps the external agents that were added, the values of their variables sealed. [AGENT45, SEC4] */
export interface StoredExternals {
  list(): Promise<readonly StoredExternal[]>
  /** Revision 0 adds it. @throws {RefusedError} 409 when it is at another revision. */
  put(value: ExternalValue): Promise<StoredExternal>
  /** @returns whether it was there. */
  remove(id: string): Promise<boolean>
}

/** Keeps them in the records. */
export function createStoredExternals({
  records,
  seal,
  clock,
}: {
  readonly records: Records
  readonly seal: Seal
  readonly clock: Clock
}): StoredExternals {
  function opened(id: string, revision: number, { sealedEnv, ...value }: z.infer<typeof Stored>): StoredExternal {
    const text = sealedEnv === null ? '{}' : seal.open(sealedEnv, id)
    return { ...value, id, revision, env: text === null ? null : Env.parse(JSON.parse(text)) }
  }

  return {
    async list() {
      const rows = await records.list(EXTERNAL_AGENT_RECORD, { ownerId: OWNER_ID, limit: PAGE })
      return rows.map(({ id, revision, value }) => opened(id, revision, value))
    },
    async put({ id, revision, name, command, args, env }) {
      const sealedEnv = Object.keys(env).length === 0 ? null : seal.seal(JSON.stringify(env), id)
      const value = { name, command, args: [...args], sealedEnv }
      try {
        const write = { ownerId: OWNER_ID, id, revision, value, at: clock.now() }
        const written = await records.put(EXTERNAL_AGENT_RECORD, write)
        return opened(id, written.revision, written.value)
      } catch (error) {
        if (!(error instanceof RevisionConflictError)) throw error
        const words = `External agent ${id} is at revision ${error.currentRevision}, not ${revision}; read it again`
        throw new RefusedError(409, 'conflict', words)
      }
    },
    async remove(id) {
      for (;;) {
        const found = await records.get(EXTERNAL_AGENT_RECORD, { ownerId: OWNER_ID, id })
        if (!found) return false
        try {
          await records.remove(EXTERNAL_AGENT_RECORD, { ownerId: OWNER_ID, id, revision: found.revision })
          return true
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
        }
      }
    },
  }
}
