import type { EntryOf, Json, NewEntry } from '@holdfast/conversation'
import {
  conversationCreated,
  inputAdmitted,
  runStarted,
  stepFinished,
  stepStarted,
  userMessageSent,
} from '@holdfast/conversation/testing'

const engine = { type: 'engine' } as const

/** The beginning of a conversation whose first turn asks for something and calls tools. */
export function askedWithCalls(
  words: { readonly asked: string; readonly answered: string },
  calls: readonly { readonly callId: string; readonly name: string; readonly input: Json }[],
): NewEntry[] {
  return [
    conversationCreated('local'),
    inputAdmitted('input_1', words.asked),
    runStarted('run_1', 'turn'),
    userMessageSent('run_1', 'input_1', words.asked),
    stepStarted('run_1', 'step_1', 'turn'),
    stepFinished('run_1', 'step_1', [
      { type: 'text', text: words.answered },
      ...calls.map(({ callId, name, input }) => ({
        type: 'tool-call' as const,
        callId,
        name,
        inputText: JSON.stringify(input),
        complete: true,
      })),
    ]),
  ]
}

/** A call of the first step that runs a sub-agent in this conversation. */
export function delegated(callId: string, childConversationId: string): NewEntry {
  return { ...begun(callId, 'delegate'), childConversationId }
}

/** A call of the first step, begun. */
export function begun(callId: string, name: string): Extract<NewEntry, { type: 'tool-call-started' }> {
  return {
    type: 'tool-call-started',
    actor: engine,
    runId: 'run_1',
    stepId: 'step_1',
    callId,
    name,
    input: {},
    effects: true,
  }
}

/** A call of the first step, ended. */
export function ended(
  { callId, name }: { readonly callId: string; readonly name: string },
  outcome: EntryOf<'tool-call-settled'>['outcome'],
  result: { readonly text: string; readonly durationMs: number },
): NewEntry {
  return {
    type: 'tool-call-settled',
    actor: engine,
    runId: 'run_1',
    stepId: 'step_1',
    callId,
    name,
    outcome,
    content: [{ type: 'text', text: result.text }],
    durationMs: result.durationMs,
  }
}

/** A call of the first step that waits for a person. */
export function asking(
  requestId: string,
  call: { readonly callId: string; readonly tool: string; readonly input: Json },
  reason: string,
): NewEntry {
  return {
    type: 'permission-requested',
    actor: engine,
    runId: 'run_1',
    stepId: 'step_1',
    requestId,
    userId: 'local',
    reason,
    source: 'default-policy',
    ...call,
  }
}

/** The answer to a request. */
export function answered(
  requestId: string,
  outcome: 'allowed' | 'denied' | 'cancelled',
  reason: string | null,
): NewEntry {
  const actor = { type: 'person', userId: 'local' } as const
  const words = reason === null ? {} : { reason }
  return { type: 'permission-settled', actor, requestId, outcome, by: 'person', scope: 'call', ...words }
}
