import { BUILDER_VERSION, canonicalText, receiptText } from '@holdfast/context'
import {
  type AgentInUse,
  type AnswerBlock,
  applyDelta,
  type BlobStore,
  type Clock,
  DamagedBlobError,
  type Draft,
  type DraftDelta,
  type EntryOf,
  emptyDraft,
  type NewEntry,
  type Overview,
  type ProviderErrorCode,
  StoreWriteError,
  sealDraft,
  waitFor,
} from '@holdfast/conversation'
import {
  type BlobSource,
  type ModelFinish,
  type ModelPart,
  type ModelRequest,
  ProviderError,
  type RequestUsage,
} from '@holdfast/provider'
import { type EnginePorts, LIMITS, type ModelChoice } from '../api/ports.ts'
import type { DraftAddress, DraftWriter } from '../log/draft-writer.ts'
import { ENGINE, type Turn } from '../log/turn.ts'

/** A request as its receipt has it. [REQ1] */
export interface Receipt {
  readonly model: ModelChoice
  readonly request: ModelRequest
  readonly anchors: readonly number[]
  readonly windowStartSeq: number
  readonly estimatedInputTokens: number
  /** The state of the log that it was composed from; absent for what stands beside the conversation. */
  readonly composedFrom?: Overview
  /** What that state holds at its end and the log does not: it is written with the request. */
  readonly notes: readonly NewEntry[]
}

/**
 * Writes down that a request is made, with what it is estimated to hold: whatever happens then, its cost can be told.
 * [COST9] Null when a stop came first: then nothing is asked [STOP2]; or, for a request
 * composed from the log, when something came that makes it another one: then it is composed again, so
 * that the log up to here gives these bytes. [REQ1]
 *
 * @returns the id of the step.
 */
export async function startStep(
  { ports, log, runId, epoch, signal }: Turn,
  purpose: EntryOf<'step-started'>['purpose'],
  { model, request, anchors, windowStartSeq, estimatedInputTokens, composedFrom, notes }: Receipt,
): Promise<string | null> {
  const stepId = ports.ids.next('step')
  const { settingLayers, settings } = log.overview()
  const started: NewEntry = {
    type: 'step-started',
    actor: ENGINE,
    runId,
    stepId,
    purpose,
    providerId: model.port.providerId,
    modelId: model.modelId,
    requestHash: ports.sha256(receiptText(request)),
    prefixHash: ports.sha256(canonicalText(request)),
    anchors: [...anchors],
    windowStartSeq,
    ...(request.toolChoice === 'none' ? { toolChoice: 'none' as const } : {}),
    builderVersion: BUILDER_VERSION,
    ...answeringAs(settingLayers.agent, settings.agentId),
    estimatedInputTokens,
    windowTokens: model.facts.contextWindowTokens,
  }
  const { entries } = await log.append({ epoch, command: null, dropDraft: null }, (state) => {
    const isOutdated =
      composedFrom !== undefined &&
      (state.settings !== composedFrom.settings ||
        state.toolDefinitions !== composedFrom.toolDefinitions ||
        // A note has the place that the request says, or the request is another one.
        (notes.length > 0 && state.head + notes.length !== composedFrom.head))
    return signal.aborted || isOutdated ? [] : [...notes, started]
  })
  return entries.length === 0 ? null : stepId
}

/** What one request came to. `blocks` is all that was published of it, however it ended. [STOP4] */
export interface StepResult {
  readonly blocks: readonly AnswerBlock[]
  /** The provider's own end, or null when there was none. [RUN5] */
  readonly finish: ModelFinish | null
  readonly usage: RequestUsage | null
  readonly error: { readonly code: ProviderErrorCode; readonly message: string; readonly status?: number } | null
  /** The provider's error itself, where it was one: it says whether to try again. */
  readonly cause: ProviderError | null
}

