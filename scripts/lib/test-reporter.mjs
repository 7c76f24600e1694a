import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

import { ROOT } from './places.mjs'

/** Writes what became of every test, and how often it was run again, to the file that `HOLDFAST_TEST_REPORT` names. */
export default class TestReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map((module) => ({
      path: relative(ROOT, module.moduleId),
      tests: [...module.children.allTests()].map(outcomeOf),
    }))
    const errors = [...unhandledErrors, ...modules.flatMap((module) => module.errors())].map(({ message }) => message)
    writeFileSync(process.env.HOLDFAST_TEST_REPORT, JSON.stringify({ files, errors }))
  }
}

function outcomeOf(test) {
  const { state, errors } = test.result()
  const { duration = 0, retryCount = 0 } = test.diagnostic() ?? {}
  return {
    name: test.fullName,
    state,
    milliseconds: Math.round(duration),
    retries: retryCount,
    messages: (errors ?? []).map(({ message }) => message),
  }
}
