import type { Clock } from '@holdfast/conversation'
import { type BackgroundProcess, howOver } from '@holdfast/toolbox'
import type { ToolSets } from './tool-sets.ts'

/** A command in the background, as a person sees it. */
export interface SeenProcess {
  readonly processId: string
  readonly line: string
  /** How long it has run, or ran, in milliseconds. */
  readonly ranMs: number
  /** Null while it runs; else how it ended, in words. */
  readonly end: string | null
}

/** What agents run in the background, for a person. */
export interface BackgroundReader {
  /** The oldest first; none where nothing ran in it here. */
  list(conversationId: string): readonly SeenProcess[]
  /** What one printed from a byte on; null where it is not there. */
  read(
    conversationId: string,
    wanted: { readonly processId: string; readonly fromByte: number },
  ): { readonly row: SeenProcess; readonly text: string; readonly from: number; readonly next: number } | null
  /** Ends one and waits until nothing of it is left; null where it is not there. */
  end(conversationId: string, processId: string): Promise<SeenProcess | null>
}

/** The most of an output that is shown at once, in UTF-16 code units. */
const SHOWN = 65_536

/** Looks at what the agents of conversations run in the background. [WS30] */
export function createBackgroundReader(sets: Pick<ToolSets, 'backgroundOf'>, clock: Clock): BackgroundReader {
  function seen({ processId, line, startedAtMs, end }: BackgroundProcess): SeenProcess {
    const over = end()
    const ranMs = Math.max(0, Math.round((over?.atMs ?? clock.monotonicMs()) - startedAtMs))
    return { processId, line, ranMs, end: over === null ? null : howOver(over) }
  }

  return {
    list: (conversationId) => (sets.backgroundOf(conversationId)?.list() ?? []).map(seen),
    read(conversationId, { processId, fromByte }) {
      const process = sets.backgroundOf(conversationId)?.get(processId)
      if (!process) return null
      const { text, fromByte: from, nextByte: next } = process.log.read(fromByte)
      return { row: seen(process), text: text.slice(-SHOWN), from, next }
    },
    async end(conversationId, processId) {
      const background = sets.backgroundOf(conversationId)
      const process = background?.get(processId)
      if (!background || !process) return null
      await background.stop(process)
      return seen(process)
    },
  }
}
