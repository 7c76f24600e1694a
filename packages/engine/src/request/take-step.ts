import {
  type AnswerBlock,
  applyDelta,
  type Draft,
  type DraftDelta,
  emptyDraft,
  type ProviderErrorCode,
  StoreWriteError,
  sealDraft,
  settingsNow,
} from '@holdfast/conversation'
import {
  type ModelFinish,
  type ModelPart,
  type ModelRequest,
  ProviderError,
  type RequestUsage,
} from '@holdfast/provider'
import type { ModelChoice } from '../api/ports.ts'
import type { DraftAddress } from '../live/draft-writer.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { conversationBlobs } from './conversation-blobs.ts'
import { eitherOf } from './either-signal.ts'

import { type AbortableReader, readUntilAborted } from './read-until-aborted.ts'
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
}

/** Where the answer of a step goes as it comes, and what ends the wait for it. */
export interface StepOutlets extends Pick<RunAtWork, 'ports' | 'writer' | 'signal' | 'cut'> {
  /** Told of the draft after every delta. */
  readonly onDraft: (draft: Draft) => void
}

/** The request of a step, and where it stands. */
export interface AskedStep {
  readonly model: ModelChoice
  readonly request: ModelRequest
  readonly address: DraftAddress
}

/**
 * Makes one request and publishes its answer as it comes.
 *
 * What the provider does wrong is a value, and so is a disk that refuses the draft: the run stops before it
 * loses text in silence. [LOG8] What throws is a lost lease or a defect.
 */
export async function takeStep(outlets: StepOutlets, { model, request, address }: AskedStep): Promise<StepResult> {
  const { ports, signal, cut, writer } = outlets
  const { clock } = ports
  const thinking = createThinkingTime(clock)
  let draft = emptyDraft(address.stepId)
  let finish: ModelFinish | null = null
  let usage: RequestUsage | null = null
  let error: StepResult['error'] = null
  let cause: ProviderError | null = null
  const { firstEventMs, betweenEventsMs, drainMs } = settingsNow(ports.settings)
  const silence = watchSilence(clock, { firstMs: firstEventMs, betweenMs: betweenEventsMs })
  const either = eitherOf(signal, silence.signal)
  const reading = either.signal
  let reader: AbortableReader<ModelPart> | null = null
  try {
    const source = model.port.stream(request, reading, conversationBlobs(ports.store, address.conversationId))
    reader = readUntilAborted(source, { signal: reading, cut, clock, drainMs })
    for (let part = await reader.next(); part !== null; part = await reader.next()) {
      silence.heard()
      if (part.type === 'usage') usage = part.usage
      else if (part.type === 'finish') finish = part.finish
      else {
        thinking.heard(part)
        const delta = toDelta(draft, part)
        draft = applyDelta(draft, delta).draft
        outlets.onDraft(draft)
        await writer.add(address, delta)
      }
    }
  } catch (thrown) {
    if (thrown instanceof ProviderError) cause = thrown
    else if (thrown instanceof StoreWriteError) error = { code: 'internal', message: thrown.message }
    else if (!reading.aborted) throw thrown
  } finally {
    await reader?.close()
    silence.close()
    either.close()
    await writer.close(address.stepId)
  }
  // What a source throws because it was closed says nothing; why it was closed does.
  if (signal.aborted) cause = null
  else if (silence.signal.aborted && finish === null) cause = silenceError(silence.limitMs())
  const thinkingMs = thinking.elapsedMs()
  return { blocks: sealDraft(draft), finish, usage, thinkingMs, error: error ?? (cause && toStepError(cause)), cause }
}

function toDelta(draft: Draft, part: Extract<ModelPart, { block: number }>): DraftDelta {
  const at = { stepId: draft.stepId, block: part.block, offset: draft.blocks[part.block]?.text.length ?? 0 }
  switch (part.type) {
    case 'block-started':
      return { ...at, text: '', start: part.start }
    case 'block-delta':
      return { ...at, text: part.text }
    case 'block-ended':
      return { ...at, text: '', end: part.providerState === undefined ? {} : { providerState: part.providerState } }
  }
}

function toStepError({ code, message, status }: ProviderError): NonNullable<StepResult['error']> {
  return status === null ? { code, message } : { code, message, status }
}

function silenceError(limitMs: number): ProviderError {
  return new ProviderError('network', `The provider sent nothing for ${limitMs / 1_000} seconds.`, {})
}
