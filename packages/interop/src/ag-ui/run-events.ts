import type { EntryOf, Json } from '@holdfast/conversation'
import type { ServerFrame } from '@holdfast/protocol'
import type { MessageStream } from '../ai-sdk/message-stream.ts'
import type { UiChunk } from '../ai-sdk/ui-chunk.ts'

/**
 * An event of AG-UI, version 1.0, as far as it is sent here.
 *
 * @see https://docs.ag-ui.com/concepts/events
 */
export interface AgUiEvent {
  readonly type: string
  readonly [field: string]: Json | undefined
}

/** Writes a turn as events of AG-UI. */
export interface RunEvents {
  take(frame: ServerFrame): readonly AgUiEvent[]
  /** The run is over, or waits for the person: nothing comes any more. */
  isDone(): boolean
}

interface Named {
  readonly threadId: string
  /** As the client named its run. */
  readonly runId: string
  /** What of the request was not looked at. */
  readonly ignored: readonly string[]
}

type Asked = EntryOf<'permission-requested'> | EntryOf<'question-asked'>

/** Tells what a message stream tells, in the events of AG-UI. */
export function createRunEvents(stream: MessageStream, { threadId, runId, ignored }: Named): RunEvents {
  const named = { threadId, runId }
  /** What waits for a person, by its call. */
  const waiting = new Map<string, Asked>()
  let metadata: Json | undefined
  let steps = 0
  /** A run that goes on after an answer begins in the middle of a step, which was told with the run before. */
  let isStepOpen = false
  let isBegun = false

  /** Requests come with entries, some of which the message stream has no chunk for. */
  function hear(frame: ServerFrame): void {
    if (frame.type !== 'entries') return
    for (const entry of frame.entries) {
      if (entry.type === 'permission-requested') waiting.set(entry.requestId, entry)
      if (entry.type === 'permission-settled') waiting.delete(entry.requestId)
      if (entry.type === 'question-asked') waiting.set(entry.questionId, entry)
      if (entry.type === 'question-settled') waiting.delete(entry.questionId)
    }
  }

  function eventsOf(chunk: UiChunk): readonly AgUiEvent[] {
    switch (chunk.type) {
      case 'start':
        isBegun = true
        return [{ type: 'RUN_STARTED', ...named, metadata: { holdfast: chunk.messageMetadata, ignored: [...ignored] } }]
      case 'start-step':
        steps += 1
        isStepOpen = true
        return [{ type: 'STEP_STARTED', stepName: `step ${steps}` }]
      case 'finish-step':
        if (!isStepOpen) return []
        isStepOpen = false
        return [{ type: 'STEP_FINISHED', stepName: `step ${steps}` }]
      case 'text-start':
        return [{ type: 'TEXT_MESSAGE_START', messageId: chunk.id, role: 'assistant' }]
      case 'text-delta':
        return [{ type: 'TEXT_MESSAGE_CONTENT', messageId: chunk.id, delta: chunk.delta }]
      case 'text-end':
        return [{ type: 'TEXT_MESSAGE_END', messageId: chunk.id }]
      case 'reasoning-start':
        return [
          { type: 'REASONING_START', messageId: chunk.id },
          { type: 'REASONING_MESSAGE_START', messageId: chunk.id, role: 'reasoning' },
        ]
      case 'reasoning-delta':
        return [{ type: 'REASONING_MESSAGE_CONTENT', messageId: chunk.id, delta: chunk.delta }]
      case 'reasoning-end':
        return [
          { type: 'REASONING_MESSAGE_END', messageId: chunk.id },
          { type: 'REASONING_END', messageId: chunk.id },
        ]
      case 'tool-input-start':
        return [{ type: 'TOOL_CALL_START', toolCallId: chunk.toolCallId, toolCallName: chunk.toolName }]
      case 'tool-input-delta':
        return [{ type: 'TOOL_CALL_ARGS', toolCallId: chunk.toolCallId, delta: chunk.inputTextDelta }]
      case 'tool-input-available':
      case 'tool-input-error':
        return [{ type: 'TOOL_CALL_END', toolCallId: chunk.toolCallId }]
      case 'tool-output-available':
        return [resultOf(chunk.toolCallId, chunk.output)]
      case 'tool-output-error':
        return [resultOf(chunk.toolCallId, chunk.errorText)]
      case 'tool-output-denied':
        return [resultOf(chunk.toolCallId, 'The call was denied')]
      case 'data-progress':
        return [{ type: 'CUSTOM', name: 'holdfast.progress', value: { ...chunk.data } }]
      case 'tool-approval-request':
        return []
      case 'message-metadata':
        metadata = chunk.messageMetadata
        return []
      case 'finish':
        metadata = chunk.messageMetadata
        return [finished(waiting.size === 0 ? { type: 'success' } : { type: 'interrupt', interrupts: interrupts() })]
      case 'abort':
        return [finished({ type: 'cancelled' })]
      case 'error':
        return [{ type: 'RUN_ERROR', message: chunk.errorText, ...withMetadata() }]
    }
  }

  function finished(outcome: Json): AgUiEvent {
    return { type: 'RUN_FINISHED', ...named, outcome, ...withMetadata() }
  }

  function withMetadata(): { readonly metadata?: Json } {
    return metadata === undefined ? {} : { metadata: { holdfast: metadata } }
  }

  function interrupts(): Json {
    return [...waiting.values()].map((asked) =>
      asked.type === 'permission-requested'
        ? {
            id: asked.requestId,
            reason: 'tool_call',
            message: `${asked.tool} waits for a person: resume with {"approved": true} or {"approved": false}`,
            toolCallId: asked.callId,
            responseSchema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
          }
        : {
            id: asked.questionId,
            reason: 'question',
            message: 'A question waits: it is answered in the page or by the API',
          },
    )
  }

  return {
    take(frame) {
      hear(frame)
      const events = stream.take(frame).flatMap(eventsOf)
      // A turn that was over before it began is told as one all the same: a run begins with its beginning.
      return isBegun || events.length === 0 ? events : begun(events)
    },
    isDone: stream.isDone,
  }

  function begun(events: readonly AgUiEvent[]): readonly AgUiEvent[] {
    isBegun = true
    return [{ type: 'RUN_STARTED', ...named }, ...events]
  }
}

function resultOf(toolCallId: string, output: Json): AgUiEvent {
  const content = typeof output === 'string' ? output : JSON.stringify(output)
  return { type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}:result`, toolCallId, content, role: 'tool' }
}
