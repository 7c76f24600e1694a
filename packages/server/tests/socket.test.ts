import { API_PATH, MAX_CLIENT_FRAME_LENGTH, MAX_TEXT_LENGTH, PROTOCOL_VERSION } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Served, serve, TOKEN } from './support/serve.ts'
import { connect, greet, type SocketClient } from './support/socket-client.ts'

let served: Served

beforeEach(async () => {
  served = await serve({ webRoot: null })
})

afterEach(async () => {
  await served.close()
})

function send(client: SocketClient, conversationId: string, commandId: string, text: string): void {
  client.send({
    type: 'command',
    name: 'send-message',
    commandId,
    conversationId,
    content: [{ type: 'text', text }],
    lane: 'turn',
  })
}

test('[SYNC1] follows a turn from its input to its end, entries before deltas before the end', async () => {
  const id = await served.newConversation()
  const client = await greet(served)
  client.send({ type: 'follow', conversationId: id, after: 0 })
  await client.next('caught-up')
  send(client, id, 'command_1', 'hello')
  expect((await client.next('accepted')).commandId).toBe('command_1')
  await served.model.asked()
  served.model.say('one ')
  await client.next('delta', ({ text }) => text === 'one ')
  served.model.say('two')
  served.model.end()
  await client.next('entries', ({ entries }) => entries.some(({ type }) => type === 'run-finished'))
  const kinds = client.frames.flatMap((frame) =>
    frame.type === 'entries' ? frame.entries.map(({ type }) => type) : [frame.type],
  )
  expect(kinds.indexOf('step-started')).toBeLessThan(kinds.indexOf('delta'))
  expect(kinds.lastIndexOf('delta')).toBeLessThan(kinds.indexOf('step-finished'))
  const page = await served.store.read({ conversationId: id, after: 0, limit: 100 })
  const sent = client.frames.flatMap((frame) => (frame.type === 'entries' ? frame.entries : []))
  expect(sent).toEqual(page.entries)
})

test('[SYNC1] gives who comes in the middle of a reply its text so far and then the rest', async () => {
  const id = await served.newConversation()
  const first = await greet(served)
  send(first, id, 'command_1', 'hello')
  await served.model.asked()
  served.model.say('so far ')
  const late = await greet(served)
  late.send({ type: 'follow', conversationId: id, after: 0 })
  const draft = await late.next('draft')
  expect(draft.blocks).toEqual([{ start: { type: 'text' }, text: 'so far ', complete: false }])
  expect(draft.offset).toBe('so far '.length)
  served.model.say('and on')
  expect(await late.next('delta')).toMatchObject({ block: 0, offset: 'so far '.length, text: 'and on' })
})

test('[LOG4] carries out a command once that is sent twice, and answers both times the same', async () => {
  const id = await served.newConversation()
  const client = await greet(served)
  send(client, id, 'command_1', 'hello')
  send(client, id, 'command_1', 'hello')
  const answers = [await client.next('accepted'), await client.next('accepted')]
  expect(answers[0]).toEqual(answers[1])
  send(client, id, 'command_1', 'something else')
  expect((await client.next('refused')).problem.code).toBe('command-reused')
})

test('[STOP1] stops a reply over the socket, and says that there is nothing to stop afterwards', async () => {
  const id = await served.newConversation()
  const client = await greet(served)
  client.send({ type: 'follow', conversationId: id, after: 0 })
  send(client, id, 'command_1', 'hello')
  await served.model.asked()
  served.model.say('kept')
  await client.next('delta', ({ text }) => text === 'kept')
  client.send({ type: 'command', name: 'stop-run', commandId: 'command_2', conversationId: id })
  await client.next('accepted', ({ commandId }) => commandId === 'command_2')
  const ended = await client.next('entries', ({ entries }) => entries.some(({ type }) => type === 'run-finished'))
  expect(ended.entries).toContainEqual(
    expect.objectContaining({
      type: 'step-finished',
      cut: 'stopped',
      blocks: [expect.objectContaining({ text: 'kept' })],
    }),
  )
  client.send({ type: 'command', name: 'stop-run', commandId: 'command_3', conversationId: id })
  expect((await client.next('refused')).problem.code).toBe('nothing-runs')
})

