import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createBodyReader } from '../src/http/body-reader.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('[RUN3] a body is read as it comes, all that waits at a time, to its end', async () => {
  const body = new PassThrough()
  const reader = createBodyReader(body)
  const first = reader.next()
  body.write('a')
  expect((await first)?.map(String)).toEqual(['a'])
  body.write('b')
  body.write('c')
  body.end()
  await turn()
  expect((await reader.next())?.map(String).join('')).toBe('bc')
  expect(await reader.next()).toBe(null)
  expect(await reader.next()).toBe(null)
})

test('[RUN3] a body that nobody reads is held back, and goes on when it is read', async () => {
  const body = new PassThrough()
  const reader = createBodyReader(body)
  const piece = Buffer.alloc(64 * 1_024)
  for (let count = 0; count < 32; count += 1) {
    body.write(piece)
    await turn()
  }
  expect(body.isPaused()).toBe(true)
  body.end()
  let bytes = 0
  for (let chunks = await reader.next(); chunks !== null; chunks = await reader.next()) {
    const size = chunks.reduce((sum, { length }) => sum + length, 0)
    expect(size).toBeLessThan(1_024 * 1_024)
    bytes += size
  }
  expect(bytes).toBe(32 * piece.length)
})

test('[RUN5, RUN9] a body that is closed before its end is no whole one, and what came of it is given first', async () => {
  const body = new PassThrough()
  const reader = createBodyReader(body)
  body.write('half')
  await turn()
  body.destroy()
  await turn()
  expect((await reader.next())?.map(String)).toEqual(['half'])
  await expect(reader.next()).rejects.toMatchObject({ code: 'ECONNRESET' })
})
