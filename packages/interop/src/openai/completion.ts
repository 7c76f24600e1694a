import { createAnswerText, type Entry, type EntryOf } from '@holdfast/conversation'
import type { OpenAiUsage, ServerFrame } from '@holdfast/protocol'
import { addUsage, NO_USAGE } from '../used-tokens.ts'

/** The turn that answers an input, as a completion. */
export interface Completion {
  take(frame: ServerFrame): void
  takeEntry(entry: Entry): void
  /** The run, as soon as there is one. */
  runId(): string | null
  /** How it ended; null while it goes on. */
  end(): CompletionEnd | null
}

/** How a completion ended: with a reason of OpenAI's, or with what went wrong. */
export type CompletionEnd =
  | { readonly type: 'finished'; readonly reason: 'stop' | 'length' | 'content_filter'; readonly usage: OpenAiUsage }
  | { readonly type: 'failed'; readonly words: string }

/** Tells a turn: its text goes to `onText`, and whatever waits for a person to `onQuestion`. */
export function createCompletion({
  inputId,
  onText,
  onQuestion,
}: {
  readonly inputId: string
  readonly onText: (text: string) => void
  readonly onQuestion: (question: EntryOf<'permission-requested'> | EntryOf<'question-asked'>) => void
}): Completion {
  let runId: string | null = null
  let usage = NO_USAGE
  let finish: EntryOf<'step-finished'>['finish'] = 'end'
  let end: CompletionEnd | null = null
  let stepEnded = false
  const text = createAnswerText({
    onText(words) {
      if (stepEnded) onText('\n\n')
      stepEnded = false
      onText(words)
    },
    onStepEnd() {
      stepEnded = true
    },
  })

  function takeEntry(entry: Entry): void {
    if (entry.type === 'user-message-sent' && entry.inputId === inputId) runId = entry.runId
    if (entry.type === 'input-removed' && entry.inputId === inputId) fail('The message was taken out of the queue')
    if (entry.type === 'queue-held' && runId === null) fail(`The message waits: the queue is held (${entry.reason})`)
    if (!('runId' in entry) || entry.runId === undefined || entry.runId !== runId) return
    if (entry.type === 'step-started' && entry.purpose === 'turn') text.begin(entry)
    if (entry.type === 'usage-recorded') usage = addUsage(usage, entry)
    if (entry.type === 'permission-requested' || entry.type === 'question-asked') onQuestion(entry)
    if (entry.type === 'step-finished') {
      text.finish(entry)
      finish = entry.finish
    }
    if (entry.type === 'run-finished') endWith(entry)
  }

  function endWith({ outcome, reason }: EntryOf<'run-finished'>): void {
    switch (outcome) {
      case 'completed':
      case 'stopped':
        end = { type: 'finished', reason: 'stop', usage: toUsage(usage) }
        return
      case 'limit':
        end =
          finish === 'length'
            ? { type: 'finished', reason: 'length', usage: toUsage(usage) }
            : { type: 'failed', words: reason ?? 'The turn reached a limit' }
        return
      case 'failed':
      case 'interrupted':
        end =
          finish === 'refused'
            ? { type: 'finished', reason: 'content_filter', usage: toUsage(usage) }
            : { type: 'failed', words: reason ?? `The turn ended: ${outcome}` }
        return
    }
  }

  function fail(words: string): void {
    end ??= { type: 'failed', words }
  }

  return {
    takeEntry,
    take(frame) {
      if (frame.type === 'entries') for (const entry of frame.entries) takeEntry(entry)
      if (frame.type === 'draft') text.seeDraft(frame)
      if (frame.type === 'delta') text.seeDelta(frame)
      if (frame.type === 'refused') fail(frame.problem.detail)
    },
    runId: () => runId,
    end: () => end,
  }
}

function toUsage({
  inputTokens,
  cachedInputTokens,
  outputTokens,
  reasoningTokens,
  measured,
}: typeof NO_USAGE): OpenAiUsage {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
    measured,
  }
}
