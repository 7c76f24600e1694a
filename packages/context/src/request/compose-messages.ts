import type { AnswerBlock, Entry, EntryOf, InputPart } from '@holdfast/conversation'
import type { RequestMessage } from '@holdfast/provider'
import { isAnswering, type SentStep } from '../sent/sent-steps.ts'
import { resultLimitChars } from '../size/smaller-excerpts.ts'
import { answerBlocks } from './answer-blocks.ts'
import { inputParts } from './input-parts.ts'
import { noteText } from './note.ts'
import { otherReply } from './other-replies.ts'
import { resultMessage, type ToolResults, toolResults } from './tool-results.ts'

/** A message with the entries from the start on that it holds, by `seq`, rising, and what each of its parts counts as. */
export interface ComposedMessage {
  readonly message: RequestMessage
  readonly seqs: readonly number[]
  /** As many as a user message has parts; one for an answer or a result. */
  readonly origins: readonly PartOrigin[]
}

/** What a part counts as; `summary` is all that stands for entries before the start. [C1] */
export type PartCategory =
  | 'messages'
  | 'tool-results'
  | 'files'
  | 'summary'
  | 'notes'
  | EntryOf<'context-noted'>['section']

/** Where a part comes from. */
export interface PartOrigin {
  readonly seq: number
  readonly category: PartCategory
}

/** What messages are made from. */
export interface ComposeSource {
  /** The part of the path that is sent, oldest first. */
  readonly entries: readonly Entry[]
  readonly steps: ReadonlyMap<string, SentStep>
  /** What stands before everything else in the first message. */
  readonly opening: readonly UserPart[]
  readonly itemLimitChars: number
  /** Results before this entry are sent in smaller excerpts. [CHK8] */
  readonly smallerBeforeSeq: number
  /** Results for which a mark is sent. [TOOL10] */
  readonly excludedSeqs: readonly number[]
}

/** A part of a message from the user, with where it comes from. */
export interface UserPart {
  readonly part: InputPart
  readonly origin: PartOrigin
}

interface Walk {
  readonly source: ComposeSource
  readonly results: ToolResults
  readonly messages: ComposedMessage[]
  readonly callIds: Set<string>
  /** What is said to the model before its next answer. */
  waiting: UserPart[]
  /** What was said after the open request had gone out: it follows that request's answer. [REQ5] */
  late: UserPart[]
  openStepId: string | null
}

/**
 * The messages of a path. Everything that is said between two answers is one message from the user, after the
 * results of the calls; each answer is one from the assistant, directly followed by the results of its calls. [REQ2]
 *
 * @throws {Error} when a call has no result: the log must settle it first. [TOOL2]
 */
export function composeMessages(source: ComposeSource): ComposedMessage[] {
  const walk: Walk = {
    source,
    results: toolResults(source.entries, source.excludedSeqs),
    messages: [],
    callIds: new Set(),
    waiting: [...source.opening],
    late: [],
    openStepId: null,
  }
  for (const entry of source.entries) visit(walk, entry)
  endStep(walk)
  flushUser(walk)
  return walk.messages
}

/** Kinds that are not named here are never messages. [REQ3] */
function visit(walk: Walk, entry: Entry): void {
  const { itemLimitChars } = walk.source
  switch (entry.type) {
    case 'user-message-sent':
      sayParts(walk, entry.seq, inputParts(entry.content, { seq: entry.seq, itemLimitChars }))
      break
    case 'stop-noted':
      say(walk, { seq: entry.seq, category: 'notes' }, noteText('stop', entry.text))
      break
    case 'context-noted':
      say(walk, { seq: entry.seq, category: entry.section }, noteText(entry.section, entry.text))
      break
    case 'changes-decided':
      if (entry.note !== undefined) say(walk, { seq: entry.seq, category: 'notes' }, noteText('review', entry.note))
      break
    case 'body-erased':
      if (entry.erasedType === 'user-message-sent')
        say(walk, { seq: entry.seq, category: 'notes' }, noteText('erased', 'A message was erased.'))
      if (entry.erasedType === 'step-finished' && entry.of.stepId === walk.openStepId) endStep(walk)
      break
    case 'step-started':
      if (!isAnswering(entry.purpose)) break
      endStep(walk)
      walk.openStepId = entry.stepId
      break
    case 'step-failed':
      if (entry.stepId === walk.openStepId) endStep(walk)
      break
    case 'step-finished':
      answer(walk, entry)
      break
    default:
      break
  }
}

