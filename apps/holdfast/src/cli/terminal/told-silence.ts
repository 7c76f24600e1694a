import type { FollowedEvent } from '@holdfast/client'
import { type Clock, type EntryOf, EXTERNAL_AGENT } from '@holdfast/conversation'

/** Says while a provider is asked how long nothing has come of it. [CLI12] */
export interface ToldSilence {
  /** Hears whatever comes of the turn. */
  heard(event: FollowedEvent): void
  /** The line to the server is lost, or back: while it is lost nobody knows whether the provider says something. */
  lineIs(state: 'lost' | 'back'): void
  close(): void
}

/** A provider that has said nothing for so long is spoken of, and again after each further one; in milliseconds. */
export const SILENT_MS = 15_000

/** Makes one that tells `tell` a line. */
export function createToldSilence(clock: Clock, tell: (line: string) => void): ToldSilence {
  let asked: { readonly name: string; readonly stepId: string } | null = null
  let silentSince = 0
  let cancel = (): void => {}

  function wait(): void {
    cancel()
    cancel = clock.after(SILENT_MS, () => {
      if (asked === null) return
      const seconds = Math.round((clock.monotonicMs() - silentSince) / 1_000)
      tell(`${asked.name} has said nothing for ${seconds} s. Ctrl+C stops it and keeps what there is.`)
      wait()
    })
  }

  function begin(): void {
    silentSince = clock.monotonicMs()
    wait()
  }

  return {
    heard(event) {
      if (event.type === 'draft' || event.type === 'delta') {
        if (asked !== null) begin()
        return
      }
      if (event.type !== 'entry') return
      const { entry } = event
      if (entry.type === 'step-started' && entry.purpose === 'turn') {
        asked = { name: nameOf(entry), stepId: entry.stepId }
        begin()
        return
      }
      if ('stepId' in entry && entry.stepId !== asked?.stepId) return
      if (entry.type !== 'step-finished' && entry.type !== 'step-failed' && entry.type !== 'run-finished') return
      asked = null
      cancel()
    },
    lineIs(state) {
      cancel()
      if (state === 'back' && asked !== null) begin()
    },
    close: () => cancel(),
  }
}

/** A program that answers by itself has a name for people; a provider is named by its id. */
function nameOf({ providerId, agent }: EntryOf<'step-started'>): string {
  return providerId.startsWith(EXTERNAL_AGENT) && agent !== undefined ? agent.name : providerId
}