test('[SEC1] answers for another user’s conversation as for one that does not exist', async () => {
  const { conversationId: id } = await served.engine.createConversation({
    commandId: 'create_other',
    actor: { type: 'person', userId: 'someone' },
    ownerId: 'someone',
    title: null,
    modelId: null,
  })
  const client = await greet(served)
  client.send({ type: 'follow', conversationId: id, after: 0 })
  const follow = await client.next('refused')
  expect(follow).toMatchObject({ conversationId: id, problem: { status: 404, code: 'unknown-conversation' } })
  send(client, id, 'command_1', 'hello')
  client.send({ type: 'command', name: 'stop-run', commandId: 'command_2', conversationId: id })
  expect((await client.next('refused')).problem.code).toBe('unknown-conversation')
  expect((await client.next('refused')).problem.code).toBe('unknown-conversation')
})

test('[SYNC4] tells every tab of the user which conversation has changed', async () => {
  const watcher = await greet(served)
  const client = await greet(served)
  client.send({ type: 'command', name: 'create-conversation', commandId: 'command_1', title: 'Named' })
  const { conversationId } = await client.next('accepted')
  const { changed } = await watcher.next('conversations')
  expect(changed).toMatchObject([{ id: conversationId, title: 'Named', state: 'idle' }])
  send(client, conversationId, 'command_2', 'hello')
  await served.model.asked()
  await watcher.next('conversations', (frame) => frame.changed[0]?.state === 'running')
  served.model.end()
  await watcher.next(
    'conversations',
    (frame) => frame.changed[0]?.state === 'idle' && frame.changed[0].messageCount > 0,
  )
})

test('[SYNC4, PERM3] a question of a tool is in every tab of the conversation and in every list, and its answer too', async () => {
  const id = await served.newConversation()
  const list = await greet(served)
  const [one, other] = [await greet(served), await greet(served)]
  for (const tab of [one, other]) {
    tab.send({ type: 'follow', conversationId: id, after: 0 })
    await tab.next('caught-up')
  }
  const entryOf = (tab: SocketClient, type: string) =>
    tab.next('entries', ({ entries }) => entries.some((entry) => entry.type === type))
  send(one, id, 'command_1', 'look')
  await served.model.asked()
  served.model.call('look', { path: 'a' })
  const { changed } = await list.next('conversations', ({ changed: [row] }) => row?.permissionCount === 1)
  expect(changed).toMatchObject([{ id, state: 'waiting-for-permission' }])
  const asked = (await entryOf(other, 'permission-requested')).entries.find(
    ({ type }) => type === 'permission-requested',
  )
  await entryOf(one, 'permission-requested')
  if (asked?.type !== 'permission-requested') throw new Error('Nothing was asked')
  const answer = (commandId: string, decision: 'allow' | 'deny') => ({
    ...({ type: 'command', name: 'answer-permission', commandId, conversationId: id } as const),
    ...({ requestId: asked.requestId, decision, scope: 'call' } as const),
  })
  other.send(answer('command_2', 'allow'))
  await other.next('accepted')
  await entryOf(one, 'permission-settled')
  await list.next('conversations', ({ changed: [row] }) => row?.permissionCount === 0)
  one.send(answer('command_3', 'deny'))
  const { problem } = await one.next('refused')
  expect(problem).toMatchObject({ code: 'conflict', detail: expect.stringMatching(/^The request for permission/) })
  await served.model.asked()
  served.model.end()
  await list.next('conversations', ({ changed: [row] }) => row?.state === 'idle')
})

