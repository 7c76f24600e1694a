import type { NewEntry, Overview } from '@holdfast/conversation'
import {
  type CreateConversation,
  type SendMessage,
  type StopAnswer,
  type StopRun,
  UnknownConversationError,
} from './engine.ts'
import type { LiveLog } from './live-log.ts'
import type { EnginePorts } from './ports.ts'
import { nextInput } from './run-turn.ts'

/** The conversation that a command creates: the same command names the same one. [LOG4] */
export function conversationIdOf({ sha256 }: EnginePorts, { ownerId, commandId }: CreateConversation): string {
  return `conversation_${sha256(`${ownerId}\n${commandId}`).slice(0, 24)}`
}

/** Begins a log. */
export async function create(ports: EnginePorts, log: LiveLog, command: CreateConversation): Promise<void> {
  const { commandId, actor, ownerId, title, modelId } = command
  const settings = modelId === null ? {} : { modelId }
  const created: NewEntry = {
    type: 'conversation-created',
    actor,
    commandId,
    ownerId,
    settings,
    origin: { type: 'new' },
  }
  const named: NewEntry[] = title === null ? [] : [{ type: 'title-changed', actor, title, source: 'user' }]
  const key = { commandId, fingerprint: ports.sha256(JSON.stringify({ title, modelId })) }
  await log.append({ epoch: null, command: key, dropDraft: null }, () => [created, ...named])
}

/** Admits an input. A new send after a stop goes first, and the queue goes on behind it. [STOP9, STOP11] */
export async function admit(ports: EnginePorts, log: LiveLog, command: SendMessage) {
  const { commandId, actor, content } = command
  const inputId = ports.ids.next('input')
  const key = { commandId, fingerprint: ports.sha256(JSON.stringify(content)) }
  const { entries } = await log.append({ epoch: null, command: key, dropDraft: null }, (state) => {
    mustExist(state, command.conversationId)
    return [
      { type: 'input-admitted', actor, commandId, inputId, lane: 'turn', origin: 'person', content: [...content] },
      ...(state.queue.held
        ? [
            { type: 'input-changed' as const, actor, inputId, position: 0 },
            { type: 'queue-released' as const, actor },
          ]
        : []),
    ]
  })
  const admitted = entries.find((entry) => entry.type === 'input-admitted')
  if (!admitted) throw new Error(`Command ${commandId} was carried out as something else than a message`)
  return admitted
}

/**
 * Asks the exclusive run to stop, or, when it has not started yet, holds what is about to. [STOP1]
 *
 * A run that is stopping already goes on doing so. [STOP10]
 */
export async function requestStop(ports: EnginePorts, log: LiveLog, command: StopRun): Promise<StopAnswer> {
  const { commandId, actor, runId } = command
  const key = { commandId, fingerprint: ports.sha256(`stop ${runId}`) }
  let answer: StopAnswer = { runId: null, accepted: false }
  await log.append({ epoch: null, command: key, dropDraft: null }, (state) => {
    mustExist(state, command.conversationId)
    const run = state.runState.exclusive
    if (run && (runId === null || runId === run.runId)) {
      answer = { runId: run.runId, accepted: true }
      if (run.stopRequested) return []
      return [{ type: 'stop-requested', actor, commandId, runId: run.runId, mode: 'stop' }]
    }
    const aboutToStart = runId === null && nextInput(state) !== null
    answer = { runId: null, accepted: aboutToStart }
    return aboutToStart ? [{ type: 'queue-held', actor, commandId, reason: 'stopped' }] : []
  })
  return answer
}

function mustExist(state: Overview, conversationId: string): void {
  if (state.head === 0) throw new UnknownConversationError(conversationId)
}
