import { ALWAYS_RULE } from '@holdfast/engine'
import { API_PATH, type Attachment } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { STORAGE_LIMITS } from '../src/parts/storage-limits.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'
import { greet } from './support/socket-client.ts'

let served: Served

beforeEach(async () => {
  served = await serve({ webRoot: null })
})

afterEach(async () => {
  await served.close()
})

const at = (id: string, path: string) => `${API_PATH}/conversations/${id}${path}`
const text = (words: string) => ({ type: 'text', text: words })
const bearer = { authorization: `Bearer ${TOKEN}` }
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

async function upload(content: Uint8Array<ArrayBuffer> | string, { name, type }: { name: string; type: string }) {
  const form = new FormData()
  form.append('file', new Blob([content], { type }), name)
  const answer = await fetch(`${served.url + API_PATH}/attachments`, { method: 'POST', headers: bearer, body: form })
  return { status: answer.status, body: (await answer.json()) as Attachment & { code?: string } }
}

test('[SYNC2] keeps the unsent text of a conversation, and overwrites no newer one', async () => {
  const id = await served.newConversation()
  expect((await served.call('GET', at(id, '/composer'))).body).toEqual({ content: [], version: 0 })
  const put = (words: string, version: number) =>
    served.call('PUT', at(id, '/composer'), { content: [text(words)], version })
  expect((await put('one', 0)).body).toEqual({ content: [text('one')], version: 1 })
  expect(await put('from an older tab', 0)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect((await put('two', 1)).body).toMatchObject({ version: 2 })
  const added = await served.call('POST', at(id, '/composer/append'), { content: [text('a suggestion')] })
  expect(added.body).toEqual({ content: [text('two'), text('a suggestion')], version: 3 })
  expect((await served.call('GET', at(id, '/composer'))).body).toEqual(added.body)
  expect((await served.store.readListing(id))?.head).toBe(1)
})

test('[SYNC6, UI20] every tab of the user is told of another version, and a suggestion may be more than words', async () => {
  const id = await served.newConversation()
  const [one, other] = [await greet(served), await greet(served)]
  const content = [
    { type: 'element', selector: 'p', html: '<p>', url: 'http://localhost:5173/' },
    { type: 'error', text: 'TypeError: form is null' },
    { type: 'link', url: 'https://example.org/', title: 'The manual' },
  ]
  expect(await served.call('POST', at(id, '/composer/append'), { content })).toMatchObject({ body: { content } })
  for (const tab of [one, other]) {
    expect(await tab.next('composer')).toEqual({ type: 'composer', conversationId: id, version: 1 })
    tab.socket.close()
  }
  const script = [{ type: 'link', url: 'javascript:alert(1)' }]
  expect(await served.call('POST', at(id, '/composer/append'), { content: script })).toMatchObject({ status: 400 })
})

test('[SYNC2] loses none of the suggestions that come at once', async () => {
  const id = await served.newConversation()
  const words = Array.from({ length: 12 }, (_, index) => `suggestion ${index}`)
  await Promise.all(words.map((one) => served.call('POST', at(id, '/composer/append'), { content: [text(one)] })))
  const { body } = await served.call('GET', at(id, '/composer'))
  const { content } = body as { content: { text: string }[] }
  expect(content.map((part) => part.text).sort()).toEqual(words.slice().sort())
  const most = Array.from({ length: 100 }, () => text('x'))
  expect(await served.call('POST', at(id, '/composer/append'), { content: most })).toMatchObject({ status: 422 })
})

test('[SYNC4] says in the list what was answered and not read, and tells every tab when it was read', async () => {
  const id = await served.newConversation()
  const unread = async () => (await served.call('GET', at(id, ''))).body
  const tab = await greet(served)
  await served.call('POST', at(id, '/inputs'), { commandId: 'hello', content: [{ type: 'text', text: 'Hi' }] })
  expect(await unread()).toMatchObject({ unread: false })
  served.model.say('Hello')
  served.model.end()
  const row = (wanted: boolean) =>
    tab.next('conversations', ({ changed }) => changed.some((one) => one.id === id && one.unread === wanted))
  await row(true)
  expect((await served.call('GET', '/api/v1/conversations')).body).toMatchObject({
    conversations: [{ id, unread: true }],
  })
  await served.call('PUT', at(id, '/read'), { seq: (await served.store.readListing(id))?.head })
  await row(false)
  expect(await unread()).toMatchObject({ unread: false })
  tab.socket.close()
})

test('[SYNC4] moves the read mark on, and never back', async () => {
  const id = await served.newConversation()
  expect((await served.call('GET', at(id, '/read'))).body).toEqual({ seq: 0 })
  expect((await served.call('PUT', at(id, '/read'), { seq: 7 })).body).toEqual({ seq: 7 })
  expect((await served.call('PUT', at(id, '/read'), { seq: 3 })).body).toEqual({ seq: 7 })
  expect((await served.call('GET', at(id, '/read'))).body).toEqual({ seq: 7 })
})

test('[PERM5] lists the rules for all conversations, and takes them back', async () => {
  const value = { effect: 'allow' as const, tool: 'shell', pattern: 'ls' }
  await served.records.put(ALWAYS_RULE, { ownerId: 'local', id: 'rule_1', revision: 0, value, at: 1 })
  const listed = await served.call('GET', `${API_PATH}/permission-rules`)
  expect(listed.body).toEqual({ rules: [{ ruleId: 'rule_1', ...value }] })
  expect((await served.call('DELETE', `${API_PATH}/permission-rules/rule_1`)).status).toBe(200)
  expect((await served.call('GET', `${API_PATH}/permission-rules`)).body).toEqual({ rules: [] })
  expect(await served.call('DELETE', `${API_PATH}/permission-rules/rule_1`)).toMatchObject({ status: 404 })
})

test('[LOG11] takes an upload, gives it back, and sends it to the model by its id', async () => {
  const picture = await upload(PNG, { name: '../../a\u202Eb.png', type: 'text/plain' })
  expect(picture).toMatchObject({
    status: 201,
    body: { name: 'ab.png', mediaType: 'image/png', sizeBytes: PNG.length, type: 'image' },
  })
  const back = await fetch(`${served.url}${API_PATH}/attachments/${picture.body.id}`, { headers: bearer })
  expect(new Uint8Array(await back.arrayBuffer())).toEqual(PNG)
  expect(back.headers.get('content-type')).toBe('image/png')
  expect(back.headers.get('content-security-policy')).toContain("default-src 'none'")
  const id = await served.newConversation()
  const content = [text('Look'), { type: 'image', attachmentId: picture.body.id }]
  expect((await served.call('POST', at(id, '/inputs'), { commandId: 'send', content })).status).toBe(202)
  const { body } = await served.call('GET', at(id, '/entries'))
  expect((body as { entries: unknown[] }).entries).toContainEqual(
    expect.objectContaining({
      type: 'input-admitted',
      content: [
        text('Look'),
        expect.objectContaining({ type: 'image', blob: expect.objectContaining({ sizeBytes: 11 }) }),
      ],
    }),
  )
})

test('[COST5] says what an upload takes of a request: a picture by its pixels, a text by its bytes', async () => {
  const header = [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 0x2c, 0, 0, 1, 0x2c, 8, 6, 0, 0, 0, 0, 0, 0, 0]
  const picture = await upload(Uint8Array.from([...PNG.slice(0, 8), ...header]), { name: 'a.png', type: 'image/png' })
  const words = await upload('w'.repeat(1_000), { name: 'a.txt', type: 'text/plain' })
  const tokensOf = async (id: string, model: string) =>
    (await served.call('GET', `${API_PATH}/attachments/${id}/tokens${model}`)).body
  expect(await tokensOf(picture.body.id, '?modelId=anthropic%2Fclaude-sonnet-4-5')).toEqual({ tokens: 120 })
  expect(await tokensOf(picture.body.id, '?modelId=openai%2Fgpt-5')).toEqual({ tokens: 255 })
  expect(await tokensOf(words.body.id, '')).toEqual({ tokens: 460 })
})

test('[SEC3] gives nothing back as a page: what is no picture is a file to be saved', async () => {
  for (const type of ['text/html', 'image/svg+xml', 'image/png', 'text/plain; charset=x', '']) {
    const { body } = await upload('<script>alert(1)</script>', { name: 'a.html', type })
    expect(body.type).toBe('file')
    const back = await fetch(`${served.url}${API_PATH}/attachments/${body.id}`, { headers: bearer })
    expect(back.headers.get('content-type')).toBe('application/octet-stream')
    expect(back.headers.get('content-disposition')).toMatch(/^attachment;/)
    await back.arrayBuffer()
  }
})

test('[UI11] an attachment has the name that its file has: a form writes some characters in another way', async () => {
  const name = 'ö <b>a</b> "q" 100%22.txt'
  const asked = new FormData()
  asked.append('file', new Blob(['words'], { type: 'text/plain' }), name)
  const path = `${served.url + API_PATH}/attachments?name=${encodeURIComponent(name)}`
  const answer = await fetch(path, { method: 'POST', headers: bearer, body: asked })
  expect(await answer.json()).toMatchObject({ name: 'b> "q" 100%22.txt' })
})

test('[SEC1] sends no attachment that is not there, or is no picture and sent as one', async () => {
  const id = await served.newConversation()
  const send = (part: unknown, commandId: string) =>
    served.call('POST', at(id, '/inputs'), { commandId, content: [part] })
  const unknown = await send({ type: 'file', attachmentId: 'upload_theirs' }, 'send 1')
  expect(unknown).toMatchObject({ status: 422, body: { code: 'unknown-attachment' } })
  const { body } = await upload('words', { name: 'a.txt', type: 'text/plain' })
  expect(await send({ type: 'image', attachmentId: body.id }, 'send 2')).toMatchObject({ status: 422 })
  expect(await send({ type: 'file', attachmentId: body.id }, 'send 3')).toMatchObject({ status: 202 })
  const gone = await upload('gone', { name: 'b.txt', type: 'text/plain' })
  await served.store.collectBlobs(Number.MAX_SAFE_INTEGER)
  const late = await send({ type: 'file', attachmentId: gone.body.id }, 'send 4')
  expect(late).toMatchObject({ status: 422, body: { code: 'missing-blob' } })
})

test('[SEC5] refuses uploads that are too large or no form, and keeps nothing of them', async () => {
  const large = await upload(new Uint8Array(STORAGE_LIMITS.attachmentBytes + 1), { name: 'a.bin', type: 'text/plain' })
  expect(large).toMatchObject({ status: 413, body: { code: 'too-large' } })
  const whole = await upload(new Uint8Array(STORAGE_LIMITS.attachmentBytes), { name: 'a.bin', type: 'text/plain' })
  expect(whole.status).toBe(201)
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${served.url}${API_PATH}/attachments`, { method: 'POST', headers: { ...bearer, ...headers }, body })
  expect((await post({ 'content-type': 'application/json' }, '{}')).status).toBe(415)
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  for (const body of [
    '',
    '--x--\r\n',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    '--x\r\nnonsense',
  ]) {
    const answer = await post(form, body)
    expect(answer.status, body).toBeGreaterThanOrEqual(400)
    expect(answer.status, body).toBeLessThan(500)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
  }
  expect((await served.call('GET', `${API_PATH}/health`)).status).toBe(200)
})