test('[SYNC4] the list hears of conversations that nobody opened here, and of deleted ones; nobody else does', async () => {
  const other = await served.newConversation()
  const list = await greet(served)
  const { conversationId } = await served.engine.createConversation({
    commandId: 'schedule',
    actor: { type: 'engine' },
    ownerId: 'local',
    title: 'Made elsewhere',
    modelId: null,
  })
  await list.next('conversations', ({ changed: [row] }) => row?.id === conversationId)
  await served.engine.createConversation({
    commandId: 'theirs',
    actor: { type: 'engine' },
    ownerId: 'someone',
    title: 'Theirs',
    modelId: null,
  })
  const tab = await greet(served)
  tab.send({ type: 'follow', conversationId: other, after: 0 })
  await tab.next('caught-up')
  expect(await served.call('DELETE', `${API_PATH}/conversations/${other}`)).toMatchObject({ status: 200 })
  const gone = await list.next('conversations', ({ removed }) => removed !== undefined)
  expect(gone).toEqual({ type: 'conversations', changed: [], removed: [other] })
  await tab.next('erased')
  tab.send({ type: 'follow', conversationId: other, after: 0 })
  expect((await tab.next('refused')).problem.code).toBe('unknown-conversation')
  // What was to be told of the other's conversation would have come before this.
  await served.call('PATCH', `${API_PATH}/conversations/${conversationId}`, { commandId: 'rename', title: 'Renamed' })
  await list.next('conversations', ({ changed: [row] }) => row?.title === 'Renamed')
  expect(JSON.stringify(list.frames)).not.toContain('Theirs')
})

test('[SYNC5] tells a client of another version to reload', async () => {
  const client = await connect(served)
  client.send({ type: 'hello', protocol: PROTOCOL_VERSION + 1, clientId: 'tab_1' })
  expect(await client.next('goodbye')).toEqual({ type: 'goodbye', code: 'other-protocol', retry: false })
  expect(await client.closed).toBe(4409)
})

test('[SYNC1] answers a ping, and says up to where each followed log goes', async () => {
  const id = await served.newConversation()
  const client = await greet(served)
  client.send({ type: 'follow', conversationId: id, after: 0 })
  await client.next('caught-up')
  client.send({ type: 'ping' })
  await client.next('pong')
  expect(await client.next('caught-up')).toMatchObject({ conversationId: id, head: 1 })
})

test('[SYNC3] cuts a reader that does not keep up, and takes it back by its cursor', async () => {
  await served.close()
  served = await serve({
    webRoot: null,
    limits: { maxBufferedBytes: 1_000_000, lowBufferedBytes: 100_000, maxDrainMs: 5_000, maxCloseMs: 60_000 },
  })
  const id = await served.newConversation()
  const slow = await greet(served)
  slow.send({ type: 'follow', conversationId: id, after: 0 })
  await slow.next('caught-up')
  send(slow, id, 'command_1', 'hello')
  await slow.next('accepted')
  await served.model.asked()
  slow.socket.pause()
  const fast = await greet(served)
  fast.send({ type: 'follow', conversationId: id, after: 0 })
  await fast.next('caught-up')
  // Three bytes each: more than a line holds back, and less than an answer may hold. [RUN26]
  const piece = '€'.repeat(100_000)
  for (let count = 0; count < 39; count += 1) {
    served.model.say(piece)
    await fast.next('delta', ({ text }) => text === piece)
  }
  served.model.end()
  await fast.next('entries', ({ entries }) => entries.some(({ type }) => type === 'run-finished'))
  slow.socket.resume()
  expect(await slow.closed).toBe(4408)
  expect(slow.frames.at(-1)).toEqual({ type: 'goodbye', code: 'slow-reader', retry: true })
  const back = await greet(served)
  back.send({ type: 'follow', conversationId: id, after: 1 })
  const { head } = await back.next('caught-up')
  const seqs = back.frames.flatMap((frame) => (frame.type === 'entries' ? frame.entries.map(({ seq }) => seq) : []))
  expect(seqs).toEqual(Array.from({ length: head - 1 }, (_, index) => index + 2))
})

