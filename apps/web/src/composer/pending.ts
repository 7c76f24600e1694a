import type { OutboxItem } from '@holdfast/client'
import type { InputPart, Overview } from '@holdfast/conversation'
import type { SentPart } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { type ShownInput, shownInputs, writtenWords } from './queue/queue-order.ts'

/** Words of the person that have no place in the thread yet. */
export interface PendingWords {
  readonly key: string
  readonly text: string
}

/** A row of the queue. */
export type QueueRow =
  | (PendingWords & { readonly state: 'waiting' | 'held'; readonly input: ShownInput })
  | (PendingWords & { readonly state: 'outbox' })

/** What is about to be answered: nothing runs, so it goes straight into the thread. */
export function pendingSlips(outbox: readonly OutboxItem[], overview: Overview): readonly PendingWords[] {
  if (isQueueing(outbox, overview)) return []
  return [
    ...overview.queue.inputs.map(({ inputId, content }) => ({ key: inputId, text: textOf(content) })),
    ...unsent(outbox, textOf),
  ]
}

/** What waits behind the running turn, is held, or is being edited. */
export function queueRows(outbox: readonly OutboxItem[], overview: Overview): readonly QueueRow[] {
  if (!isQueueing(outbox, overview)) return []
  const state = overview.queue.held ? 'held' : 'waiting'
  return [
    ...shownInputs(overview.queue.inputs, outbox, Date.now()).map(
      (input): QueueRow => ({ key: input.inputId, text: rowWords(input.content), state, input }),
    ),
    ...unsent(outbox, rowWords).map((words): QueueRow => ({ ...words, state: 'outbox' })),
  ]
}

/** When the first of what waits was admitted, in milliseconds since the Unix epoch. */
export function firstPendingAt({ queue }: Overview): number | null {
  return queue.inputs[0]?.at ?? null
}

/** What somebody edits waits also where nothing runs. [STOP9] */
function isQueueing(outbox: readonly OutboxItem[], { runState, queue }: Overview): boolean {
  if (runState.exclusive !== null) return true
  if (queue.held !== null) return queue.inputs.length > 0
  return shownInputs(queue.inputs, outbox, Date.now()).some(({ lockedAt }) => lockedAt !== null)
}

function unsent(outbox: readonly OutboxItem[], inWords: typeof textOf): PendingWords[] {
  return outbox.flatMap(({ command }) =>
    command.name === 'send-message' ? [{ key: command.commandId, text: inWords(command.content) }] : [],
  )
}

/** On one line: how the person's own words begin, and all that goes along with them. */
export function rowWords(content: readonly (InputPart | SentPart)[]): string {
  const [begins = ''] = writtenWords(content).split('\n')
  const along = content.flatMap((part) => (part.type === 'text' ? [] : wordsOfPart(part)))
  return [begins, ...along].filter((words) => words !== '').join(' · ')
}

/** The words of what was sent. */
function textOf(content: readonly (InputPart | SentPart)[]): string {
  return content.flatMap(wordsOfPart).join('\n\n')
}

function wordsOfPart(part: InputPart | SentPart): readonly string[] {
  if (part.type === 'text') return [part.text]
  if (part.type === 'resource') return [`@${part.name}`]
  if (part.type === 'file' || part.type === 'image') return [fileWords(part)]
  if (part.type === 'mention') return [`@${mentionName(part)}`]
  if (part.type === 'link') return [part.url]
  if (part.type === 'error') return [part.text]
  if (part.type === 'element') return [part.selector]
  return part.type === 'canvas' ? [canvasWords(part)] : []
}

/** What was mentioned is called by its name once the server has taken it. */
function mentionName(part: Extract<InputPart | SentPart, { type: 'mention' }>): string {
  return 'name' in part && part.name !== undefined ? part.name : part.id
}

function canvasWords(part: Extract<InputPart | SentPart, { type: 'canvas' }>): string {
  if ('answer' in part) return say('composer.an-answer-on-the-canvas')
  return `@${'name' in part && part.name !== undefined ? part.name : part.elementId}`
}

/** What was sent knows its name once the server has taken it. */
function fileWords(part: Extract<InputPart | SentPart, { type: 'file' | 'image' }>): string {
  if ('name' in part && part.name !== undefined) return part.name
  return say(part.type === 'image' ? 'attach.one-picture' : 'attach.one-file')
}
