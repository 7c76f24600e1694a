import {
  type AgentInUse,
  AppendConflictError,
  type CommandKey,
  type Entry,
  type InputPart,
  type NewEntry,
  type Overview,
} from '@holdfast/conversation'
import type { Admitted, CommandBase, CreateConversation, SendMessage, StopAnswer, StopRun } from '../api/engine.ts'
import { type EnginePorts, LIMITS } from '../api/ports.ts'
import { unknownModel } from '../api/refused-command-error.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import type { AppendResult, LiveLog } from '../log/live-log.ts'
import { nextInput } from '../log/next-input.ts'
import { agentToTake, switchEntry } from './agents.ts'

/** The conversation that a command creates: the same command names the same one. [LOG4] */
export function conversationIdOf(
  { sha256 }: EnginePorts,
  { ownerId, commandId }: Pick<CreateConversation, 'ownerId' | 'commandId'>,
): string {
  return `conversation_${sha256(`${ownerId}\n${commandId}`).slice(0, 24)}`
}

/** @throws {RefusedCommandError} */
export function checkModel(ports: EnginePorts, modelId: string): void {
  if (!ports.models().some((model) => model.modelId === modelId)) throw unknownModel(modelId)
}

/**
 * Begins a log.
 *
 * @throws {RefusedCommandError}
 */
export async function create(ports: EnginePorts, log: LiveLog, command: CreateConversation): Promise<void> {
  const { commandId, actor, ownerId, title, modelId, origin = { type: 'new' } } = command
  // A command that was carried out before is answered as then, whatever models there were since. [LOG4]
  if (modelId !== null && log.overview().head === 0) checkModel(ports, modelId)
  const agent = log.overview().head === 0 ? await firstAgent(ports, command) : null
  const settings = { ...command.settings, ...(modelId === null ? {} : { modelId }) }
  const created: NewEntry = {
    type: 'conversation-created',
    actor,
    commandId,
    ownerId,
    settings,
    origin,
  }
  const named: NewEntry[] = title === null ? [] : [{ type: 'title-changed', actor, title, source: 'user' }]
  const answering = agent === null ? [] : [switchEntry(agent, command)]
  const asked = ['create', title, modelId, ...(command.agentId === undefined ? [] : [command.agentId])]
  const key = { commandId, fingerprint: ports.sha256(JSON.stringify(asked)) }
  await log.append({ epoch: null, command: key, dropDraft: null }, () => [created, ...answering, ...named])
}

async function firstAgent(ports: EnginePorts, command: CreateConversation): Promise<AgentInUse | null> {
  const { ownerId, agentId, agent = null, modelId } = command
  if (agentId === undefined) return agent
  const chosen = await agentToTake(ports, { ownerId, agentId })
  // A model that was named with the agent is this conversation's own, and stays above what the agent says.
  if (modelId === null) return chosen
  const { modelId: _, ...settings } = chosen.settings
  return { ...chosen, settings: { ...settings, modelId } }
}

/** Names a command with all that it asks for beside its id: the same one with another body is refused. [LOG4] */
export function commandKey(
  { sha256 }: Pick<EnginePorts, 'sha256'>,
  { command, asked }: { readonly command: Pick<CommandBase, 'commandId'>; readonly asked: readonly unknown[] },
): CommandKey {
  return { commandId: command.commandId, fingerprint: sha256(JSON.stringify(asked)) }
}

/**
 * Carries out a command once: `asked` is all that it asks for beside its id. One that was carried out before is not
 * refused for what has changed since, by itself perhaps; it is answered as then. [LOG4]
 */
export async function carryOut(
  ports: EnginePorts,
  log: LiveLog,
  { command, asked }: { readonly command: CommandBase; readonly asked: readonly unknown[] },
  decide: (state: Overview) => readonly NewEntry[],
): Promise<AppendResult> {
  const key = commandKey(ports, { command, asked })
  let isRefused = false
  let decidedAt = -1
  try {
    return await log.append({ epoch: null, command: key, dropDraft: null }, (state) => {
      isRefused = true
      // A log that another was faster in has grown. One that has not is no more.
      if (state.head === 0 || state.head === decidedAt) throw new UnknownConversationError(log.conversationId)
      decidedAt = state.head
      const entries = decide(state)
      isRefused = false
      return entries
    })
  } catch (error) {
    const before = isRefused && log.overview().head > 0 ? await appendedBefore(ports, log, key) : null
    if (before === null) throw error
    return before
  }
}

/** What a command left when it was carried out before; null for one that was not. [LOG4] */
export async function carriedOutBefore(
  ports: EnginePorts,
  log: LiveLog,
  { command, asked }: { readonly command: CommandBase; readonly asked: readonly unknown[] },
): Promise<readonly Entry[] | null> {
  if (log.overview().head === 0) return null
  const key = commandKey(ports, { command, asked })
  return (await appendedBefore(ports, log, key))?.entries ?? null
}

/** No log ends here: such an append is answered when its command was carried out before, and leaves nothing else. */
const NO_HEAD = 2_147_483_647

