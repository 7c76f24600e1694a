import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { environment, runChild } from './child.mjs'
import { packageProgram } from './package-program.mjs'
import { SETUP_FOLDER } from './places.mjs'
import { say } from './say.mjs'

const REPORTER = join(import.meta.dirname, 'test-reporter.mjs')

/**
 * So long the tests of one check may take together, in milliseconds: several times what they need on two cores. A test that computes
 * without end keeps its worker for good, which no limit inside of that worker sees.
 */
const LONGEST_MS = 60 * 60_000

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
      `--reporter=${REPORTER}`,
    ]
    // Every store that a test opens starts two threads, and each would compile its sources again.
    const cached = {
      NODE_COMPILE_CACHE: join(SETUP_FOLDER, 'compile-cache'),
      HOLDFAST_TEST_REPORT: report,
      ...env(),
    }
    const ended = await runChild({
      command: node,
      args,
      env: environment(cached),
      show: 'inherit',
      limitMs: LONGEST_MS,
    })
    return countsOf(report, ended)
  }
  return { name, run }
}

/** Counts a report. A test that did not run, a file that did not load or end, and an error outside of tests are failures. */
function countsOf(report, { exitCode, killed }) {
  if (!existsSync(report)) {
    say(`vitest ended with ${exitCode} and wrote no report`)
    return { passed: 0, failed: 1 }
  }
  const { files, running, waiting, errors } = JSON.parse(readFileSync(report, 'utf8'))
  const tests = files.flatMap((file) => file.tests.map((test) => ({ ...test, file: file.path })))
  const failures = [
    ...tests.filter(({ state }) => state !== 'passed').map(failureOf),
    ...files.filter((file) => file.tests.length === 0).map(({ path }) => `${path}: no test of it ran`),
    ...errors.map((message) => `outside of every test: ${message}`),
    ...running.map((path) => `${path}: it had not ended when the run did`),
    ...(waiting.length === 0 ? [] : [`not begun when the run ended: ${waiting.join(', ')}`]),
    ...(killed ?? []).map((line) => `killed after ${LONGEST_MS / 60_000} minutes: ${line.slice(0, 200)}`),
  ]
  if (failures.length === 0 && exitCode !== 0) failures.push(`vitest ended with ${exitCode} though every test passed`)
  const repeated = tests.filter(({ retries, state }) => retries > 0 && state === 'passed')
  return {
    passed: tests.filter(({ state }) => state === 'passed').length,
    failed: failures.length,
    remarks: [
      ...repeated.map((test) => `passed when it was run once more: ${failureOf({ ...test, state: 'failed' })}`),
      ...failures.map((failure) => `failed: ${failure}`),
    ],
  }
}

function failureOf({ file, name, state, messages }) {
  const reason = state === 'failed' ? messages.map(firstLines).join('; ') : `it was ${state}`
  return `${file} > ${name}: ${reason}`
}

/** The start of a message, enough to tell failures apart. */
function firstLines(message) {
  return message.split('\n', 4).join(' | ').slice(0, 400)
}