function say(walk: Walk, origin: PartOrigin, words: string): void {
  placeOf(walk).push({ part: text(words), origin })
}

function sayParts(walk: Walk, seq: number, parts: readonly InputPart[]): void {
  for (const part of parts) placeOf(walk).push(inputOrigin(part, seq))
}

function inputOrigin(part: InputPart, seq: number): UserPart {
  const isFile = part.type === 'file' || part.type === 'image'
  return { part, origin: { seq, category: isFile ? 'files' : 'messages' } }
}

function placeOf(walk: Walk): UserPart[] {
  return walk.openStepId === null ? walk.waiting : walk.late
}

/** The open request has its answer, or never gets one: what was said meanwhile comes next. */
function endStep(walk: Walk): void {
  walk.waiting.push(...walk.late)
  walk.late = []
  walk.openStepId = null
}

function answer(walk: Walk, entry: EntryOf<'step-finished'>): void {
  const step = walk.source.steps.get(entry.stepId)
  if (!step) return
  if (step.otherAgent === null) ownAnswer(walk, entry, step)
  else {
    const { results, source } = walk
    const part = otherReply(entry, { name: step.otherAgent, results, itemLimitChars: source.itemLimitChars })
    if (part !== null) walk.waiting.push({ part, origin: { seq: entry.seq, category: 'messages' } })
  }
  endStep(walk)
}

function ownAnswer(walk: Walk, entry: EntryOf<'step-finished'>, step: SentStep): void {
  const blocks = answerBlocks(entry.blocks, step)
  if (blocks.length > 0) {
    flushUser(walk)
    fillGap(walk, entry)
    const results: ComposedMessage[] = []
    const sent = blocks.map((block): AnswerBlock => {
      if (block.type !== 'tool-call') return block
      const result = walk.results.take(entry.stepId, block.callId)
      if (!result) throw new Error(openCall(entry, block.callId))
      const { seq } = result.settled
      const callId = freeCallId(walk.callIds, block.callId)
      const itemLimitChars = resultLimitChars(seq, walk.source)
      results.push({
        message: resultMessage(result, { callId, itemLimitChars }),
        ...from(seq, 'tool-results'),
      })
      return { ...block, callId }
    })
    walk.messages.push({ message: { role: 'assistant', blocks: sent }, ...from(entry.seq, 'messages') }, ...results)
  }
}

function flushUser(walk: Walk): void {
  if (walk.waiting.length === 0) return
  const parts = walk.waiting.map(({ part }) => part)
  const origins = walk.waiting.map(({ origin }) => origin)
  const seqs = [...new Set(origins.filter(({ category }) => category !== 'summary').map(({ seq }) => seq))]
  walk.messages.push({ message: { role: 'user', parts }, seqs, origins })
  walk.waiting = []
}

/** Two answers never touch, and none is first: where nothing stands between, the model is told so. [REQ2] */
function fillGap({ messages }: Walk, { seq }: Entry): void {
  const last = messages.at(-1)?.message
  if (last?.role === 'user' || last?.role === 'tool') return
  const words = last ? 'Nothing was said between these two replies.' : 'The conversation begins with a reply.'
  messages.push({ message: { role: 'user', parts: [text(noteText('gap', words))] }, ...from(seq, 'notes') })
}

function from(seq: number, category: PartCategory): Pick<ComposedMessage, 'seqs' | 'origins'> {
  return { seqs: [seq], origins: [{ seq, category }] }
}

/** Ids are unique in a request: one that is taken, which only another program's log has, gets a number. [RUN11] */
function freeCallId(taken: Set<string>, callId: string): string {
  let free = callId.toWellFormed()
  for (let number = 2; taken.has(free); number++) free = `${callId.toWellFormed()}_${number}`
  taken.add(free)
  return free
}

function openCall({ conversationId, stepId }: EntryOf<'step-finished'>, callId: string): string {
  return `Call ${callId} of step ${stepId} in conversation ${conversationId} has no result; settle it before the next request is built`
}

function text(words: string): InputPart {
  return { type: 'text', text: words }
}
