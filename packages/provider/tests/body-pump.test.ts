import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { BrokenBodyError, createBodyPump } from '../src/http/body-pump.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('[RUN18] a body is handed on as it comes, to its end', async () => {
  const body = new PassThrough()
  const pieces: string[] = []
  const running = createBodyPump(body).run((bytes) => void pieces.push(String(bytes)))
  body.write('a')
  await turn()
  expect(pieces).toEqual(['a'])
  body.write('b')
  body.end('c')
  await running
  expect(pieces.join('')).toBe('abc')
})

test('[RUN18] a body whose reader pauses is held back, and goes on afterwards where it was', async () => {
  const body = new PassThrough()
  const piece = Buffer.alloc(16 * 1_024)
  const room = Promise.withResolvers<void>()
  let read = 0
  const running = createBodyPump(body).run((bytes) => {
    read += bytes.length
    return read === bytes.length ? room.promise : undefined
  })
  let takenAtOnce = 0
  for (let count = 0; count < 32; count += 1) {
    if (body.write(piece)) takenAtOnce += 1
    await turn()
  }
  expect(read).toBe(piece.length)
  expect(takenAtOnce).toBeLessThan(32)
  body.end()
  room.resolve()
  await running
  expect(read).toBe(32 * piece.length)
})

test('[RUN5, RUN9] a body that is closed before its end is no whole one, and what came of it is given first', async () => {
  const body = new PassThrough()
  const pieces: string[] = []
  const running = createBodyPump(body).run((bytes) => void pieces.push(String(bytes)))
  body.write('half')
  await turn()
  body.destroy()
  const failure = await running.catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(BrokenBodyError)
  expect(failure).toMatchObject({ cause: { code: 'ECONNRESET' } })
  expect(pieces).toEqual(['half'])
})

test('[RUN18] a body that breaks while its reader pauses is a broken one when the pause is over, and not before', async () => {
  const body = new PassThrough()
  const room = Promise.withResolvers<void>()
  let ended = false
  const running = createBodyPump(body)
    .run(() => room.promise)
    .finally(() => {
      ended = true
    })
  body.write('half')
  await turn()
  body.destroy(new Error('It broke'))
  await turn()
  expect(ended).toBe(false)
  room.resolve()
  await expect(running).rejects.toMatchObject({ cause: { message: 'It broke' } })
})

test('[RUN19] what a reader throws ends it as it is, and nothing more is handed on', async () => {
  for (const fail of [
    () => {
      throw new Error('Full')
    },
    () => Promise.reject(new Error('Full')),
  ]) {
    const body = new PassThrough()
    let calls = 0
    const running = createBodyPump(body).run(() => {
      calls += 1
      return fail()
    })
    const failed = expect(running).rejects.toMatchObject({ name: 'Error', message: 'Full' })
    body.write('a')
    body.write('b')
    await turn()
    body.write('c')
    await turn()
    await failed
    expect(calls).toBe(1)
  }
})

test('[RUN19] nothing is handed on once it was stopped', async () => {
  const body = new PassThrough()
  let calls = 0
  const pump = createBodyPump(body)
  const running = pump.run(() => {
    calls += 1
    pump.stop()
    return undefined
  })
  body.write('a')
  await turn()
  body.write('b')
  await turn()
  await running
  expect(calls).toBe(1)
})
