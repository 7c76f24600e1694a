import type { OutboxItem } from '@holdfast/client'
import type { InputPart, Overview } from '@holdfast/conversation'
import type { SentPart } from '@holdfast/protocol'
import { say } from './language/say.ts'

/** Words of the person that have no place in the thread yet. */
export interface PendingWords {
  readonly key: string
  readonly text: string
}

/** A row of the queue. */
export interface QueueRow extends PendingWords {
  readonly state: 'waiting' | 'held' | 'outbox'
}

/** What is about to be answered: nothing runs, so it goes straight into the thread. */
export function pendingSlips(outbox: readonly OutboxItem[], overview: Overview): readonly PendingWords[] {
  return isQueueing(overview) ? [] : [...admitted(overview), ...unsent(outbox)]
}

/** What waits behind the running turn, or is held. */
export function queueRows(outbox: readonly OutboxItem[], overview: Overview): readonly QueueRow[] {
  if (!isQueueing(overview)) return []
  const state = overview.queue.held ? 'held' : 'waiting'
  return [
    ...admitted(overview).map((words): QueueRow => ({ ...words, state })),
    ...unsent(outbox).map((words): QueueRow => ({ ...words, state: 'outbox' })),
  ]
}

/** When the first of what waits was admitted, in milliseconds since the Unix epoch. */
export function firstPendingAt({ queue }: Overview): number | null {
  return queue.inputs[0]?.at ?? null
}

function isQueueing({ runState, queue }: Overview): boolean {
  return runState.exclusive !== null || (queue.held !== null && queue.inputs.length > 0)
}

function admitted({ queue }: Overview): PendingWords[] {
  return queue.inputs.map(({ inputId, content }) => ({ key: inputId, text: textOf(content) }))
}

function unsent(outbox: readonly OutboxItem[]): PendingWords[] {
  return outbox.flatMap(({ command }) =>
    command.name === 'send-message' ? [{ key: command.commandId, text: textOf(command.content) }] : [],
  )
}

/** The words of what was sent. */
export function textOf(content: readonly (InputPart | SentPart)[]): string {
  return content.flatMap(wordsOfPart).join('\n\n')
}

function wordsOfPart(part: InputPart | SentPart): readonly string[] {
  if (part.type === 'text') return [part.text]
  if (part.type === 'resource') return [`@${part.name}`]
  return part.type === 'canvas' ? [say('composer.an-answer-on-the-canvas')] : []
}
