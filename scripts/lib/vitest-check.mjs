import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { environment, runChild } from './child.mjs'
import { packageProgram } from './package-program.mjs'
import { SETUP_FOLDER } from './places.mjs'

const REPORTER = join(import.meta.dirname, 'test-reporter.mjs')

/**
 * So long the tests of one check may take together, in milliseconds: several times what they need on two cores. A test that computes
 * without end keeps its worker for good, which no limit inside of that worker sees.
 */
const LONGEST_MS = 60 * 60_000

/**
 * The tests of the named vitest projects as one check that counts each test; `env` carries the tools they need. What failed though
 * it was run once more goes to `lastTries`, where that is given, and is not counted here.
 */
export function vitestCheck({ name, node, projects, env, lastTries }) {
  const run = async () => {
    const { passed, repeated, failed, otherFailures } = await runVitest({ name, node, projects, env })
    const isLeft = (test) => lastTries !== undefined && test.retries > 0
    lastTries?.push(...failed.filter(isLeft).map((test) => ({ ...test, projects })))
    const failures = [...failed.filter((test) => !isLeft(test)).map(failureOf), ...otherFailures]
    return {
      passed: passed.length,
      failed: failures.length,
      remarks: [
        ...repeated.map((test) => `passed when it was run once more: ${failureOf({ ...test, state: 'failed' })}`),
        ...failures.map((failure) => `failed: ${failure}`),
      ],
    }
  }
  return { name, run }
}

/** The tests that failed beside others, with nothing beside them: their files are run in turn, and each must pass. */
export function lastTriesCheck({ node, env, lastTries }) {
  const run = async () => {
    const report = { passed: 0, failed: 0, remarks: [] }
    for (const file of new Set(lastTries.map((test) => test.file))) {
      const tests = lastTries.filter((test) => test.file === file)
      const alone = await runVitest({ name: 'last tries', node, projects: tests[0].projects, files: [file], env })
      for (const test of tests) {
        const hasPassed = alone.passed.some(({ name }) => name === test.name)
        report[hasPassed ? 'passed' : 'failed'] += 1
        report.remarks.push(
          `${hasPassed ? 'passed when it was run alone' : 'failed, and alone too'}: ${failureOf(test)}`,
        )
      }
    }
    return report
  }
  return { name: 'tests that failed beside others, alone', run }
}

async function runVitest({ name, node, projects, files = [], env }) {
  const report = join(SETUP_FOLDER, `${name.replaceAll(' ', '-')}.json`)
  mkdirSync(SETUP_FOLDER, { recursive: true })
  rmSync(report, { force: true })
  const args = [
    packageProgram({ packageName: 'vitest', command: 'vitest' }),
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--reporter=default',
    `--reporter=${REPORTER}`,
    ...files,
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
  return outcomesOf(report, ended)
}

/** Reads a report. A test that did not run, a file that did not load or end, and an error outside of tests are failures. */
function outcomesOf(report, { exitCode, killed }) {
  if (!existsSync(report)) {
    return {
      passed: [],
      repeated: [],
      failed: [],
      otherFailures: [`vitest ended with ${exitCode} and wrote no report`],
    }
  }
  const { files, running, waiting, errors } = JSON.parse(readFileSync(report, 'utf8'))
  const tests = files.flatMap((file) => file.tests.map((test) => ({ ...test, file: file.path })))
  const passed = tests.filter(({ state }) => state === 'passed')
  const failed = tests.filter(({ state }) => state !== 'passed')
  const otherFailures = [
    ...files.filter((file) => file.tests.length === 0).map(({ path }) => `${path}: no test of it ran`),
    ...errors.map((message) => `outside of every test: ${message}`),
    ...running.map((path) => `${path}: it had not ended when the run did`),
    ...(waiting.length === 0 ? [] : [`not begun when the run ended: ${waiting.join(', ')}`]),
    ...(killed ?? []).map((line) => `killed after ${LONGEST_MS / 60_000} minutes: ${line.slice(0, 200)}`),
  ]
  if (failed.length + otherFailures.length === 0 && exitCode !== 0)
    otherFailures.push(`vitest ended with ${exitCode} though every test passed`)
  return { passed, repeated: passed.filter(({ retries }) => retries > 0), failed, otherFailures }
}

function failureOf({ file, name, state, messages }) {
  const reason = state === 'failed' ? messages.map(firstLines).join('; ') : `it was ${state}`
  return `${file} > ${name}: ${reason}`
}

/** The start of a message, enough to tell failures apart. */
function firstLines(message) {
  return message.split('\n', 4).join(' | ').slice(0, 400)
}
