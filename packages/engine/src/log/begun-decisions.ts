import { Actor, allRecords, ChangeTarget, type Records } from '@holdfast/conversation'
import type { RejectedChange } from '@holdfast/tool'
import * as z from 'zod'
import type { DecideChanges } from '../api/files-engine.ts'

/**
 * A decision about changes whose files are being written: how it was asked, and what the model will be told of it. It is there
 * from before the first file until the decision is in the log, so that the end of the process in between loses neither. [WS9]
 */
const BEGUN_DECISION = {
  kind: 'begun-decision',
  schema: z.strictObject({
    conversationId: z.string(),
    actor: Actor,
    commandId: z.string(),
    target: ChangeTarget,
    decisions: z.array(
      z.strictObject({
        path: z.string(),
        hunkId: z.string().exactOptional(),
        lines: z.array(z.number()).exactOptional(),
        keep: z.boolean().nullable(),
        seen: z.string().exactOptional(),
      }),
    ),
    meanwhile: z.literal(true).exactOptional(),
    rejected: z.array(z.strictObject({ path: z.string(), lines: z.array(z.string()), isWhole: z.boolean() })),
  }),
} as const

/** They belong to nobody: whoever starts the engine looks after all of them. */
const OWNER = 'engine'

/** One that was begun, and what the model is to be told of it. */
export interface BegunDecision {
  readonly command: DecideChanges
  readonly rejected: readonly RejectedChange[]
}

/** Keeps it until it is forgotten. */
export async function keepBegun(records: Records, { command, rejected }: BegunDecision, at: number): Promise<void> {
  const { conversationId, actor, commandId, target, decisions, meanwhile } = command
  const key = { ownerId: OWNER, id: idOf(command) }
  const revision = (await records.get(BEGUN_DECISION, key))?.revision ?? 0
  const value = {
    conversationId,
    actor,
    commandId,
    target,
    decisions: decisions.map(({ lines, ...decision }) => (lines ? { ...decision, lines: [...lines] } : decision)),
    ...(meanwhile ? { meanwhile } : {}),
    rejected: rejected.map((one) => ({ ...one, lines: [...one.lines] })),
  }
  await records.put(BEGUN_DECISION, { ...key, revision, value, at })
}

/** It is in the log, or nothing of it was done. */
export async function forgetBegun(records: Records, command: DecideChanges): Promise<void> {
  const key = { ownerId: OWNER, id: idOf(command) }
  const found = await records.get(BEGUN_DECISION, key)
  if (found) await records.remove(BEGUN_DECISION, { ...key, revision: found.revision })
}

/** Those that were begun and did not come into the log, with when that was. */
export async function begunDecisions(records: Records): Promise<readonly (BegunDecision & { readonly at: number })[]> {
  const found = await allRecords(records, BEGUN_DECISION, OWNER)
  return found.map(({ value: { rejected, ...command }, updatedAt }) => ({ command, rejected, at: updatedAt }))
}

function idOf({ conversationId, commandId }: DecideChanges): string {
  return JSON.stringify([conversationId, commandId])
}
