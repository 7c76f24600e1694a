import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import * as z from 'zod'
import { median } from '../lib/measure.ts'

/** How much longer than alone the page's thread takes for a fixed loop, because of what else runs on the machine. */
export interface MachineLoad {
  /** Runs the loop a few times. */
  sample(page: Page): Promise<void>
  /** What the samples say, in words. */
  words(): string
}

const SAMPLES = 20

/** Collects samples over a run: the fastest stands for a machine of one's own. */
export function createMachineLoad(): MachineLoad {
  const timesMs: number[] = []
  return {
    async sample(page) {
      timesMs.push(...z.array(z.number()).parse(await page.evaluate(LOOPS)))
    },
    words() {
      const slower = (median(timesMs) / Math.min(...timesMs)).toFixed(1)
      const mean = timesMs.reduce((sum, time) => sum + time, 0) / timesMs.length
      const worst = (mean / Math.min(...timesMs)).toFixed(1)
      return `a fixed loop took ${slower} times as long as at its fastest (mean ${worst}); load ${loadavg()[0]?.toFixed(1)}`
    },
  }
}

const LOOPS = `Array.from({ length: ${SAMPLES} }, () => {
  const startedAt = performance.now()
  let sum = 0
  for (let index = 0; index < 3_000_000; index += 1) sum = (sum * 31 + index) | 0
  globalThis.loopSum = sum
  return performance.now() - startedAt
})`
