import type { NewEntry, Overview } from '@holdfast/conversation'
import type { ChangeInput, ConversationCommand, InputCommand } from '../api/engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { inputNotWaiting } from '../api/refused-command-error.ts'
import { asAsked, partsOf } from '../log/as-asked.ts'
import type { LiveLog } from '../log/live-log.ts'
import { carryOut } from './carry-out.ts'
import { release, sendNow } from './queue-entries.ts'
import { stopEntries } from './stop-run.ts'

/** Changes a waiting input: its words, lane, place or lock. */
export async function changeInput(ports: EnginePorts, log: LiveLog, command: ChangeInput): Promise<void> {
  const { actor, commandId, inputId, content, lane, position, lockedBy } = command
  const changes = {
    ...(lane === undefined ? {} : { lane }),
    ...(position === undefined ? {} : { position }),
    ...(lockedBy === undefined ? {} : { lockedBy }),
  }
  const asked = content === undefined ? changes : { content: asAsked(content), lane, position, lockedBy }
  const waited = await ofWaiting(ports, log, { command, asked: ['change', inputId, asked] }, () => [
    {
      type: 'input-changed',
      actor,
      commandId,
      inputId,
      ...(content === undefined ? {} : { content: partsOf(content) }),
      ...changes,
    },
  ])
  if (!waited) throw inputNotWaiting(inputId)
}

/** Takes a waiting input out; it is never sent. */
export async function removeInput(ports: EnginePorts, log: LiveLog, command: InputCommand): Promise<void> {
  if (!(await takeBackInput(ports, log, command))) throw inputNotWaiting(command.inputId)
}

/** Takes a waiting input out. @returns whether it waited. */
export async function takeBackInput(ports: EnginePorts, log: LiveLog, command: InputCommand): Promise<boolean> {
  const { actor, commandId, inputId } = command
  return ofWaiting(ports, log, { command, asked: ['remove', inputId] }, () => [
    { type: 'input-removed', actor, commandId, inputId },
  ])
}

/** Sends a waiting input next: what runs is stopped, and what is held goes on behind it. */
export async function sendInputNow(ports: EnginePorts, log: LiveLog, command: InputCommand): Promise<void> {
  const { inputId } = command
  const waited = await ofWaiting(ports, log, { command, asked: ['send-now', inputId] }, (state) => [
    ...stopEntries(state, command, 'interrupt'),
    ...sendNow(command, inputId),
    ...release(state, command),
  ])
  if (!waited) throw inputNotWaiting(inputId)
}

/** From now on nothing of the queue is sent by itself. */
export async function holdQueue(ports: EnginePorts, log: LiveLog, command: ConversationCommand): Promise<void> {
  const { actor, commandId } = command
  await carryOut(ports, log, { command, asked: ['hold'] }, (state): NewEntry[] =>
    state.queue.held ? [] : [{ type: 'queue-held', actor, commandId, reason: 'person' }],
  )
}

/** Lets a held queue go on. */
export async function releaseQueue(ports: EnginePorts, log: LiveLog, command: ConversationCommand): Promise<void> {
  await carryOut(ports, log, { command, asked: ['release'] }, (state) => release(state, command))
}

/** A command about a waiting input, and what it asks for. */
interface AskedOfInput {
  readonly command: InputCommand
  readonly asked: readonly unknown[]
}

/**
 * Carries out a command about a waiting input. One that finds no such input leaves nothing, and the store remembers
 * that: sent again, it is answered the same, also where it took the input out itself. [LOG4]
 *
 * @returns whether the input waited.
 */
async function ofWaiting(
  ports: EnginePorts,
  log: LiveLog,
  { command, asked }: AskedOfInput,
  decide: (state: Overview) => readonly NewEntry[],
): Promise<boolean> {
  const { inputId } = command
  const { entries } = await carryOut(ports, log, { command, asked }, (state) =>
    state.queue.inputs.some((input) => input.inputId === inputId) ? decide(state) : [],
  )
  return entries.length > 0
}
