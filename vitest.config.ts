import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'

/** A file that runs before the tests. */
function inSetup(name: string): string {
  return fileURLToPath(new URL(`tests/setup/${name}`, import.meta.url))
}

const conditions = ['@holdfast/source']

/** Where tests lie, by the ending of their names. */
function testsEndingIn(ending: string): string[] {
  return ['tests', 'packages/*/tests', 'apps/*/tests'].map((folder) => `${folder}/**/*${ending}`)
}

/** The databases' suites: every test opens a store with threads or a server of its own. */
const databases = ['packages/store/tests/sqlite*.test.ts', 'packages/store/tests/postgres*.test.ts']

/**
 * Tests with real programs, servers and browsers wait for what the system does when it likes. `npm test` sets this, runs one that fails once more,
 * and names it at its end. The proofs that nothing is lost refuse it (`retry: 0`): they must hold each time.
 */
const retry = Number(process.env['HOLDFAST_RETRY'] ?? 0)

/** A busy machine does things when it can: tests look until they see what they want, or until this long has passed. */
const PATIENT = { timeout: 15_000, interval: 50 }

/**
 * The slow tests open hundreds of SQLite stores, of two threads each. A thread of the built program starts in two thirds of the time of one
 * that loads its sources, and is what people get.
 */
const builtThreads: Plugin = {
  name: 'threads of the built program',
  transform(code, id) {
    if (!id.endsWith('/packages/store/src/sqlite/threads/thread.ts')) return null
    const ofSources = 'new URL(`./worker${EXTENSION}`, import.meta.url)'
    if (!code.includes(ofSources)) throw new Error(`${id} does not start its thread as the tests know it`)
    const built = new URL('apps/holdfast/dist/worker.js', import.meta.url)
    return { code: code.replace(ofSources, `new URL(${JSON.stringify(built.href)})`), map: null }
  },
}

const slow = [...testsEndingIn('.slow.test.ts'), ...databases]
const browser = testsEndingIn('.browser.test.ts')

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: [inSetup('seed.ts')],
    // A project without files is fine while the repository grows; the scripts fail a run without any test.
    passWithNoTests: true,
    // What differs stands in the message: of a failure in a long run this line is what is left.
    chaiConfig: { truncateThreshold: 300 },
    // Its own choice leaves one worker on a computer of two cores; much of the time goes by in waiting.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: testsEndingIn('.test.ts'),
          exclude: [...slow, ...browser],
          // The files of a worker share what they import: to load it anew for each took as long as the tests.
          isolate: false,
          sequence: { groupOrder: 0 },
          expect: { poll: PATIENT },
        },
      },
      {
        extends: true,
        plugins: [builtThreads],
        test: {
          name: 'slow',
          include: slow,
          retry,
          globalSetup: inSetup('build.ts'),
          sequence: { groupOrder: 1 },
          expect: { poll: PATIENT },
        },
      },
      // One file at a time: each measures or drives a page, and two browsers on a small machine disturb each other (tried: of 20 files
      // two failed twice). One process and one browser serve them all; a scene of each test is its own.
      {
        extends: true,
        test: {
          name: 'browser',
          include: browser,
          retry,
          globalSetup: inSetup('build.ts'),
          fileParallelism: false,
          isolate: false,
          testTimeout: 60_000,
          sequence: { groupOrder: 2 },
          expect: { poll: PATIENT },
        },
      },
    ],
  },
})
