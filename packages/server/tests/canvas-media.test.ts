import { API_PATH } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MediaWish, OpenedMedia } from '../src/parts/open-media.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'

let served: Served
let id: string
let wishes: MediaWish[]
let opens: () => OpenedMedia

const bearer = { authorization: `Bearer ${TOKEN}` }

beforeEach(async () => {
  wishes = []
  opens = () => film(['abc', 'def'])
  served = await serve({
    webRoot: null,
    openMedia: async (wish) => {
      wishes.push(wish)
      return opens()
    },
  })
  id = await served.newConversation()
})

afterEach(() => served.close())

function film(pieces: readonly string[]): OpenedMedia {
  async function* content() {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  const contentRange = 'bytes 0-5/9'
  return { type: 'opened', isPart: true, mediaType: 'video/mp4', sizeBytes: 6, contentRange, content: content() }
}

let made = 0
function draw(content: { readonly type: string; readonly [name: string]: string }) {
  const command = { commandId: `draw-${++made}`, actor: { type: 'engine' } as const, conversationId: id }
  return served.engine.changeCanvas({ ...command, wish: { type: 'add', content } })
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${served.url}${API_PATH}${path}`, { headers: { ...bearer, ...headers } })

test('[CANVAS8] what a media element shows comes through the server, in the range that is asked for, and runs nothing', async () => {
  await draw({ type: 'media', title: 'Tree', kind: 'video', url: 'https://films.example/tree.mp4' })
  const answer = await get(`/conversations/${id}/canvas/media-1/media`, { range: 'bytes=0-5' })
  expect([answer.status, await answer.text()]).toEqual([206, 'abcdef'])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-range': 'bytes 0-5/9',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  expect(wishes).toMatchObject([{ url: 'https://films.example/tree.mp4', kind: 'video', range: 'bytes=0-5' }])
})

test('[CANVAS8] only what is on the canvas is opened, and why it is not is said', async () => {
  await draw({ type: 'card', title: 'A card' })
  await draw({ type: 'media', title: 'Mine', kind: 'image', attachmentId: 'upload_1' })
  for (const element of ['card-1', 'media-2', 'media-9']) {
    const answer = await get(`/conversations/${id}/canvas/${element}/media`)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'unknown-element' }])
  }
  expect(wishes).toEqual([])
  await draw({ type: 'media', title: 'Tree', kind: 'video', url: 'https://films.example/tree.mp4' })
  opens = () => ({ type: 'refused', text: 'films.example is not on the public internet.' })
  const refused = await get(`/conversations/${id}/canvas/media-3/media`)
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { code: 'media-refused', detail: expect.stringContaining('films.example') },
  ])
  expect((await fetch(`${served.url}${API_PATH}/conversations/${id}/canvas/media-3/media`)).status).toBe(401)
})

test('[CANVAS8] whoever leaves ends it, and as many as may be open at once are', async () => {
  await draw({ type: 'media', title: 'Tree', kind: 'video', url: 'https://films.example/tree.mp4' })
  async function* endless() {
    for (;;) {
      yield Buffer.from('x')
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  opens = () => ({
    type: 'opened',
    isPart: false,
    mediaType: 'video/mp4',
    sizeBytes: null,
    contentRange: null,
    content: endless(),
  })
  const leaving = new AbortController()
  const path = `${served.url}${API_PATH}/conversations/${id}/canvas/media-1/media`
  for (let count = 0; count < 12; count += 1) await fetch(path, { headers: bearer, signal: leaving.signal })
  const oneMore = await get(`/conversations/${id}/canvas/media-1/media`)
  expect([oneMore.status, await oneMore.json()]).toMatchObject([429, { code: 'too-many-requests' }])
  leaving.abort()
  await expect.poll(() => wishes.every(({ signal }) => signal.aborted)).toBe(true)
  opens = () => film(['abcdef'])
  await expect.poll(async () => (await get(`/conversations/${id}/canvas/media-1/media`)).status).toBe(206)
})

test('[CANVAS8] a film that was sent along plays in ranges, and keeps its type', async () => {
  const form = new FormData()
  form.append('file', new Blob(['0123456789'], { type: 'video/mp4' }), 'tree.mp4')
  const upload = await fetch(`${served.url}${API_PATH}/attachments`, { method: 'POST', headers: bearer, body: form })
  const attachment = (await upload.json()) as { id: string }
  const part = async (range: string) => {
    const answer = await get(`/attachments/${attachment.id}`, { range })
    return [answer.status, answer.headers.get('content-range'), await answer.text()]
  }
  expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await part('bytes=8-99')).toEqual([206, 'bytes 8-9/10', '89'])
  for (const none of ['bytes=10-', 'bytes=4-2', 'bytes=-', 'lines=1-2', 'bytes=1-2,4-5'])
    expect(await part(none)).toEqual([200, null, '0123456789'])
  const whole = await get(`/attachments/${attachment.id}`)
  expect([whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual(['video/mp4', 'bytes'])
})
