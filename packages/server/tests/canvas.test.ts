import { canvases, canvasOf } from '@holdfast/conversation'
import { API_PATH, CanvasChanges, CanvasSnapshot } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Served, serve } from './support/serve.ts'

let served: Served
let id: string

beforeEach(async () => {
  served = await serve({ webRoot: null })
  id = await served.newConversation()
})

afterEach(() => served.close())

const at = (path: string) => `${API_PATH}/conversations/${id}/canvas${path}`

/** What the agent's tools do. */
async function draw(
  commandId: string,
  content: { readonly type: string; readonly [name: string]: string | readonly object[] },
) {
  const command = { commandId, actor: { type: 'engine' } as const, conversationId: id }
  return served.engine.changeCanvas({ ...command, wish: { type: 'add', content: JSON.parse(JSON.stringify(content)) } })
}

async function read(query = ''): Promise<CanvasSnapshot> {
  const { status, body } = await served.call('GET', at(query))
  expect(status).toBe(200)
  return CanvasSnapshot.parse(body)
}

const act = (elementId: string, body: object) => served.call('POST', at(`/${elementId}`), body)

test('[CANVAS2] the canvas is read with its version, as it is and as it was at any entry', async () => {
  expect(await read()).toMatchObject({ agentId: 'default', version: 0, elements: [], summary: '' })
  await draw('one', { type: 'card', title: 'One' })
  const { head } = await read()
  await draw('two', { type: 'card', title: 'Two' })
  expect(await read()).toMatchObject({ version: 2, elements: [{ id: 'card-1' }, { id: 'card-2', title: 'Two' }] })
  expect(await read(`?at=${head}`)).toMatchObject({ version: 1, head, elements: [{ id: 'card-1' }] })
  expect(await read('?at=1')).toMatchObject({ version: 0, elements: [] })
  expect(await read('?agentId=another')).toMatchObject({ agentId: 'another', version: 0, elements: [] })
})

test('[CANVAS2] the places where a canvas changed are listed, each to be read as it was there', async () => {
  expect((await served.call('GET', at('/changes'))).body).toEqual({ agentId: 'default', changes: [], earlierCount: 0 })
  await draw('one', { type: 'card', title: 'One' })
  const notify = { type: 'notify', text: 'Look', tone: 'good' } as const
  const engine = { type: 'engine' } as const
  await served.engine.changeCanvas({ commandId: 'note', actor: engine, conversationId: id, wish: notify })
  await act('canvas', { commandId: 'clear', action: 'clear' })
  const { body } = await served.call('GET', at('/changes'))
  const { changes } = CanvasChanges.parse(body)
  expect(changes).toMatchObject([
    { version: 1, operation: 'add-element', elementId: 'card-1', byPerson: false },
    { version: 3, operation: 'clear-canvas', elementId: null, byPerson: true },
  ])
  expect(await read(`?at=${changes[0]?.seq}`)).toMatchObject({ version: 1, elements: [{ title: 'One' }] })
  expect((await served.call('GET', at('/changes?agentId=another'))).body).toMatchObject({ changes: [] })
  expect(await served.call('GET', `${API_PATH}/conversations/nowhere/canvas/changes`)).toMatchObject({ status: 404 })
})

test('[CANVAS3] a person chooses how the canvas is shown, and nothing that there is not', async () => {
  const value = { mode: 'ambient', layout: 'focus' }
  expect(await act('canvas', { commandId: 'mode', action: 'set-mode', value })).toMatchObject({ status: 200 })
  expect(await act('canvas', { commandId: 'tint', action: 'set-theme', value: 'amber' })).toMatchObject({ status: 200 })
  expect(await read()).toMatchObject({ mode: 'ambient', layout: 'focus', theme: 'amber', version: 2 })
  const mode = { mode: 'content' }
  expect(await act('canvas', { commandId: 'mode-2', action: 'set-mode', value: mode })).toMatchObject({ status: 200 })
  expect(await read()).toMatchObject({ mode: 'content', layout: 'focus' })
  for (const wrong of [{ mode: 'party' }, { mode: 'media', layout: 'spiral' }, { ...mode, more: 1 }, 'media', null])
    expect(await act('canvas', { commandId: 'bad', action: 'set-mode', value: wrong })).toMatchObject({ status: 400 })
  for (const wrong of ['pink', 7, {}])
    expect(await act('canvas', { commandId: 'bad', action: 'set-theme', value: wrong })).toMatchObject({ status: 400 })
  expect((await read()).version).toBe(3)
})

