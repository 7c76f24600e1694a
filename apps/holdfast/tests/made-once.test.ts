import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toFolderError } from '../src/data-folder.ts'
import { madeOnce } from '../src/made-once.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-made-once-'))
})

afterEach(async () => {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
})

test('[SEC4, CLI2] a secret is made once, whoever makes it at the same time, for its user alone', async () => {
  const path = join(folder, 'token')
  let made = 0
  const make = () => `text ${++made}`
  const texts = await Promise.all(Array.from({ length: 8 }, () => madeOnce(path, make)))
  const first = (await readFile(path, 'utf8')).trim()
  expect(new Set(texts)).toEqual(new Set([first]))
  expect(await madeOnce(path, make)).toBe(first)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['token'])
})

test('[SEC4, CLI2] an empty file, left by one that was killed, is no secret', async () => {
  const path = join(folder, 'token')
  await writeFile(path, '')
  expect(await madeOnce(path, () => 'a text')).toBe('a text')
  expect(await readFile(path, 'utf8')).toBe('a text\n')
  expect(await readdir(folder)).toEqual(['token'])
})

test('[CLI2] what cannot be written is not left in part, and says what to do', async () => {
  const path = join(folder, 'token')
  const failing = madeOnce(path, () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  })
  const error: unknown = await failing.catch((caught: unknown) => caught)
  expect(await readdir(folder)).toEqual([])
  expect(toFolderError(error)).toMatchObject({
    code: 'E_DATA_FOLDER',
    message: expect.stringMatching(/no space left.*Free some space.*--data-dir/),
  })
  expect(toFolderError(Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'listen' }))).toBeNull()
  expect(toFolderError(new Error('a defect'))).toBeNull()
})
