import { describe } from 'vitest'
import { describeAnswers } from './suite/answer-suite.ts'
import { describeEnds } from './suite/end-suite.ts'
import { describeFailures } from './suite/failure-suite.ts'
import type { ModelPortHarness } from './suite/port-fixture.ts'
import { describeReaders } from './suite/reader-suite.ts'

/**
 * The contract of `ModelPort` as tests, over HTTP on the loopback address. Every adapter passes all of it.
 */
export function describeModelPort(name: string, harness: ModelPortHarness): void {
  describe(`${name} model port`, () => {
    describeAnswers(harness)
    describeEnds(harness)
    describeFailures(harness)
    describeReaders(harness)
  })
}
