import { overview } from '@holdfast/conversation'
import {
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  toolCallBlock,
  toolCallSettled,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { API_PATH } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Served, serve } from './support/serve.ts'

let served: Served
let id: string

beforeEach(async () => {
  served = await serve({ webRoot: null })
  const { body } = await served.call('POST', `${API_PATH}/conversations`, { commandId: 'create' })
  id = String((body as { id: string }).id)
})

afterEach(() => served.close())

const at = (path: string) => `${API_PATH}/conversations/${id}${path}`

async function state() {
  const { entries } = await served.store.read({ conversationId: id, after: 0, limit: 500 })
  return overview.reduce(overview.initial, entries)
}

/** Two inputs of which the first is being answered and the second waits. */
async function twoInputs(): Promise<string> {
  const send = (commandId: string, text: string) =>
    served.call('POST', at('/inputs'), { commandId, content: [{ type: 'text', text }] })
  await send('send-1', 'First')
  await vi.waitFor(async () => expect((await state()).runState.exclusive?.openStep).toBeTruthy())
  const { body } = await send('send-2', 'Second')
  return String((body as { inputId: string }).inputId)
}

test('[RUN2] a waiting input is changed, held, released and removed over HTTP', async () => {
  const inputId = await twoInputs()
  const changed = await served.call('PATCH', at(`/inputs/${inputId}`), {
    commandId: 'change-1',
    content: [{ type: 'text', text: 'Another' }],
    locked: true,
  })
  expect(changed).toMatchObject({ status: 200, body: { conversationId: id } })
  expect((await state()).queue.inputs).toMatchObject([{ inputId, content: [{ text: 'Another' }], lockedBy: 'local' }])
  await served.call('POST', at('/queue/hold'), { commandId: 'hold-1' })
  expect((await state()).queue.held).toBe('person')
  await served.call('POST', at('/queue/release'), { commandId: 'release-1' })
  expect((await state()).queue.held).toBeNull()
  expect(await served.call('DELETE', `${at(`/inputs/${inputId}`)}?commandId=remove-1`)).toMatchObject({ status: 200 })
  expect((await state()).queue.inputs).toEqual([])
  const again = await served.call('PATCH', at(`/inputs/${inputId}`), { commandId: 'change-2', position: 0 })
  expect(again).toMatchObject({ status: 409, body: { code: 'input-not-waiting' } })
})

test('[PERM8] settings are changed over HTTP, and a name or value that does not exist is refused', async () => {
  const patch = (commandId: string, settings: object) => served.call('PATCH', at(''), { commandId, settings })
  expect(await patch('a', { permissionMode: 'plan' })).toMatchObject({ status: 200, body: { id } })
  expect((await state()).settings.permissionMode).toBe('plan')
  expect(await patch('b', { permissionMode: 'never' })).toMatchObject({ status: 400, body: { code: 'bad-request' } })
  expect(await patch('c', { color: 'red' })).toMatchObject({ status: 400, body: { code: 'bad-request' } })
  expect(await patch('d', { modelId: 'none' })).toMatchObject({ status: 422, body: { code: 'unknown-model' } })
  expect(await patch('e', { permissionMode: null })).toMatchObject({ status: 200 })
  expect((await state()).settings.permissionMode).toBeUndefined()
})

test('a conversation is not begun with a model that there is not', async () => {
  const begun = await served.call('POST', `${API_PATH}/conversations`, { commandId: 'begin-1', modelId: 'none' })
  expect(begun).toMatchObject({ status: 422, body: { code: 'unknown-model' } })
  const rows = await served.call('GET', `${API_PATH}/conversations`)
  expect(rows.body).toMatchObject({ conversations: [{ id }] })
})

test('[PERM13] an answer to a request for permission that there never was is refused', async () => {
  expect(await served.call('GET', at('/permissions'))).toMatchObject({ status: 200, body: { requests: [], rules: [] } })
  const answer = { commandId: 'answer-1', decision: 'allow' }
  for (const asked of [answer, { ...answer, decision: 'deny' }, answer])
    expect(await served.call('POST', at('/permissions/permission_1'), asked)).toMatchObject({
      status: 404,
      body: { code: 'unknown-permission-request', detail: 'There is no request for permission permission_1' },
    })
})

test('[COST4] the context, the next request and a receipt are read over HTTP', async () => {
  await served.call('POST', at('/inputs'), { commandId: 'send-1', content: [{ type: 'text', text: 'First' }] })
  await vi.waitFor(async () => expect((await state()).runState.exclusive?.openStep).toBeTruthy())
  const stepId = (await state()).runState.exclusive?.openStep?.stepId ?? ''
  expect(await served.call('GET', at('/context'))).toMatchObject({
    status: 200,
    body: { modelId: 'scripted', windowTokens: null, percent: null, level: 'unknown' },
  })
  expect(await served.call('POST', at('/request'), {})).toMatchObject({
    status: 200,
    body: { windowStartSeq: 1, request: { messages: [{ role: 'user' }] } },
  })
  expect(await served.call('GET', at(`/requests/${stepId}`))).toMatchObject({
    status: 200,
    body: { stepId, isExact: true, purpose: 'turn', usage: null, notRebuilt: null },
  })
  expect(await served.call('GET', at('/requests/none'))).toMatchObject({ status: 404, body: { code: 'unknown-step' } })
  expect(await served.call('POST', at('/checkpoint'), { commandId: 'cp' })).toMatchObject({
    status: 409,
    body: { code: 'run-active' },
  })
  expect(await served.call('POST', at('/checkpoint/3/undo'), { commandId: 'undo' })).toMatchObject({
    status: 404,
    body: { code: 'unknown-checkpoint' },
  })
})

