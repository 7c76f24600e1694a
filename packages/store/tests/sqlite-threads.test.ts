import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import * as z from 'zod'

const run = promisify(execFile)

/** All that is loaded with the program of a thread. */
async function loadedWith(program: string): Promise<readonly string[]> {
  const child = join(import.meta.dirname, 'support/loaded-modules.ts')
  const address = pathToFileURL(join(import.meta.dirname, '../src/sqlite', program)).href
  const { stdout } = await run(process.execPath, ['--conditions=@holdfast/source', child, address])
  return z.array(z.string()).parse(JSON.parse(stdout))
}

it('[LOG5] the thread that reads loads no schemas, which take more memory than all else it does', async () => {
  const loaded = await loadedWith('threads/read-thread.ts')
  expect(loaded.some((url) => url.includes('better-sqlite3'))).toBe(true)
  expect(loaded.filter((url) => url.includes('/zod/'))).toEqual([])
})
