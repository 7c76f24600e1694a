import {
  type AnswerBlock,
  type ProviderErrorCode,
  StoreWriteError,
  sealDraft,
  settingsNow,
  unlessAborted,
} from '@holdfast/conversation'
import {
  type AskingTurn,
  type ModelFinish,
  type ModelPart,
  type ModelRequest,
  ProviderError,
  type RequestUsage,
} from '@holdfast/provider'
import type { ModelChoice } from '../api/ports.ts'
import type { DraftAddress } from '../live/draft-writer.ts'
import { createOpenDraft, type OpenDraft } from '../live/open-draft.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { boundAnswer } from './bound-answer.ts'
import { conversationBlobs } from './conversation-blobs.ts'
import { drained } from './drained.ts'
import { firstOf } from './first-signal.ts'
import { createThinkingTime } from './thinking-time.ts'
import { watchSilence } from './watch-silence.ts'

/** What one request came to. `blocks` is all that was published of it, however it ended. [STOP4] */
export interface StepResult {
  readonly blocks: readonly AnswerBlock[]
  /** The provider's own end, or null when there was none. [RUN5] */
  readonly finish: ModelFinish | null
  readonly usage: RequestUsage | null
  /** How long the model thought, in milliseconds; null where it did not. */
  readonly thinkingMs: number | null
  readonly error: { readonly code: ProviderErrorCode; readonly message: string; readonly status?: number } | null
  /** The provider's error itself, where it was one: it says whether to try again. */
  readonly cause: ProviderError | null
  /** The characters that an answer may hold, where this one was closed at them; else null. [RUN26] */
  readonly closedAtChars: number | null
}

/** Where the answer of a step goes as it comes, and what ends the wait for it. */
export interface StepOutlets extends Pick<RunAtWork, 'ports' | 'writer' | 'signal' | 'cut'> {
  /** Told of the draft with every delta. */
  readonly onDraft: (draft: OpenDraft) => void
}

/** The request of a step, and where it stands. */
export interface AskedStep {
  readonly model: ModelChoice
  readonly request: ModelRequest
  readonly address: DraftAddress
  /** Absent for a request beside the conversation. */
  readonly turn?: AskingTurn
}

/** What has come of an answer beside its draft. */
interface Received {
  finish: ModelFinish | null
  usage: RequestUsage | null
  /** Whether parts are taken. */
  isOpen: boolean
  /** What kept a part from being taken: the step ends with it, whatever the source makes of it. */
  failure: { readonly thrown: unknown } | null
}

/**
 * Makes one request and publishes its answer as it comes.
 *
 * What the provider does wrong is a value, and so is a disk that refuses the draft: the run stops before it
 * loses text in silence. [LOG8] What throws is a lost lease or a defect.
 */
export async function takeStep(
  outlets: StepOutlets,
  { model, request, address, turn }: AskedStep,
): Promise<StepResult> {
  const { ports, signal, cut, writer } = outlets
  const { clock } = ports
  const thinking = createThinkingTime(clock)
  const draft = createOpenDraft(address.stepId)
  const received: Received = { finish: null, usage: null, isOpen: true, failure: null }
  let error: StepResult['error'] = null
  let cause: ProviderError | null = null
  const { answerChars, firstEventMs, betweenEventsMs, drainMs } = settingsNow(ports.settings)
  const silence = watchSilence(clock, { firstMs: firstEventMs, betweenMs: betweenEventsMs })
  const bound = boundAnswer(answerChars)
  const first = firstOf([signal, silence.signal, bound.signal])
  const reading = first.signal
  let streaming: Promise<void> | null = null

  /** A source that was left behind may go on: nothing of it is taken any more. [RUN19] */
  function onPart(part: ModelPart): Promise<void> | undefined {
    if (!received.isOpen || reading.aborted) return undefined
    try {
      const pause = take(part)
      void pause?.catch(refuse)
      return pause
    } catch (thrown) {
      refuse(thrown)
      throw thrown
    }
  }

  function take(part: ModelPart): Promise<void> | undefined {
    silence.heard()
    switch (part.type) {
      case 'usage':
        received.usage = part.usage
        return undefined
      case 'finish':
        received.finish = part.finish
        return undefined
      case 'block-started':
      case 'block-delta':
      case 'block-ended': {
        thinking.heard(part)
        const fitting = bound.fit(part)
        if (fitting === null) return undefined
        const delta = draft.take(fitting)
        outlets.onDraft(draft)
        return writer.add(address, delta)
      }
    }
  }

  function refuse(thrown: unknown): void {
    received.isOpen = false
    received.failure ??= { thrown }
  }

  try {
    if (!reading.aborted) {
      const blobs = conversationBlobs(ports.store, address.conversationId)
      streaming = model.port
        .stream(request, { signal: reading, blobs, onPart, ...(turn === undefined ? {} : { turn }) })
        .finally(() => {
          if (received.failure !== null) throw received.failure.thrown
        })
      await unlessAborted(streaming, reading)
    }
  } catch (thrown) {
    if (thrown instanceof ProviderError) cause = thrown
    else if (thrown instanceof StoreWriteError) error = { code: 'internal', message: thrown.told }
    else if (!reading.aborted) throw thrown
  } finally {
    received.isOpen = false
    if (streaming !== null && reading.aborted) await drained(streaming, { clock, drainMs, cut })
    silence.close()
    first.close()
    await writer.close(address.stepId)
  }
  // What a source throws because it was closed says nothing; why it was closed does.
  if (signal.aborted) cause = null
  else if (bound.signal.aborted) cause = null
  else if (silence.signal.aborted && received.finish === null) cause = silenceError(silence.limitMs())
  const thinkingMs = thinking.elapsedMs()
  return {
    blocks: sealDraft(draft.now()),
    finish: received.finish,
    usage: received.usage,
    thinkingMs,
    error: error ?? (cause && toStepError(cause)),
    cause,
    closedAtChars: bound.signal.aborted ? answerChars : null,
  }
}

function toStepError({ code, message, status }: ProviderError): NonNullable<StepResult['error']> {
  return status === null ? { code, message } : { code, message, status }
}

function silenceError(limitMs: number): ProviderError {
  return new ProviderError('network', `The provider sent nothing for ${limitMs / 1_000} seconds.`, {})
}