test('[SEC2] a socket takes the cookie only with the exact origin', async () => {
  const arrival = await fetch(`${served.url}/auth/token?token=${TOKEN}`, { redirect: 'manual' })
  const cookie = arrival.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = { cookie, 'holdfast-page-key': arrival.headers.get('location')?.split('=')[1] ?? '' }
  const client = await connect(served, { ...page, origin: served.url })
  client.socket.close()
  await client.closed
  await expect(connect(served, page)).rejects.toThrow('403')
  await expect(connect(served, { ...page, origin: 'http://evil.example' })).rejects.toThrow('403')
})

test('[SEC2] opens no socket without the token, from another origin, or under another name', async () => {
  await expect(connect(served, {})).rejects.toThrow('401')
  await expect(connect(served, { authorization: 'Bearer wrong' })).rejects.toThrow('401')
  await expect(
    connect(served, { authorization: 'Bearer a-start-up-token', origin: 'http://evil.example' }),
  ).rejects.toThrow('403')
  await expect(connect(served, { authorization: 'Bearer a-start-up-token', host: 'evil.example' })).rejects.toThrow(
    '403',
  )
})

const garbage: readonly (readonly [string, string | Uint8Array])[] = [
  ['nothing', ''],
  ['no JSON', '{"type":'],
  ['null', 'null'],
  ['an array', '[1,2,3]'],
  ['an unknown frame', '{"type":"destroy"}'],
  ['a frame with fields that it does not have', '{"type":"ping","extra":1}'],
  ['a follow from nowhere', '{"type":"follow","conversationId":"x","after":-1}'],
  ['a prototype', '{"type":"ping","__proto__":{"polluted":true}}'],
  ['bytes', new Uint8Array([0, 1, 2, 255])],
  ['an endless text', 'x'.repeat(MAX_CLIENT_FRAME_LENGTH + 1)],
  ['deep nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
]

for (const [what, frame] of garbage) {
  test(`[SEC5] closes a socket that sends ${what}, and goes on serving`, async () => {
    const client = await greet(served)
    client.send(frame)
    expect(await client.closed).toBe(4400)
    expect((await served.call('GET', '/api/v1/health')).status).toBe(200)
  })
}

test('[SYNC8] refuses a command that is longer than it may be by its id, and the line goes on', async () => {
  const client = await greet(served)
  const conversationId = await served.newConversation()
  const send = (commandId: string, text: string) => ({
    type: 'command' as const,
    name: 'send-message' as const,
    commandId,
    conversationId,
    content: [{ type: 'text' as const, text }],
    lane: 'turn' as const,
  })
  for (const [commandId, length] of [
    ['over the text', MAX_TEXT_LENGTH + 1],
    ['over the frame', MAX_CLIENT_FRAME_LENGTH],
  ] as const) {
    client.send(send(commandId, 'x'.repeat(length)))
    const { problem } = await client.next('refused', (frame) => frame.commandId === commandId)
    expect(problem).toMatchObject({ status: 413, code: 'too-large' })
    expect(problem.detail.length).toBeLessThan(600)
  }
  client.send(
    JSON.stringify({ type: 'command', name: 'send-message', commandId: 'malformed', conversationId, lane: 'turn' }),
  )
  const malformed = await client.next('refused', (frame) => frame.commandId === 'malformed')
  expect(malformed.problem).toMatchObject({ status: 400, code: 'bad-request' })
  client.send(send('short', 'hello'))
  expect(await client.next('accepted', (frame) => frame.commandId === 'short')).toMatchObject({ conversationId })
  expect(client.frames.filter(({ type }) => type === 'goodbye')).toEqual([])
})

test('[SEC5] closes a socket that does not begin with hello', async () => {
  const client = await connect(served)
  client.send({ type: 'ping' })
  expect(await client.closed).toBe(4400)
})

test('[SEC5] outlives a frame that is larger than the socket takes', async () => {
  const client = await greet(served)
  client.send('x'.repeat(13_000_000))
  expect(await client.closed).toBe(1009)
  expect((await served.call('GET', '/api/v1/health')).status).toBe(200)
})
