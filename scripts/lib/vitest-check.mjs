import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { environment, runChild } from './child.mjs'
import { packageProgram } from './package-program.mjs'
import { SETUP_FOLDER } from './places.mjs'
import { say } from './say.mjs'

/** The tests of the named vitest projects as one check that counts each test; `env` carries the tools they need. */
export function vitestCheck({ name, node, projects, env }) {
  const run = async () => {
    const report = join(SETUP_FOLDER, `${name.replaceAll(' ', '-')}.json`)
    mkdirSync(SETUP_FOLDER, { recursive: true })
    rmSync(report, { force: true })
    const args = [
      packageProgram({ packageName: 'vitest', command: 'vitest' }),
      'run',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]
    // Every store that a test opens starts two threads, and each would compile its sources again.
    const cached = { NODE_COMPILE_CACHE: join(SETUP_FOLDER, 'compile-cache'), ...env() }
    const { exitCode } = await runChild({ command: node, args, env: environment(cached), show: 'inherit' })
    return countsOf(report, exitCode)
  }
  return { name, run }
}

/** Counts a report. A test that did not run, a file that did not load and an error outside of tests are failures. */
function countsOf(report, exitCode) {
  if (!existsSync(report)) {
    say(`vitest ended with ${exitCode} and wrote no report`)
    return { passed: 0, failed: 1 }
  }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const tests = testResults.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  const notRun = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed')
  const notLoaded = testResults.filter((file) => file.assertionResults.length === 0)
  for (const test of notRun) say(`counted as failed, because it was ${test.status}: ${test.fullName}`)
  for (const file of notLoaded) say(`counted as failed, because no test of it ran: ${file.name}`)
  const failed = tests.length - passed + notLoaded.length
  if (failed === 0 && exitCode !== 0) say(`counted as failed: vitest ended with ${exitCode} though every test passed`)
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed }
}
