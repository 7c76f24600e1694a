import { EXCERPTS_SMALLER, weightOfExcess } from '@holdfast/context'
import type { Entry, NewEntry, OpenRun } from '@holdfast/conversation'
import type { Room } from './room.ts'
import { ENGINE, type Turn } from './turn.ts'
import type { TurnRequest } from './turn-request.ts'

/** How room is made for a request that the provider found too long, one after the other. [CHK8] */
export type Rung = 'excerpts' | 'checkpoint' | 'window'

/** Smaller excerpts that take off less than this share of the request are not worth the break of its prefix. */
const LEAST_SHARE = 0.05

/**
 * What is tried now; null when the last request was not too long, or room has been made since. Excerpts come first where
 * there is something to take off, and once; then they have had their turn, and the next refusal brings the checkpoint.
 * [CHK8]
 */
export function rungOf(at: TurnRequest, { runId, tooLongCount }: OpenRun): Rung | null {
  if (tooLongCount === 0) return null
  const { entries } = at.path
  const failures = entries.filter((entry) => entry.type === 'step-failed' && entry.runId === runId)
  const [first, last] = [failures.at(-tooLongCount)?.seq ?? 0, failures.at(-1)?.seq ?? 0]
  if (entries.some((entry) => entry.seq > last && makesRoom(entry))) return null
  if (tooLongCount === 1) return isWorthIt(at) ? 'excerpts' : 'checkpoint'
  const hasShrunk = entries.some((entry) => entry.seq > first && shrinks(entry))
  return hasShrunk && tooLongCount === 2 ? 'checkpoint' : 'window'
}

/** Says that results are sent in smaller excerpts from here on: the next request is built by it. [RUN13] */
export async function shrinkExcerpts({ log, runId, epoch }: Turn): Promise<Room> {
  const raised: NewEntry = {
    ...{ type: 'notice-raised', actor: ENGINE, code: EXCERPTS_SMALLER, severity: 'info', runId },
    text: 'The request was too long for the provider. Long results of earlier calls are sent in smaller excerpts; read_result gives all.',
  }
  await log.append({ epoch, command: null, dropDraft: null }, () => [raised])
  return { type: 'made' }
}

function makesRoom(entry: Entry): boolean {
  return entry.type === 'checkpoint-made' || entry.type === 'window-moved' || shrinks(entry)
}

function shrinks(entry: Entry): boolean {
  return entry.type === 'notice-raised' && entry.code === EXCERPTS_SMALLER
}

function isWorthIt({ composed, itemLimitChars, ratio, tokens }: TurnRequest): boolean {
  return weightOfExcess(composed.messages, itemLimitChars) / ratio >= tokens.usedTokens * LEAST_SHARE
}
