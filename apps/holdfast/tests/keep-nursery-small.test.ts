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
  expect(before).toBeLessThanOrEqual(4 * 2 ** 20)
  expect(after).toBeGreaterThanOrEqual(2 * before)
})
