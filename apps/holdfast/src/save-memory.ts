import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { Clock } from '@holdfast/conversation'

/** What a process does, and how its garbage is collected. */
export interface Collector {
  /** The share of the time since the last call in which it had something to do, from 0 to 1. */
  busyShare(): number
  /** What is too large for a page of the heap, long texts above all, used or not any more, in bytes. */
  largeBytes(): number
  /** Rather little memory than little work from now on, or the other way round. */
  saveMemory(saves: boolean): void
}

/** With less to do than this a process is quiet. */
const QUIET_SHARE = 0.1

/** A process that was quiet for so long saves memory, in milliseconds. */
const QUIET_MS = 5_000

/** One that was quiet has work again for so long, at most, before it stops saving, in milliseconds. */
const WAKE_MS = 500

/** While there is work, large texts are looked for so often, in milliseconds. */
const LOOK_MS = 50

/** With so much more of them than was left of the last that were collected, it is time to collect, in bytes. */
const LARGE_BYTES = 24 * 1_024 * 1_024

/**
 * Makes V8 rather collect than grow where that pays. While a process is quiet it gives back what it took while there was
 * much to do: else an idle server holds its greatest heap for ever. While large texts pass through it collects them
 * soon, and stops saving when they are gone: of readings of messages of a megabyte 50 to 70 MiB were in use, and V8 collected
 * them near 240 only (`--trace-gc`, 2026-11-23). At other work the same costs a fifth more of a processor. [LOG18]
 *
 * @returns a function that ends it.
 */
export function watchMemory({
  clock,
  collector,
}: {
  readonly clock: Clock
  readonly collector: Collector
}): () => void {
  let isQuiet = false
  let saves = false
  let unaskedMs = 0
  let lastBytes = collector.largeBytes()
  let leftBytes = lastBytes
  let cancel = clock.after(LOOK_MS, () => look(LOOK_MS))

  function look(passedMs: number): void {
    const bytes = collector.largeBytes()
    if (bytes < lastBytes) leftBytes = bytes
    lastBytes = bytes
    unaskedMs += passedMs
    if (unaskedMs >= (isQuiet ? WAKE_MS : QUIET_MS)) {
      isQuiet = collector.busyShare() < QUIET_SHARE
      unaskedMs = 0
    }
    const wanted = isQuiet || bytes - leftBytes > LARGE_BYTES
    if (wanted !== saves) collector.saveMemory(wanted)
    saves = wanted
    const nextMs = isQuiet ? WAKE_MS : LOOK_MS
    cancel = clock.after(nextMs, () => look(nextMs))
  }

  return () => cancel()
}

/** The collector of this process. */
export function createProcessCollector(): Collector {
  let lastShare: EventLoopUtilization = performance.eventLoopUtilization()
  return {
    busyShare() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, lastShare)
      lastShare = now
      return utilization
    },
    largeBytes,
    // V8 looks at this flag whenever it may let the heap grow, and collects of itself some seconds after it was set.
    saveMemory: (saves) => setFlagsFromString(saves ? '--optimize-for-size' : '--no-optimize-for-size'),
  }
}

function largeBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name === 'large_object_space' || name === 'new_large_object_space')
    .reduce((sum, { space_used_size: usedBytes }) => sum + usedBytes, 0)
}
