import { type DraftChunk, type DraftDelta, StaleEpochError } from '@holdfast/conversation'
import { type EnginePorts, LIMITS } from '../api/ports.ts'

/** Whose step a delta belongs to. */
export type DraftAddress = Omit<DraftChunk, 'deltas'>

/**
 * Tells the deltas of all open steps of this process and writes them, many conversations to a transaction. [RUN3]
 *
 * They are written by ticks, the first of a step too, or when enough has gathered: an answer that is shorter than a tick is
 * written once, with its end. [RUN30]
 */
export interface DraftWriter {
  /**
   * Takes a delta and tells who follows. A promise where there is no room for the next: it resolves when what has gathered
   * is durable. [RUN18]
   *
   * @throws what kept the deltas of this step from being written: a lost lease, or what the store threw.
   */
  add(address: DraftAddress, delta: DraftDelta): Promise<void> | undefined
  /**
   * Forgets a step and what of it is not written yet: its end is about to be, or it is not this process's any more.
   * Resolves when nothing of it is on its way to the store: what came there after its end would stay. [LOG3]
   */
  close(stepId: string): Promise<void>
}

interface OpenStep {
  readonly address: DraftAddress
  /** What gathers, neighbours joined: our own copies. */
  deltas: DraftDelta[]
  size: number
  failure: unknown
}

/** The writer of what is no part of a conversation's draft, such as a title: it is told nobody, and kept nowhere. */
export const NO_DRAFT: DraftWriter = { add: () => undefined, async close() {} }

/** Makes the writer of one process. */
export function createDraftWriter(
  { store, clock, bus }: Pick<EnginePorts, 'store' | 'clock' | 'bus'>,
  onFault: (fault: { readonly conversationId: string; readonly error: unknown }) => void,
): DraftWriter {
  const steps = new Map<string, OpenStep>()
  /** Steps of which something is on its way to the store. */
  let writing: ReadonlySet<string> = new Set()
  let flushing: Promise<void> | null = null
  let cancelTick: (() => void) | null = null

  /** One flush at a time; whoever asks during one waits for the next. */
  async function flush(): Promise<void> {
    while (flushing) await flushing
    flushing = writeAll().finally(() => {
      flushing = null
    })
    await flushing
  }

  async function written(step: OpenStep): Promise<void> {
    await flush()
    if (step.failure) throw step.failure
  }

  async function writeAll(): Promise<void> {
    cancelTick?.()
    cancelTick = null
    const waiting = [...steps.values()].filter((step) => step.deltas.length > 0)
    const chunks = waiting.map((step) => ({ ...step.address, deltas: step.deltas }))
    for (const step of waiting) {
      step.deltas = []
      step.size = 0
    }
    if (chunks.length === 0) return
    writing = new Set(chunks.map(({ stepId }) => stepId))
    try {
      const refused = await store.appendDrafts(chunks)
      for (const step of waiting) {
        const { conversationId, epoch } = step.address
        if (refused.includes(conversationId))
          step.failure ??= new StaleEpochError({ conversationId, epoch, currentEpoch: null })
      }
      for (const chunk of chunks) if (!refused.includes(chunk.conversationId)) tellKept(chunk)
    } catch (error) {
      for (const step of waiting) step.failure ??= error
    } finally {
      writing = new Set()
    }
  }

  /** They are durable, whatever a listener makes of it. */
  function tellKept({ conversationId, deltas }: DraftChunk): void {
    try {
      bus.publish({ type: 'kept-deltas', conversationId, deltas })
    } catch (error) {
      onFault({ conversationId, error })
    }
  }

  function tick(): void {
    cancelTick ??= clock.after(LIMITS.draftTickMs, () => {
      cancelTick = null
      void flush()
    })
  }

  return {
    add(address, delta) {
      bus.publish({ type: 'delta', conversationId: address.conversationId, delta })
      const known = steps.get(address.stepId)
      if (known?.failure) throw known.failure
      const step = known ?? { address, deltas: [], size: 0, failure: null }
      if (!known) steps.set(address.stepId, step)
      gather(step.deltas, delta)
      step.size += utf8SizeAtMost(delta.text)
      if (step.size >= LIMITS.draftSizeBytes) return written(step)
      tick()
      return undefined
    },
    async close(stepId) {
      steps.delete(stepId)
      if (steps.size === 0) {
        cancelTick?.()
        cancelTick = null
      }
      if (writing.has(stepId)) await flushing
    },
  }
}

/** Adds a delta; one that goes on where the last one ended becomes a part of it, and costs the store nothing of its own. */
function gather(deltas: DraftDelta[], delta: DraftDelta): void {
  const last = deltas.at(-1)
  const goesOn = last?.block === delta.block && last.end === undefined && delta.start === undefined
  if (!goesOn || delta.offset !== last.offset + last.text.length) deltas.push({ ...delta })
  else {
    last.text += delta.text
    if (delta.end !== undefined) last.end = delta.end
  }
}

/** A bound for the size in UTF-8 that costs nothing: exact for ASCII, three bytes a unit elsewhere. */
function utf8SizeAtMost(text: string): number {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return text.length * 3
  return text.length
}
