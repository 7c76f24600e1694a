import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type MediaWish, openMedia } from '@holdfast/toolbox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from './support/system-clock.ts'

const PERMITTED = '127.0.0.2'

let server: Server
let origin: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
const requests: IncomingMessage[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, PERMITTED, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening')
  origin = `http://films.example:${address.port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  requests.length = 0
})

function open(wish: Partial<MediaWish>) {
  const asked = { url: `${origin}/a.mp4`, kind: 'video', range: null, signal: new AbortController().signal } as const
  return openMedia(
    { ...asked, ...wish },
    {
      clock: systemClock,
      resolveName: async (name) =>
        name === 'films.example' ? [PERMITTED] : name === 'inner.example' ? ['127.0.0.1'] : [],
      permittedRanges: [`${PERMITTED}/32`],
      ownAddresses: () => [],
    },
  )
}

async function bytesOf(opened: Awaited<ReturnType<typeof open>>): Promise<string> {
  if (opened.type === 'refused') throw new Error(opened.text)
  const pieces: Uint8Array[] = []
  for await (const piece of opened.content) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

test('[CANVAS8] a range is asked for as it is, and nothing is told of who asks', async () => {
  answer = (_, response) => {
    response.writeHead(206, {
      'content-type': 'video/mp4; codecs=x',
      'content-range': 'bytes 2-4/10',
      'content-length': 3,
    })
    response.end('cde')
  }
  const opened = await open({ range: 'bytes=2-4' })
  expect(opened).toMatchObject({
    type: 'opened',
    isPart: true,
    mediaType: 'video/mp4',
    sizeBytes: 3,
    contentRange: 'bytes 2-4/10',
  })
  expect(await bytesOf(opened)).toBe('cde')
  expect(requests[0]?.headers).toMatchObject({ range: 'bytes=2-4', 'accept-encoding': 'identity' })
  for (const name of ['referer', 'cookie', 'authorization', 'origin'])
    expect(requests[0]?.headers[name]).toBeUndefined()
  answer = (_, response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('all')
  expect(await bytesOf(await open({ range: 'bytes=0-1, 5-9' }))).toBe('all')
  expect(requests[1]?.headers.range).toBeUndefined()
})

test.each([
  ['what is no film', {}, () => ['text/html', 10], /gives text\/html, and no video/],
  ['what is too large', { kind: 'image' as const }, () => ['image/png', 20_000_001], /20000001 bytes/],
  ['a script that calls itself a picture', { kind: 'image' as const }, () => ['text/javascript', 5], /no image/],
])('[CANVAS8] %s is refused', async (_, wish, head, words) => {
  const [type, length] = head()
  answer = (__, response) => {
    response.writeHead(200, { 'content-type': String(type), 'content-length': Number(length) })
    response.flushHeaders()
  }
  expect(await open(wish)).toMatchObject({ type: 'refused', text: expect.stringMatching(words) })
})

test('[CANVAS8] what does not say how large it is ends at its bound', async () => {
  const piece = Buffer.alloc(1_000_000, 'x')
  answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    const more = (): void => void response.write(piece, (error) => error ?? more())
    more()
  }
  const opened = await open({ kind: 'image' })
  expect((await bytesOf(opened)).length).toBeLessThanOrEqual(20_000_000)
})

test.each([
  ['file:///etc/passwd', /Only http and https/],
  ['http://user:word@films.example/', /user name or password/],
  ['http://localhost/', /not on the public internet/],
  ['http://inner.example/', /not on the public internet/],
  ['http://[::1]/a.png', /not on the public internet/],
  ['http://nowhere.example/', /has no address/],
])('[WS5, CANVAS8] %s is not connected to', async (url, words) => {
  expect(await open({ url })).toMatchObject({ type: 'refused', text: expect.stringMatching(words) })
  expect(requests).toEqual([])
})

test('[WS5, CANVAS8] another host than the one that was named is not asked', async () => {
  answer = (_, response) => response.writeHead(302, { location: 'http://inner.example/b.mp4' }).end()
  expect(await open({})).toMatchObject({ type: 'refused', text: expect.stringMatching(/another host: http:\/\/inner/) })
  expect(requests).toHaveLength(1)
})