test('[COST3, REQ5] the price of the next message is told before it is sent, with what a change would break', async () => {
  const content = [{ type: 'text', text: 'What would it cost?' }]
  const plain = await served.call('POST', at('/price'), { content })
  expect(plain).toMatchObject({
    status: 200,
    body: { modelId: 'scripted', change: null, isSummaryDue: false },
  })
  expect(plain.body).toMatchObject({ price: { now: { outputTokens: null, usd: null }, cache: { state: 'empty' } } })
  const { head } = await state()
  const changed = await served.call('POST', at('/price'), { content, settings: { instructions: 'Be brief.' } })
  expect(changed).toMatchObject({
    status: 200,
    body: { change: { breaks: [{ reason: 'instructions', brokenFrom: 'system' }], lostTokens: 0 } },
  })
  expect((await state()).head).toBe(head)
  expect(await served.call('POST', at('/price'), { settings: { modelId: 'none' } })).toMatchObject({
    status: 422,
    body: { code: 'unknown-model' },
  })
  expect(await served.call('POST', at('/price'), { toSeq: 9_999 })).toMatchObject({
    status: 422,
    body: { code: 'path-refused' },
  })
  expect(await served.call('POST', at('/price'), { words: 'x' })).toMatchObject({
    status: 400,
    body: { code: 'bad-request' },
  })
})

test('[CHK4] a message is pinned over HTTP, and nothing else is', async () => {
  await served.call('POST', at('/inputs'), { commandId: 'send-pin', content: [{ type: 'text', text: 'Keep this' }] })
  await vi.waitFor(async () => expect((await state()).runState.exclusive?.openStep).toBeTruthy())
  const { entries } = await served.store.read({ conversationId: id, after: 0, limit: 100 })
  const seq = entries.find(({ type }) => type === 'user-message-sent')?.seq ?? 0
  expect(await served.call('PUT', at(`/pins/${seq}`), { commandId: 'pin-1', isPinned: true })).toMatchObject({
    status: 200,
  })
  expect((await state()).pins).toEqual([seq])
  expect(await served.call('PUT', at('/pins/1'), { commandId: 'pin-2', isPinned: true })).toMatchObject({
    status: 404,
    body: { code: 'unknown-message' },
  })
})

test('[TOOL10] a result is left out over HTTP and taken back, and the transcript says so', async () => {
  const { head } = await state()
  await served.store.append({
    conversationId: id,
    after: head,
    at: 1,
    entries: [
      runStarted('run_1', 'turn'),
      userMessageSent('run_1', 'input_1', 'Look'),
      stepStarted('run_1', 'step_1', 'turn'),
      stepFinished('run_1', 'step_1', [toolCallBlock('c1', 'read')]),
      toolCallSettled('run_1', 'step_1', { callId: 'c1', name: 'read', outcome: 'ok' }),
      runFinished('run_1', 'completed'),
    ],
  })
  served.engine.forgetLog(id)
  const seq = head + 5
  const put = (commandId: string, isExcluded: boolean, place = seq) =>
    served.call('PUT', at(`/exclusions/${place}`), { commandId, isExcluded })
  const requestText = async () => JSON.stringify((await served.call('POST', at('/request'), {})).body)
  expect(await requestText()).toContain('read: ok')
  const price = await served.call('POST', at('/price'), { exclusion: { resultSeq: seq, isExcluded: true } })
  expect(price).toMatchObject({
    status: 200,
    body: { change: { breaks: [{ reason: 'exclusion', brokenFrom: 'messages' }] } },
  })
  expect(await put('out-1', true)).toMatchObject({ status: 200 })
  expect((await state()).exclusions).toEqual([seq])
  expect(await requestText()).not.toContain('read: ok')
  expect((await served.call('POST', at('/request'), {})).body).toMatchObject({
    leftOut: [{ reason: 'excluded', seqs: [seq] }],
  })
  const transcript = async () => (await served.call('GET', at('/transcript'))).body
  const item = (call: object) => ({ items: [{ role: 'user' }, { role: 'assistant', toolCalls: [call] }] })
  expect(await transcript()).toMatchObject(item({ output: 'read: ok', resultSeq: seq, isExcluded: true }))
  expect(await put('back-1', false)).toMatchObject({ status: 200 })
  expect(JSON.stringify(await transcript())).not.toContain('isExcluded')
  expect(await requestText()).toContain('read: ok')
  expect(await put('none-1', true, 1)).toMatchObject({ status: 404, body: { code: 'unknown-result' } })
  const asked = { commandId: 'send-out', content: [{ type: 'text', text: 'Go on' }] }
  await served.call('POST', at('/inputs'), asked)
  await vi.waitFor(async () => expect((await state()).runState.exclusive?.openStep).toBeTruthy())
  expect(await put('busy-1', true)).toMatchObject({ status: 409, body: { code: 'run-active' } })
})
