import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')
const LIMIT_MS = 600_000

/** What is given to others, made once for all tests of a run. @returns the folder of the tarballs, in which nothing is to be changed. */
export async function madeTarballs(): Promise<string> {
  const place = placeOf(process.ppid)
  const out = join(place, 'out')
  const told = join(place, 'told')
  await mkdir(join(place, '..'), { recursive: true })
  if (await isFirst(place)) {
    const failure = await make(out).then(
      () => '',
      (error: unknown) => `The tarballs could not be made: ${String(error)}`,
    )
    await writeFile(told, failure)
  }
  const limit = Date.now() + LIMIT_MS
  while (!existsSync(told)) {
    if (Date.now() > limit) throw new Error(`${out} was not made within ${LIMIT_MS} ms`)
    await passed(100)
  }
  const failure = readFileSync(told, 'utf8')
  if (failure !== '') throw new Error(failure)
  return out
}

/** Removes what the run of this process made. */
export async function removeTarballs(): Promise<void> {
  await rm(placeOf(process.pid), { recursive: true, force: true })
}

function make(out: string): Promise<unknown> {
  return promisify(execFile)(process.execPath, ['scripts/package.mjs', out], { cwd: ROOT, maxBuffer: 10_000_000 })
}

/** Of a run of tests, by the process that starts its workers. */
function placeOf(run: number): string {
  return join(ROOT, '.setup', 'tarballs', String(run))
}

async function isFirst(place: string): Promise<boolean> {
  try {
    await mkdir(place)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
