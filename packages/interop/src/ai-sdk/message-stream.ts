import {
  type Entry,
  type EntryOf,
  type Json,
  runState,
  type ToolResultPart,
  waitsForPerson,
} from '@holdfast/conversation'
import type { ServerFrame } from '@holdfast/protocol'
import { addUsage, NO_USAGE } from '../used-tokens.ts'
import { createStepChunks, type StepChunks } from './step-chunks.ts'
import type { FinishReason, UiChunk } from './ui-chunk.ts'
import { toUsageMetadata } from './usage-metadata.ts'

/** Which turn is told. */
export type ToldTurn =
  /** The one that answers an input, whichever run that is going to be. */
  | { readonly type: 'input'; readonly inputId: string }
  /** This run; what stands in the log up to `knownSeq` the client has. */
  | { readonly type: 'run'; readonly runId: string; readonly knownSeq: number }

/** One turn as a UI message stream, from what a follower of its conversation is sent. */
export interface MessageStream {
  take(frame: ServerFrame): readonly UiChunk[]
  /** The turn is over, or waits for the person: nothing comes any more. */
  isDone(): boolean
}

/** Tells a turn. The follower begins at the latest before the turn's `run-started`, or where its input was admitted. */
export function createMessageStream(conversationId: string, told: ToldTurn): MessageStream {
  const ownRunId = told.type === 'run' ? told.runId : null
  const knownSeq = told.type === 'run' ? told.knownSeq : 0
  let runId = ownRunId
  let runs = runState.initial
  let step: StepChunks | null = null
  let modelId: string | null = null
  let usage = NO_USAGE
  let finishReason: FinishReason = 'stop'
  let out: UiChunk[] = []
  let isStarted = false
  let isStepOpen = false
  let isLive = false
  let done = false
  let isMute = false

  function tell(...chunks: readonly UiChunk[]): void {
    if (isMute || done || chunks.length === 0) return
    if (!isStarted) out.push({ type: 'start', messageId: runId ?? '', messageMetadata: { conversationId, runId } })
    isStarted = true
    out.push(...chunks)
  }

  function metadata(outcome: string): Json {
    return { conversationId, runId, modelId, outcome, ...toUsageMetadata(usage) }
  }

  function closeStep(): void {
    if (isStepOpen) tell({ type: 'finish-step' })
    isStepOpen = false
  }

  function end(...chunks: readonly UiChunk[]): void {
    closeStep()
    tell(...chunks)
    done = true
  }

  function takeEntry(entry: Entry): void {
    runs = runState.reduce(runs, [entry])
    isMute = entry.seq <= knownSeq
    if (runId === null && told.type === 'input') findRun(entry, told.inputId)
    if ('runId' in entry && entry.runId !== undefined && entry.runId === runId) takeOwn(entry)
    isMute = false
  }

  function findRun(entry: Entry, inputId: string): void {
    if (entry.type === 'user-message-sent' && entry.inputId === inputId) runId = entry.runId
    if (entry.type === 'input-removed' && entry.inputId === inputId)
      end({ type: 'abort', reason: 'The message was taken out of the queue' })
    if (entry.type === 'queue-held')
      end({ type: 'abort', reason: `The message waits: the queue is held (${entry.reason})` })
  }

  function takeOwn(entry: Entry): void {
    switch (entry.type) {
      case 'user-message-sent':
        if (!isStarted && !isMute) tellStart()
        return
      case 'step-started':
        startStep(entry)
        return
      case 'step-finished':
        if (step?.stepId !== entry.stepId) return
        tell(...step.onFinished(entry))
        finishReason = reasonOf(entry.finish)
        step = null
        return
      case 'step-failed':
        if (step?.stepId !== entry.stepId) return
        tell(...step.onFailed())
        step = null
        return
      case 'permission-requested':
        tell({ type: 'tool-approval-request', approvalId: entry.requestId, toolCallId: entry.callId })
        return
      case 'tool-call-settled':
        tell(outputOf(entry))
        return
      case 'usage-recorded':
        usage = addUsage(usage, entry)
        return
      case 'run-finished':
        finish(entry)
        return
      default:
        return
    }
  }

  function tellStart(): void {
    isStarted = true
    out.push({ type: 'start', messageId: runId ?? '', messageMetadata: { conversationId, runId } })
  }

  /** What a run asks beside its answer, such as a summary, is no part of the message. */
  function startStep({ stepId, purpose, modelId: asked }: EntryOf<'step-started'>): void {
    if (purpose !== 'turn') return
    closeStep()
    modelId = asked
    step = createStepChunks(stepId)
    tell({ type: 'start-step' })
    isStepOpen = true
  }

  function finish({ outcome, reason }: EntryOf<'run-finished'>): void {
    switch (outcome) {
      case 'completed':
        end({ type: 'finish', finishReason, messageMetadata: metadata(outcome) })
        return
      case 'stopped':
        end({ type: 'message-metadata', messageMetadata: metadata(outcome) }, { type: 'abort', reason: 'stopped' })
        return
      case 'failed':
      case 'interrupted':
      case 'limit':
        end(
          { type: 'message-metadata', messageMetadata: metadata(outcome) },
          { type: 'error', errorText: reason ?? `The turn ended: ${outcome}` },
        )
        return
    }
  }

  /** A turn that waits for its person ends the stream: the answer comes with a request of its own. */
  function endIfParked(): void {
    const run = runs.exclusive
    if (!isLive || done || run === null || run.runId !== runId || !waitsForPerson(run)) return
    end({ type: 'finish', finishReason: 'tool-calls', messageMetadata: metadata('waiting-for-permission') })
  }

  function takeFrame(frame: ServerFrame): void {
    switch (frame.type) {
      case 'entries':
        for (const entry of frame.entries) takeEntry(entry)
        endIfParked()
        return
      case 'draft':
        tell(...(step?.onDraft(frame) ?? []))
        return
      case 'delta':
        tell(...(step?.onDelta(frame) ?? []))
        return
      case 'progress': {
        const { callId: toolCallId, message } = frame
        if (runs.exclusive?.runId === runId && runs.exclusive.openCalls.some(({ callId }) => callId === toolCallId))
          tell({ type: 'data-progress', data: { toolCallId, message }, transient: true })
        return
      }
      case 'caught-up':
        isLive = true
        endIfParked()
        return
      case 'refused':
        end({ type: 'error', errorText: frame.problem.detail })
        return
      case 'welcome':
      case 'overview':
      case 'erased':
      case 'write-failed':
      case 'accepted':
      case 'conversations':
      case 'composer':
      case 'pong':
      case 'goodbye':
      case 'terminal-open':
      case 'terminal-output':
      case 'terminal-resize':
      case 'terminal-close':
        return
    }
  }

  return {
    take(frame) {
      out = []
      takeFrame(frame)
      return out
    },
    isDone: () => done,
  }
}

function reasonOf(finish: EntryOf<'step-finished'>['finish']): FinishReason {
  switch (finish) {
    case 'end':
      return 'stop'
    case 'tool-calls':
      return 'tool-calls'
    case 'length':
      return 'length'
    case 'refused':
      return 'content-filter'
    case 'cut':
      return 'other'
  }
}

function outputOf({ callId: toolCallId, outcome, content }: EntryOf<'tool-call-settled'>): UiChunk {
  switch (outcome) {
    case 'ok':
      return { type: 'tool-output-available', toolCallId, output: toOutput(content) }
    case 'denied':
      return { type: 'tool-output-denied', toolCallId }
    case 'error':
    case 'timed-out':
    case 'aborted':
    case 'not-started':
    case 'unknown':
      return { type: 'tool-output-error', toolCallId, errorText: wordsOf(content) || outcome }
  }
}

/** Words as words; with pictures, the parts in their order. */
function toOutput(content: readonly ToolResultPart[]): Json {
  if (content.every(({ type }) => type === 'text')) return wordsOf(content)
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image', attachmentId: part.attachmentId, mediaType: part.blob.mediaType },
  )
}

function wordsOf(content: readonly ToolResultPart[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
