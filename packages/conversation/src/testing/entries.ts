import type { AnswerBlock, BlobReference, ToolCallBlock } from '../content.ts'
import type { Entry, EntryOf, NewEntry } from '../entry.ts'
import { placeEntry } from '../entry-versions.ts'
import { noTotals } from '../ledger-totals.ts'

/** A new entry of one kind. */
type New<Type extends NewEntry['type']> = Extract<NewEntry, { type: Type }>

const person = { type: 'person', userId: 'user_1' } as const
const engine = { type: 'engine' } as const

/** Begins a log that `ownerId` owns. */
export function conversationCreated(ownerId: string): NewEntry {
  return { type: 'conversation-created', actor: person, ownerId, settings: {}, origin: { type: 'new' } }
}

/** A person's words, accepted. */
export function inputAdmitted(inputId: string, text: string): NewEntry {
  return {
    type: 'input-admitted',
    actor: person,
    inputId,
    lane: 'turn',
    origin: 'person',
    content: [{ type: 'text', text }],
  }
}

/** A run for a purpose, begun. */
export function runStarted(runId: string, purpose: EntryOf<'run-started'>['purpose']): NewEntry {
  return { type: 'run-started', actor: engine, runId, purpose }
}

/** A person's words, at their place in the path. */
export function userMessageSent(runId: string, inputId: string, text: string): NewEntry {
  return { type: 'user-message-sent', actor: engine, runId, inputId, content: [{ type: 'text', text }] }
}

/** A file that a person sent, at its place in the path. */
export function fileSent(runId: string, uploadId: string, blob: BlobReference): NewEntry {
  const content = [{ type: 'file' as const, attachmentId: uploadId, blob, name: 'notes.txt' }]
  return { type: 'user-message-sent', actor: engine, runId, inputId: `input of ${uploadId}`, content }
}

/** A request of a run, sent. */
export function stepStarted(runId: string, stepId: string, purpose: EntryOf<'step-started'>['purpose']): NewEntry {
  return {
    type: 'step-started',
    actor: engine,
    runId,
    stepId,
    purpose,
    providerId: 'demo',
    modelId: 'demo',
    requestHash: '0'.repeat(64),
    prefixHash: '0'.repeat(64),
    anchors: [],
    windowStartSeq: 1,
    builderVersion: 1,
  }
}

/** An answer that the model ended itself. */
export function stepFinished(runId: string, stepId: string, blocks: AnswerBlock[]): NewEntry {
  const calls = blocks.some((block) => block.type === 'tool-call')
  return { type: 'step-finished', actor: engine, runId, stepId, blocks, finish: calls ? 'tool-calls' : 'end' }
}

/** A block of words. */
export function textBlock(text: string): AnswerBlock {
  return { type: 'text', text }
}

/** A whole call of a tool. */
export function toolCallBlock(callId: string, name: string): ToolCallBlock {
  return { type: 'tool-call', callId, name, inputText: '{}', complete: true }
}

/** A tool, about to run. */
export function toolCallStarted(runId: string, stepId: string, call: { callId: string; name: string }): NewEntry {
  return { type: 'tool-call-started', actor: engine, runId, stepId, ...call, input: {}, effects: false }
}

/** A call's outcome after 12 milliseconds. */
export function toolCallSettled(
  runId: string,
  stepId: string,
  call: { callId: string; name: string; outcome: EntryOf<'tool-call-settled'>['outcome'] },
): New<'tool-call-settled'> {
  const { callId, name, outcome } = call
  const content = [{ type: 'text' as const, text: `${name}: ${outcome}` }]
  return { type: 'tool-call-settled', actor: engine, runId, stepId, callId, name, outcome, content, durationMs: 12 }
}

/** A call whose whole result is in a blob. */
export function largeResult(
  runId: string,
  stepId: string,
  call: { callId: string; name: string; blob: BlobReference },
): NewEntry {
  const { callId, name, blob } = call
  const content = [{ type: 'text' as const, text: 'The first lines' }]
  return {
    type: 'tool-call-settled',
    actor: engine,
    runId,
    stepId,
    callId,
    name,
    outcome: 'ok',
    content,
    blob,
    durationMs: 12,
  }
}

/** A summary of all from one entry to another. */
export function checkpointMade(covers: { fromSeq: number; toSeq: number }, summary: string): NewEntry {
  const { fromSeq, toSeq } = covers
  return {
    type: 'checkpoint-made',
    actor: engine,
    source: 'auto',
    coversFromSeq: fromSeq,
    coversToSeq: toSeq,
    keptFromSeq: toSeq + 1,
    summary,
    verbatimSeqs: [],
  }
}

/** What a request cost. */
export function usageRecorded(
  runId: string,
  stepId: string,
  tokens: { input: number; output: number },
): New<'usage-recorded'> {
  return {
    type: 'usage-recorded',
    actor: engine,
    runId,
    stepId,
    purpose: 'turn',
    providerId: 'demo',
    modelId: 'demo',
    inputTokens: tokens.input,
    cacheReadTokens: 0,
    cacheCreation5mTokens: 0,
    cacheCreation1hTokens: 0,
    outputTokens: tokens.output,
    thinkingTokens: 0,
    costUsd: (tokens.input + 5 * tokens.output) / 1_000_000,
    priceReference: 'test',
    measured: true,
    outcome: 'completed',
    carried: false,
  }
}

/** A run's end. */
export function runFinished(runId: string, outcome: EntryOf<'run-finished'>['outcome']): NewEntry {
  return { type: 'run-finished', actor: engine, runId, outcome }
}

/** The path, going on after `toSeq`. */
export function pathRewound(toSeq: number): NewEntry {
  return { type: 'path-rewound', actor: person, toSeq, reason: 'rewind', setAsideCount: 1, totals: noTotals }
}

/** A title that the model or a person gave. */
export function titleChanged(title: string, source: 'auto' | 'user'): NewEntry {
  return { type: 'title-changed', actor: source === 'user' ? person : engine, title, source }
}

/** A whole turn without tools: what is asked, and the answer. */
export function wholeTurn(number: number, words: { asked: string; answered: string }): NewEntry[] {
  const runId = `run_${number}`
  const stepId = `step_${number}`
  const inputId = `input_${number}`
  return [
    inputAdmitted(inputId, words.asked),
    runStarted(runId, 'turn'),
    userMessageSent(runId, inputId, words.asked),
    stepStarted(runId, stepId, 'turn'),
    stepFinished(runId, stepId, [textBlock(words.answered)]),
    usageRecorded(runId, stepId, { input: 100, output: 50 }),
    runFinished(runId, 'completed'),
  ]
}

/** Places entries in a log of their own, one millisecond apart. */
export function logOf(conversationId: string, entries: readonly NewEntry[]): Entry[] {
  return entries.map((entry, index) => placeEntry(entry, { conversationId, seq: index + 1, at: 1_000 + index }))
}