/** What a step needs. */
export interface StepContext {
  readonly ports: EnginePorts
  readonly model: ModelChoice
  readonly request: ModelRequest
  readonly address: DraftAddress
  readonly signal: AbortSignal
  /** Aborted when the source is no longer waited for. [STOP10] */
  readonly cut: AbortSignal
  readonly writer: DraftWriter
  /** Told of the draft after every delta. */
  readonly onDraft: (draft: Draft) => void
}

/**
 * Makes one request and publishes its answer as it comes.
 *
 * What the provider does wrong is a value, and so is a disk that refuses the draft: the run stops before it
 * loses text in silence. [LOG8] What throws is a lost lease or a defect.
 */
export async function takeStep(context: StepContext): Promise<StepResult> {
  const { ports, model, request, address, signal, cut, writer } = context
  const { clock, bus } = ports
  let draft = emptyDraft(address.stepId)
  let finish: ModelFinish | null = null
  let usage: RequestUsage | null = null
  let error: StepResult['error'] = null
  let cause: ProviderError | null = null
  const silence = watchSilence(clock, { firstMs: LIMITS.firstEventMs, betweenMs: LIMITS.betweenEventsMs })
  const either = eitherOf(signal, silence.signal)
  const reading = either.signal
  const source = model.port.stream(request, reading, conversationBlobs(ports.store, address.conversationId))
  const reader = readUntilAborted(source, { signal: reading, cut, clock, drainMs: LIMITS.drainMs })
  try {
    for (let part = await reader.next(); part !== null; part = await reader.next()) {
      silence.heard()
      if (part.type === 'usage') usage = part.usage
      else if (part.type === 'finish') finish = part.finish
      else {
        const delta = toDelta(draft, part)
        draft = applyDelta(draft, delta).draft
        context.onDraft(draft)
        bus.publish({ type: 'delta', conversationId: address.conversationId, delta })
        await writer.add(address, delta)
      }
    }
  } catch (thrown) {
    if (thrown instanceof ProviderError) cause = thrown
    else if (thrown instanceof StoreWriteError) error = { code: 'internal', message: thrown.message }
    else if (!reading.aborted) throw thrown
  } finally {
    await reader.close()
    silence.close()
    either.close()
    writer.drop(address.stepId)
  }
  // What a source throws because it was closed says nothing; why it was closed does.
  if (signal.aborted) cause = null
  else if (silence.signal.aborted && finish === null) cause = silenceError(silence.limitMs())
  return { blocks: sealDraft(draft), finish, usage, error: error ?? (cause && toStepError(cause)), cause }
}

/**
 * A signal that fires with the first of two. `AbortSignal.any` does the same, and looks at all its sources whenever it
 * is asked whether it has fired: with every delta.
 */
function eitherOf(first: AbortSignal, second: AbortSignal): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController()
  const sources = [first, second]
  const abort = (): void => controller.abort()
  for (const source of sources) source.addEventListener('abort', abort, { once: true })
  if (sources.some(({ aborted }) => aborted)) abort()
  return {
    signal: controller.signal,
    close() {
      for (const source of sources) source.removeEventListener('abort', abort)
    },
  }
}

