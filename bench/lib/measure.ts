/** One figure beside its baseline, both measured in the same run. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What is measured beside it, in the same unit; null where there is nothing to compare with. */
  readonly baseline: number | null
  /** value / baseline. */
  readonly ratio: number | null
  /** What the figure should be, in words. */
  readonly goal: string
  readonly met: boolean
}

/** A benchmark: its name on the command line, and what it measures. */
export interface Benchmark {
  readonly name: string
  /** What is compared with what, in one sentence. */
  readonly about: string
  run(report: (line: string) => void): Promise<readonly Figure[]>
}

/** Middle of the values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value that a share of all values does not pass. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** Milliseconds that `work` takes. */
export async function timeMs(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Times two works in turn, A B A B, so that a machine whose speed drifts slows both.
 *
 * @returns the medians in milliseconds and the median of the ratios A/B pair by pair.
 */
export async function inTurns(
  rounds: number,
  works: { readonly value: () => unknown; readonly baseline: () => unknown },
): Promise<{ readonly valueMs: number; readonly baselineMs: number; readonly ratio: number }> {
  await works.value()
  await works.baseline()
  const pairs: { value: number; baseline: number }[] = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({ value: await timeMs(works.value), baseline: await timeMs(works.baseline) })
  }
  return {
    valueMs: median(pairs.map(({ value }) => value)),
    baselineMs: median(pairs.map(({ baseline }) => baseline)),
    ratio: median(pairs.map(({ value, baseline }) => value / baseline)),
  }
}
