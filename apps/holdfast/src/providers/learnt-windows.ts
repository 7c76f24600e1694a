import { type Clock, type RecordKind, type Records, RevisionConflictError } from '@holdfast/conversation'
import type { LearntModelWindow } from '@holdfast/engine'
import * as z from 'zod'

const Learnt = z.object({
  windowTokens: z.int().positive(),
  /** What was known of the model otherwise; it holds for as long as that stays. */
  insteadOfTokens: z.int().positive().nullable(),
})

const LEARNT_WINDOW = { kind: 'learnt-window', schema: Learnt } as const satisfies RecordKind<z.infer<typeof Learnt>>

/** They belong to the installation, not to one user. */
const OWNER_ID = 'installation'

const MOST_WINDOWS = 1_000

/** The windows that refusals have taught, for all conversations and beyond a restart. [WIN8] */
export interface LearntWindows {
  /** The window that counts for a model, beside what is told of it. */
  countingFor(modelId: string, toldTokens: number | null): number | null
  /** Keeps what was learnt in the place of what is told. */
  learn(learnt: LearntModelWindow, toldTokens: number | null): void
  /** Reads what was kept before, here or by another server on the same store. */
  refresh(): Promise<void>
}

/** Keeps them in the records. */
export function createLearntWindows({
  records,
  clock,
  warn,
}: {
  readonly records: Pick<Records, 'get' | 'put' | 'list'>
  readonly clock: Clock
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}): LearntWindows {
  const known = new Map<string, z.infer<typeof Learnt>>()

  async function keep(id: string, value: z.infer<typeof Learnt>): Promise<void> {
    const before = await records.get(LEARNT_WINDOW, { ownerId: OWNER_ID, id })
    const write = { ownerId: OWNER_ID, id, revision: before?.revision ?? 0, value, at: clock.now() }
    try {
      await records.put(LEARNT_WINDOW, write)
    } catch (error) {
      // Another server has learnt it in the same moment: what it wrote is as good.
      if (!(error instanceof RevisionConflictError)) throw error
    }
  }

  return {
    countingFor(modelId, toldTokens) {
      const learnt = known.get(modelId)
      return learnt?.insteadOfTokens === toldTokens ? learnt.windowTokens : toldTokens
    },
    learn({ modelId, windowTokens }, toldTokens) {
      const value = { windowTokens, insteadOfTokens: toldTokens }
      known.set(modelId, value)
      keep(modelId, value).catch((error: unknown) => warn('a learnt window could not be kept', { modelId, error }))
    },
    async refresh() {
      for (const { id, value } of await records.list(LEARNT_WINDOW, { ownerId: OWNER_ID, limit: MOST_WINDOWS }))
        known.set(id, value)
    },
  }
}
