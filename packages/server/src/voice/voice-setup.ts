import { type Clock, type RecordKind, type Records, RevisionConflictError } from '@holdfast/conversation'
import { AgentVoice, NO_VOICE, type routes, type VoiceAnswer } from '@holdfast/protocol'
import * as z from 'zod'
import type { Seal } from '../accounts/seal.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What is asked of a change; what is absent stays. */
export type VoiceChange = z.infer<(typeof routes)['changeVoice']['body']>

const Stored = z.object({
  usual: AgentVoice,
  server: z
    .object({
      baseUrl: z.string(),
      speechModel: z.string().nullable(),
      voice: z.string(),
      transcriptionModel: z.string().nullable(),
      usdPerMillionCharacters: z.number().nullable(),
      usdPerMinute: z.number().nullable(),
      /** Null where it needs none. */
      sealedKey: z.string().nullable(),
    })
    .nullable(),
})
type Stored = z.infer<typeof Stored>

const VOICE = { kind: 'voice', schema: Stored } as const satisfies RecordKind<Stored>

/** They belong to the installation, not to one user. */
const KEY = { ownerId: 'installation', id: 'voice' } as const

/** An audio server, with what opens it. */
export interface AudioServerSetup extends Omit<NonNullable<Stored['server']>, 'sealedKey'> {
  readonly apiKey: string | null
  /** Whether there is a key that cannot be read with the key file of this data folder. */
  readonly isKeyLost: boolean
}

/** How voice is set up in the installation, its key sealed. [VOICE2, SEC4] */
export interface VoiceSetup {
  /** `isAdmin`: shows where the server is, and the end of its key. */
  answer(isAdmin: boolean): Promise<VoiceAnswer>
  /** Null where there is none. */
  server(): Promise<AudioServerSetup | null>
  /** @throws {RefusedError} 409 where another change was faster. */
  change(change: VoiceChange): Promise<void>
  /** The key as far as it was read here: no line of the log may hold it. [SEC4] */
  secrets(): readonly string[]
}

/** What it works with. */
export interface VoiceSetupDeps {
  readonly records: Pick<Records, 'get' | 'put'>
  readonly clock: Clock
  readonly seal: Seal
}

/** Keeps it in the records. What another process changed holds at the next request. */
export function createVoiceSetup({ records, clock, seal }: VoiceSetupDeps): VoiceSetup {
  const seen = new Set<string>()

  async function read(): Promise<{ readonly revision: number; readonly value: Stored }> {
    const found = await records.get(VOICE, KEY)
    return found ?? { revision: 0, value: { usual: NO_VOICE, server: null } }
  }

  function opened({ sealedKey, ...server }: NonNullable<Stored['server']>): AudioServerSetup {
    const apiKey = sealedKey === null ? null : seal.open(sealedKey, KEY.id)
    if (apiKey !== null) seen.add(apiKey)
    return { ...server, apiKey, isKeyLost: sealedKey !== null && apiKey === null }
  }

  function serverAfter(asked: VoiceChange['server'], before: Stored['server']): Stored['server'] {
    if (asked === undefined) return before
    if (asked === null) return null
    const { apiKey, ...fields } = asked
    // A key goes to the address that it was given for, and to no other.
    const kept = before?.baseUrl === fields.baseUrl ? before.sealedKey : null
    if (apiKey === undefined) return { ...fields, sealedKey: kept }
    return { ...fields, sealedKey: apiKey === null ? null : seal.seal(apiKey, KEY.id) }
  }

  return {
    async answer(isAdmin) {
      const { revision, value } = await read()
      return { revision, usual: value.usual, server: value.server && shown(opened(value.server), isAdmin) }
    },
    async server() {
      const { server } = (await read()).value
      return server && opened(server)
    },
    async change({ revision, usual, server }) {
      const { value: before } = await read()
      const value: Stored = { usual: usual ?? before.usual, server: serverAfter(server, before.server) }
      try {
        await records.put(VOICE, { ...KEY, revision, value, at: clock.now() })
      } catch (error) {
        if (!(error instanceof RevisionConflictError)) throw error
        const words = `The voice settings are at revision ${error.currentRevision}, not ${revision}; read them again`
        throw new RefusedError(409, 'conflict', words)
      }
    },
    secrets: () => [...seen],
  }
}

function shown(server: AudioServerSetup, isAdmin: boolean): NonNullable<VoiceAnswer['server']> {
  const { apiKey, isKeyLost, baseUrl, speechModel, transcriptionModel, ...rest } = server
  return {
    ...rest,
    speechModel,
    transcriptionModel,
    speaks: speechModel !== null,
    listens: transcriptionModel !== null,
    baseUrl: isAdmin ? baseUrl : null,
    keyEnding: isAdmin && apiKey !== null ? apiKey.slice(-4) : null,
    problem: isKeyLost ? LOST_KEY : null,
  }
}

/** The key file of the data folder is another one than that it was sealed with. */
export const LOST_KEY =
  'The key of the audio server cannot be read with the key file of this data folder: enter it again'