function silenceError(limitMs: number): ProviderError {
  return new ProviderError('network', `The provider sent nothing for ${limitMs / 1_000} seconds.`, {})
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

/** Who answers, with the name that it has now; nobody where no agent was chosen. [AGENT4] */
function answeringAs(agent: AgentInUse | null, agentId: string | undefined): Pick<EntryOf<'step-started'>, 'agent'> {
  if (agentId === undefined) return {}
  if (agent?.agentId !== agentId) return { agent: { agentId, name: agentId } }
  const { name, avatar } = agent
  return { agent: { agentId, name, ...(avatar === null ? {} : { avatar }) } }
}

/** When to stop reading, and how long to wait for the source to close. */
interface Reading {
  readonly signal: AbortSignal
  /** Ends the wait for the source at once. */
  readonly cut: AbortSignal
  readonly clock: Clock
  readonly drainMs: number
}

/** Reads a source part by part. */
interface AbortableReader<Part> {
  /** The next part; null when the source has ended or the signal has fired, whichever comes first. */
  next(): Promise<Part | null>
  /** Closes the source, and waits for that a while. [STOP3] */
  close(): Promise<void>
}

/**
 * Reads from `source` until it ends or `signal` aborts, whichever comes first. Whoever reads closes it in every case.
 *
 * A source that does not close within `drainMs` milliseconds is left behind: a stop must not hang on it. [STOP3] It is
 * no generator, because a part would wait three times on its way through one.
 */
function readUntilAborted<Part extends object>(source: AsyncIterable<Part>, reading: Reading): AbortableReader<Part> {
  const { signal } = reading
  const iterator = source[Symbol.asyncIterator]()
  // One at a time is waited for: a race with a promise that lasts would keep something of every part until the end.
  let giveUp = (): void => {}
  const onAbort = (): void => giveUp()
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return resolve(null)
        giveUp = () => resolve(null)
        // After an abort nobody waits for it: what a source throws then decides nothing.
        iterator.next().then(({ done, value }) => resolve(done ? null : value), reject)
      }),
    async close() {
      signal.removeEventListener('abort', onAbort)
      await settles(iterator.return?.(), reading)
    },
  }
}

/** Waits for `work` to settle, either way, until the drain or the cut ends the wait. Never throws. */
async function settles(work: Promise<unknown> | undefined, { clock, drainMs, cut }: Reading): Promise<void> {
  if (!work || cut.aborted) return
  const settled = new AbortController()
  const end = (): void => settled.abort()
  work.then(end, end)
  await waitFor(clock, drainMs, AbortSignal.any([cut, settled.signal]))
}

/** Watches a source that says something now and then. */
interface SilenceWatch {
  /** Aborted when it was silent for too long. */
  readonly signal: AbortSignal
  /** How long it was silent when the watch gave up, in milliseconds. */
  readonly limitMs: () => number
  /** It said something. */
  heard(): void
  close(): void
}

/**
 * Counts silence by events, not by bytes: a line that is kept open by comments is silent. [RUN6]
 *
 * One timer runs at a time and looks at the last event when it fires, so that an event costs nothing.
 */
function watchSilence(
  clock: Clock,
  { firstMs, betweenMs }: { readonly firstMs: number; readonly betweenMs: number },
): SilenceWatch {
  const silent = new AbortController()
  let limitMs = firstMs
  let heardAt = clock.monotonicMs()
  let cancel = clock.after(firstMs, look)

  function look(): void {
    const leftMs = heardAt + limitMs - clock.monotonicMs()
    if (leftMs <= 0) silent.abort()
    else cancel = clock.after(leftMs, look)
  }

  return {
    signal: silent.signal,
    limitMs: () => limitMs,
    heard() {
      heardAt = clock.monotonicMs()
      if (limitMs === betweenMs) return
      limitMs = betweenMs
      cancel()
      cancel = clock.after(betweenMs, look)
    },
    close: () => cancel(),
  }
}

/** The bodies that a request of a conversation may name: those that its own log names, and no others. [LOG11] */
function conversationBlobs(store: Pick<BlobStore, 'readBlob'>, conversationId: string): BlobSource {
  return {
    async read(hash) {
      const stored = await store.readBlob({ conversationId, hash })
      if (stored === null)
        throw unreadable(`The request names body ${hash}, and its conversation has none of that name`)
      try {
        return await joined(stored.content)
      } catch (error) {
        if (!(error instanceof DamagedBlobError)) throw error
        throw unreadable(error.message)
      }
    },
  }
}

/** Ends the run with its reason, as what a provider refuses does. */
function unreadable(message: string): ProviderError {
  return new ProviderError('bad-request', message, {})
}

async function joined(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of content) {
    pieces.push(piece)
    sizeBytes += piece.byteLength
  }
  const whole = new Uint8Array(sizeBytes)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}
