import { MAX_PAGE_ENTRIES } from '@holdfast/conversation'
import { API_PATH, ImportAnswer } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileName } from '../src/routes/export-routes.ts'
import { claudeLog } from './support/claude-log.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'
import { zipOf } from './support/zip-of.ts'

let served: Served

beforeEach(async () => {
  served = await serve({ webRoot: null })
})

afterEach(async () => {
  await served.close()
})

const bearer = { authorization: `Bearer ${TOKEN}` }

async function send(name: string, content: string | Uint8Array<ArrayBuffer>) {
  return fetch(`${served.url}${API_PATH}/import?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/octet-stream' },
    body: content,
  })
}

/** Imports a file and waits for its end. */
async function importFile(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<ImportAnswer> {
  const begun = await send(name, content)
  expect(begun.status).toBe(202)
  const { id } = ImportAnswer.parse(await begun.json())
  return ImportAnswer.parse((await served.call('GET', `${API_PATH}/imports/${id}?waitMs=10000`)).body)
}

async function listed(): Promise<readonly string[]> {
  const { body } = await served.call('GET', `${API_PATH}/conversations`)
  return (body as { conversations: { id: string }[] }).conversations.map(({ id }) => id)
}

async function exported(id: string, query: string): Promise<Response> {
  return fetch(`${served.url}${API_PATH}/conversations/${id}/export?${query}`, { headers: bearer })
}

async function logOf(conversationId: string) {
  return (await served.store.read({ conversationId, after: 0, limit: MAX_PAGE_ENTRIES })).entries
}

test('[LOG4] imports a file once, says what became of it, and brings what is new when it has grown', async () => {
  const first = await importFile('session.jsonl', claudeLog('s', 4))
  expect(first).toMatchObject({ state: 'finished', format: 'claude-code', imported: 1, updated: 0, alreadyThere: 0 })
  expect(first.readBytes).toBe(first.sizeBytes)
  expect(await listed()).toEqual(first.conversationIds)
  const [id = ''] = first.conversationIds
  const before = await logOf(id)
  const again = await importFile('session.jsonl', claudeLog('s', 4))
  expect(again).toMatchObject({ state: 'finished', imported: 0, updated: 0, alreadyThere: 1, entryCount: 0 })
  const grown = await importFile('session.jsonl', `${claudeLog('s', 6)}\nnot a record`)
  expect(grown).toMatchObject({ imported: 0, updated: 1, skippedCounts: { damaged: 1 }, conversationIds: [id] })
  expect(grown.skips).toEqual([expect.objectContaining({ reason: 'damaged', line: 7, file: null })])
  expect((await logOf(id)).slice(0, before.length)).toEqual(before)
  const all = await served.call('GET', `${API_PATH}/imports`)
  expect((all.body as { imports: unknown[] }).imports).toHaveLength(3)
})

test('[RUN1] an imported conversation goes on like any other', async () => {
  const { conversationIds } = await importFile('session.jsonl', claudeLog('s', 4))
  const [id = ''] = conversationIds
  const content = [{ type: 'text', text: 'And now?' }]
  const sent = await served.call('POST', `${API_PATH}/conversations/${id}/inputs`, { commandId: 'go_on', content })
  expect(sent.status).toBe(202)
  await served.model.asked()
  served.model.say('It goes on.')
  served.model.end()
  await expect.poll(async () => (await logOf(id)).at(-1)?.type).toBe('run-finished')
  const { body } = await served.call('GET', `${API_PATH}/conversations/${id}/transcript`)
  expect(JSON.stringify(body)).toMatch(/Question 0.*Answer 3.*And now\?.*It goes on\./)
  const grown = await importFile('session.jsonl', claudeLog('s', 6))
  expect(grown).toMatchObject({ state: 'finished', updated: 0, unchanged: 1, skippedCounts: { 'changed-here': 1 } })
  expect(JSON.stringify(await logOf(id))).not.toContain('Question 4')
})

test('[SEC5] says of a file that it cannot read what is wrong, where, and what to do', async () => {
  const notes = await importFile('notes.txt', 'Some words.\nMore words.')
  expect(notes).toMatchObject({ state: 'failed', imported: 0 })
  expect(notes.problem).toContain('notes.txt: The source is of no known format')
  expect(notes.problem).toContain('Give the file as the other program wrote')
  const cut = await importFile('cut.json', '[\n{"some": "thing"},\n{"mess')
  expect(cut.problem).toMatch(/^cut\.json, line 2: /)
  const packed = await importFile('log.gz', Uint8Array.from([0x1f, 0x8b, 8, 0]))
  expect(packed.problem).toContain('Unpack it')
  const broken = await importFile('log.zip', Uint8Array.from([0x50, 0x4b, 3, 4, 1, 2, 3]))
  expect(broken.problem).toContain('damaged zip archive')
  expect((await send('empty.json', '')).status).toBe(400)
  const form = await fetch(`${served.url}${API_PATH}/import?name=a`, {
    method: 'POST',
    headers: bearer,
    body: new FormData(),
  })
  expect([form.status, ((await form.json()) as { code: string }).code]).toEqual([415, 'unsupported-media-type'])
  expect(await listed()).toEqual([])
})

test('[SEC5] takes the logs out of a zip archive, and names the file of what it leaves out', async () => {
  const answer = await importFile(
    'export.zip',
    zipOf({
      'a/one.jsonl': claudeLog('one', 2),
      'a/two.jsonl': `${claudeLog('two', 2)}\n{`,
      'picture.png': 'not a log',
      'user.json': '{"id":"u"}',
    }),
  )
  expect(answer).toMatchObject({ state: 'finished', imported: 2, skippedCounts: { damaged: 1, 'unknown-format': 1 } })
  expect(answer.skips.map(({ reason, file, line }) => [reason, file, line])).toContainEqual([
    'damaged',
    'a/two.jsonl',
    3,
  ])
  expect(await listed()).toHaveLength(2)
})

test('[LOG11, COST2] an export is a file with a safe name, and comes back as the same log', async () => {
  const { conversationIds } = await importFile('session.jsonl', claudeLog('s', 4))
  const [id = ''] = conversationIds
  const title = 'A/"walk" in\u202E ä'
  await served.call('PATCH', `${API_PATH}/conversations/${id}`, { commandId: 'name', title })
  const markdown = await exported(id, 'format=md')
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(markdown.headers.get('content-disposition')).toBe(
    `attachment; filename="A-walk- in _.md"; filename*=UTF-8''A-walk-%20in%20%C3%A4.md`,
  )
  expect(await markdown.text()).toContain('Answer 3')
  const html = await exported(id, 'format=html&usage=true')
  expect(await html.text()).toMatch(/^<!doctype html>[\s\S]*10 tokens read/i)
  expect((await exported(id, 'format=pdf')).status).toBe(400)
  const json = await (await exported(id, 'format=json')).text()
  const back = await importFile('back.json', json)
  expect(back).toMatchObject({ format: 'holdfast', imported: 1, skips: [] })
  const before = await logOf(id)
  const after = await logOf(back.conversationIds[0] ?? '')
  expect(after.slice(0, -1).map(({ type, at }) => [type, at])).toEqual(before.map(({ type, at }) => [type, at]))
})

test('[SEC5] a file is named by its title, as every file system takes it', () => {
  expect(fileName('../../etc/passwd', 'md')).toBe('etc-passwd.md')
  expect(fileName(null, 'md')).toBe('conversation.md')
  expect(fileName('CON', 'json')).toBe('conversation CON.json')
  expect(fileName('a\u0000b\nc\ud800', 'md')).toBe('a b c\ufffd.md')
  expect([...fileName('😀'.repeat(500), 'md')]).toHaveLength(83)
})
