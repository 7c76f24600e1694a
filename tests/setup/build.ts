import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeTarballs } from './tarballs.ts'

const BUILD = join(import.meta.dirname, '..', '..', 'scripts', 'build.mjs')

/** Tests run as tests; what they start is built as people get it: with React's own checks it is another page. */
const AS_PEOPLE_GET_IT = { ...process.env, NODE_ENV: 'production' }

/** Builds the program and the page before the first test that starts them, where a source changed. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [BUILD], { env: AS_PEOPLE_GET_IT })
}

/** Removes what the tests of a run share. */
export async function teardown(): Promise<void> {
  await removeTarballs()
}
