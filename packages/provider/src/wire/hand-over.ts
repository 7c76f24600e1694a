import { unlessAborted } from '@holdfast/conversation'
import type { ModelPart, StreamPorts } from '../model-port.ts'

/** Hands the parts of one answer to its reader, and keeps apart what the reader throws. */
export interface HandOver {
  /**
   * Hands on parts in their order. A promise where the reader pauses: it resolves when all are handed on or the signal
   * has aborted, whichever comes first. Nothing is handed on after the signal. [RUN18, RUN19]
   *
   * @throws what the reader threw.
   */
  give(parts: readonly ModelPart[]): Promise<void> | undefined
  /** Whether anything was handed on. */
  readonly hasGiven: boolean
  /** Whether it was the reader that threw: that is no failure of the provider, whatever it looks like. */
  readonly readerFailed: boolean
}

/** Makes the way to the reader of one answer. */
export function createHandOver({ signal, onPart }: Pick<StreamPorts, 'signal' | 'onPart'>): HandOver {
  let hasGiven = false
  let readerFailed = false

  function give(parts: readonly ModelPart[]): Promise<void> | undefined {
    let given = 0
    for (const part of parts) {
      if (signal.aborted) return undefined
      hasGiven = true
      given += 1
      const pause = take(part)
      if (pause !== undefined) return giveAfter(pause, parts.slice(given))
    }
    return undefined
  }

  function take(part: ModelPart): Promise<void> | undefined {
    try {
      return onPart(part)
    } catch (error) {
      readerFailed = true
      throw error
    }
  }

  async function giveAfter(pause: Promise<void>, rest: readonly ModelPart[]): Promise<void> {
    try {
      await unlessAborted(pause, signal)
    } catch (error) {
      if (signal.aborted) return
      readerFailed = true
      throw error
    }
    await give(rest)
  }

  return {
    give,
    get hasGiven() {
      return hasGiven
    },
    get readerFailed() {
      return readerFailed
    },
  }
}