async function appendedBefore(
  { store, clock }: EnginePorts,
  log: LiveLog,
  command: CommandKey,
): Promise<AppendResult | null> {
  const { conversationId } = log
  try {
    const before = await store.append({ conversationId, after: NO_HEAD, entries: [], at: clock.now(), command })
    await log.refresh()
    return before
  } catch (error) {
    if (error instanceof AppendConflictError) return null
    throw error
  }
}

/**
 * Admits an input. A new send lets a held queue go on, and goes before it; one that interrupts stops what
 * runs first. [STOP9, STOP11]
 */
export async function admit(ports: EnginePorts, log: LiveLog, command: SendMessage): Promise<Admitted> {
  const { commandId, actor, content, lane, origin = 'person' } = command
  const inputId = ports.ids.next('input')
  const { entries } = await carryOut(ports, log, { command, asked: ['send', content.map(asAsked), lane] }, (state) => {
    const admitted: NewEntry = {
      type: 'input-admitted',
      actor,
      commandId,
      inputId,
      lane: lane === 'steer' ? 'steer' : 'turn',
      origin,
      content: [...content],
    }
    if (lane === 'interrupt')
      return [
        ...bringBack(state, command),
        ...stopEntries(state, command, 'interrupt'),
        admitted,
        ...sendNow(command, inputId),
        ...release(state, command),
      ]
    return [
      ...bringBack(state, command),
      admitted,
      ...(state.queue.held ? sendNow(command, inputId) : []),
      ...release(state, command),
    ]
  })
  const admitted = entries.find((entry) => entry.type === 'input-admitted')
  if (admitted?.type !== 'input-admitted') {
    throw new Error(`Command ${commandId} was carried out as something else than a message`)
  }
  return { seq: admitted.seq, inputId: admitted.inputId }
}

/** A resource is read when it is sent: sent again it may say something else, and is the same command. [LOG4] */
function asAsked(part: InputPart): unknown {
  return part.type === 'resource' ? { type: part.type, server: part.server, uri: part.uri } : part
}

/**
 * Asks the exclusive run to stop, else the runs beside it, or, when it has not started yet, holds what is about to. [STOP1]
 *
 * A run that is stopping already goes on doing so; a forced stop of it is written down. [STOP10]
 */
export async function requestStop(ports: EnginePorts, log: LiveLog, command: StopRun): Promise<StopAnswer> {
  const { commandId, actor, runId, force } = command
  const now = ports.clock.now()
  let answer: StopAnswer = { runId: null, accepted: false }
  const { entries, repeated } = await carryOut(ports, log, { command, asked: ['stop', runId, force] }, (state) => {
    const run = state.runState.exclusive
    if (run && (runId === null || runId === run.runId)) {
      answer = { runId: run.runId, accepted: true }
      if (run.stopRequestedAt === null) return stopEntries(state, command, 'stop')
      const isDue = now - run.stopRequestedAt >= LIMITS.forceAfterMs
      // A stop that changes nothing any more is written down too: sent again, it is answered as it was. [LOG4]
      return [{ type: 'stop-requested', actor, commandId, runId: run.runId, mode: force && isDue ? 'force' : 'stop' }]
    }
    const aboutToStart = runId === null && nextInput(state, now) !== null
    const side = state.runState.side.filter((one) => runId === null || one.runId === runId)
    answer = { runId: side[0]?.runId ?? null, accepted: aboutToStart || side.length > 0 }
    return [
      ...(aboutToStart ? [{ type: 'queue-held' as const, actor, commandId, reason: 'stopped' as const }] : []),
      // A stop is written of those that are stopping already too, for the same reason.
      ...side.map((one): NewEntry => ({ type: 'stop-requested', actor, commandId, runId: one.runId, mode: 'stop' })),
    ]
  })
  return repeated ? answerOfThen(entries) : answer
}

/** What a stop was answered when it was carried out, by what it left. [LOG4] */
function answerOfThen(entries: readonly Entry[]): StopAnswer {
  const requested = entries.find((entry) => entry.type === 'stop-requested')
  return { runId: requested?.runId ?? null, accepted: entries.length > 0 }
}

/** The request that stops the exclusive run; nothing when none runs. */
export function stopEntries(
  state: Overview,
  { actor, commandId }: CommandBase,
  mode: 'stop' | 'force' | 'interrupt',
): NewEntry[] {
  const run = state.runState.exclusive
  if (!run || (run.stopRequestedAt !== null && mode !== 'force')) return []
  return [{ type: 'stop-requested', actor, commandId, runId: run.runId, mode }]
}

/** Puts a waiting input before all others. */
export function sendNow({ actor, commandId }: CommandBase, inputId: string): NewEntry[] {
  return [{ type: 'input-changed', actor, commandId, inputId, sendNow: true }]
}

/** Lets a held queue go on. */
export function release(state: Overview, { actor, commandId }: CommandBase): NewEntry[] {
  return state.queue.held ? [{ type: 'queue-released', actor, commandId }] : []
}

/** A conversation that is written to is a current one again. */
export function bringBack(state: Overview, { actor, commandId }: CommandBase): NewEntry[] {
  return state.archived ? [{ type: 'conversation-restored', actor, commandId }] : []
}
