import type { InputPart, NewEntry } from '@holdfast/conversation'
import type { EnginePorts } from '../api/ports.ts'
import { modelOf } from '../chosen/chosen-model.ts'
import { toolsChanged } from '../chosen/conversation-tools.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { LiveLog } from '../log/live-log.ts'
import { dueFacts } from '../request/due-facts.ts'
import type { Gathered } from '../request/gather.ts'
import { type HypotheticalLog, hypotheticalLog } from '../request/hypothetical-log.ts'
import { composeForRoom } from '../request/room/move-window.ts'
import { roomOfTools } from '../request/room-of-tools.ts'
import type { TurnRequest } from '../request/turn-request.ts'

/** So long the sources of facts may take, in milliseconds. */
const FACTS_MS = 2_000

/** What is asked of a log that stays as it is. */
export interface NextWords {
  readonly ports: EnginePorts
  readonly log: Pick<LiveLog, 'conversationId' | 'overview' | 'requestState'>
  /** What a person would have said; empty for nothing yet. */
  readonly said: readonly NewEntry[]
}

/**
 * The request after these entries, as the next turn would make it: with the tools as they would be, the words at its
 * end, and the facts that would be noted first. Null where there is no model.
 */
export async function composeNext(
  { ports, log, said }: NextWords,
  changes: readonly NewEntry[],
): Promise<TurnRequest | null> {
  const { store, clock } = ports
  const at = { store, now: clock.now() }
  const changed: HypotheticalLog = hypotheticalLog(at, log, changes)
  const { state } = changed
  const model = modelOf(ports.models(), state)
  if (model.type === 'missing') return null
  const tools = toolsChanged(ports, log.conversationId, {
    state,
    room: roomOfTools(ports, changed.log.requestState(), state),
  })
  const after = hypotheticalLog(at, log, [...changes, ...tools, ...said])
  const notes = (gathered: Gathered) => notesFor(ports, gathered)
  return composeForRoom(after, { ports, model: model.choice }, { now: clock.now(), of: notes })
}

/** What stands in the log once these words are sent; nothing for no words. */
export function saidBy(content: readonly InputPart[]): readonly NewEntry[] {
  if (content.length === 0) return []
  const about = { actor: ENGINE, runId: 'run_asked', inputId: 'input_asked' }
  return [{ type: 'user-message-sent', ...about, content: [...content] }]
}

/** The facts that would be noted first, as far as their sources say so in time. [REQ6] */
async function notesFor(ports: EnginePorts, at: Gathered): Promise<readonly NewEntry[]> {
  const limit = new AbortController()
  const cancel = ports.clock.after(FACTS_MS, () => limit.abort())
  try {
    return await dueFacts({ ports, at, stepCount: 0, signal: limit.signal })
  } finally {
    cancel()
  }
}
