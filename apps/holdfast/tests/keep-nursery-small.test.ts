import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as z from 'zod'

const Sizes = z.object({ before: z.number(), after: z.number() })

test('[ARCH13] the part of the heap for new objects stays small while a server starts, and grows with its work', async () => {
  const child = join(import.meta.dirname, 'support', 'nursery-sizes.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@holdfast/source', child])
  const { before, after } = Sizes.parse(JSON.parse(stdout))
  // 1 MiB, and the pages that collections are at just then; left alone it is 32 or 64 by now.
  expect(before).toBeLessThanOrEqual(16 * 2 ** 20)
  expect(after).toBeGreaterThanOrEqual(2 * before)
})