test('[CANVAS6] what a person does is an entry, done once, and refused in words that help', async () => {
  await draw('list', { type: 'checklist', title: 'List', items: [{ id: 'a', text: 'First' }] })
  await draw('ask', { type: 'confirmation', title: 'Apply?', choices: [{ id: 'yes', label: 'Yes' }] })
  const check = { commandId: 'check', action: 'check', value: { itemId: 'a', checked: true } }
  const done = { status: 200, body: { elementId: 'checklist-1', version: 3 } }
  expect(await act('checklist-1', check)).toEqual(done)
  expect(await act('checklist-1', check)).toEqual(done)
  const answer = { action: 'answer', value: 'yes' }
  expect(await act('confirmation-2', { commandId: 'answer-1', ...answer })).toMatchObject({ status: 200 })
  expect(await act('confirmation-2', { commandId: 'answer-2', ...answer })).toMatchObject({
    status: 409,
    body: { code: 'already-answered' },
  })
  expect(await act('checklist-1', { commandId: 'pin', action: 'pin', value: true })).toMatchObject({ status: 200 })
  expect(await act('checklist-1', { commandId: 'remove', action: 'remove' })).toMatchObject({ status: 200 })
  expect(await act('canvas', { commandId: 'restore', action: 'restore' })).toMatchObject({ status: 200 })
  expect(await act('canvas', { commandId: 'restore-2', action: 'restore' })).toMatchObject({
    status: 409,
    body: { code: 'nothing-to-restore' },
  })
  const { elements } = await read()
  expect(elements).toMatchObject([
    { id: 'checklist-1', pinned: true, items: [{ checked: true, byPerson: true }] },
    { id: 'confirmation-2', answer: { choiceId: 'yes', userId: 'local' } },
  ])
  const { entries } = await served.store.read({ conversationId: id, after: 0, limit: 100 })
  const folded = canvasOf(canvases.reduce(canvases.initial, entries), undefined)
  expect(elements).toEqual(folded.elements)
})

test('[CANVAS4, CANVAS5, SEC5] ids of elsewhere, wrong values and too much are refused, and nothing changes', async () => {
  await draw('one', { type: 'card', title: 'One' })
  const other = await served.newConversation()
  const elsewhere = `${API_PATH}/conversations/${other}/canvas/card-1`
  expect(await served.call('POST', elsewhere, { commandId: 'a', action: 'remove' })).toMatchObject({
    status: 404,
    body: { code: 'unknown-element', detail: expect.stringContaining('"card-1"') },
  })
  expect(await act('card-9', { commandId: 'b', action: 'remove' })).toMatchObject({ status: 404 })
  expect(await act('card-1', { commandId: 'c', action: 'check', value: { itemId: 'a' } })).toMatchObject({
    status: 400,
  })
  expect(await act('card-1', { commandId: 'd', action: 'draw' })).toMatchObject({ status: 400 })
  expect(await act('card-1', { commandId: 'e', action: 'answer', value: 'yes' })).toMatchObject({ status: 422 })
  expect(await act('card-1', { commandId: 'f', action: 'answer', value: 'x'.repeat(13_000_000) })).toMatchObject({
    status: 413,
  })
  expect((await read()).version).toBe(1)
  expect(await served.call('GET', `${API_PATH}/conversations/nowhere/canvas`)).toMatchObject({ status: 404 })
})
