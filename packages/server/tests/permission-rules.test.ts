import type { Json, NewEntry } from '@holdfast/conversation'
import { API_PATH } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Served, serve } from './support/serve.ts'

let served: Served
let id: string

beforeEach(async () => {
  served = await serve({ webRoot: null })
  id = await served.newConversation()
})

afterEach(() => served.close())

const RULES = `${API_PATH}/permission-rules`
const own = (path: string) => `${API_PATH}/conversations/${id}/permission-rules${path}`
const rule = { effect: 'allow', tool: 'look', pattern: '={"path":"a"}' }

/** Writes down calls of `look` that a person was asked about. */
async function asked(inputs: readonly Json[], outcome: 'allowed' | 'denied'): Promise<void> {
  const { head } = await served.store.read({ conversationId: id, after: 0, limit: 1 })
  const actor = { type: 'engine' } as const
  const entries = inputs.flatMap((input, index): NewEntry[] => {
    const callId = `call_${head}_${index}`
    const of = { actor, runId: `run_${callId}`, stepId: `step_${callId}` }
    const call = { type: 'tool-call', callId, name: 'look', inputText: JSON.stringify(input), complete: true } as const
    const request = { requestId: `request_${callId}`, callId, userId: 'local', tool: 'look', input }
    return [
      { type: 'step-finished', ...of, blocks: [call], finish: 'tool-calls' },
      { type: 'permission-requested', ...of, ...request, reason: 'because', source: 'default-policy' },
      { type: 'permission-settled', actor, requestId: request.requestId, outcome, by: 'person' },
    ]
  })
  await served.store.append({ conversationId: id, after: head, entries, at: Date.now() })
}

test('[PERM9] suggests rules over HTTP, tries them, adds them, and sends them away', async () => {
  await asked([{ path: 'a' }, { path: 'a' }, { path: 'a' }], 'allowed')
  await asked([{ path: 'b' }], 'denied')
  const extent = { conversationCount: 1, callCount: 4, unseenCount: 0, isCut: false }
  for (const path of [`${RULES}/suggestions`, own('/suggestions')]) {
    const suggested = await served.call('GET', path)
    expect(suggested).toMatchObject({
      status: 200,
      body: { suggestions: [{ rule, answeredCount: 3, conversationCount: 1 }], extent },
    })
  }
  for (const path of [`${RULES}/try`, own('/try')]) {
    const tried = await served.call('POST', path, { rule: { effect: 'allow', tool: 'look' } })
    expect(tried).toMatchObject({
      status: 200,
      body: {
        isKnownTool: true,
        callCount: 4,
        without: { ask: 4 },
        with: { allow: 4 },
        savedCount: 3,
        againstCount: 1,
      },
    })
    expect(tried.body).toMatchObject({
      examples: [
        { conversationId: id, tool: 'look', input: { path: 'b' }, said: 'denied', isAgainst: true },
        {},
        {},
        {},
      ],
      extent,
    })
  }

  expect(await served.call('POST', `${RULES}/suggestions/dismiss`, { rule })).toMatchObject({ status: 200 })
  expect((await served.call('GET', `${RULES}/suggestions`)).body).toMatchObject({ suggestions: [] })
  const added = await served.call('POST', RULES, { rule })
  expect(added).toMatchObject({ status: 201, body: { ruleId: expect.any(String) } })
  expect(await served.call('POST', RULES, { rule })).toMatchObject({ status: 200, body: added.body })
  expect((await served.call('GET', RULES)).body).toEqual({ rules: [{ ...rule, ...(added.body as object) }] })

  const here = await served.call('POST', own(''), { commandId: 'add', rule: { effect: 'ask', tool: 'look' } })
  expect(here).toMatchObject({ status: 200, body: { ruleId: expect.any(String) } })
  const { body } = await served.call('GET', `${API_PATH}/conversations/${id}/permissions`)
  expect(body).toMatchObject({ rules: [{ effect: 'ask', tool: 'look', ...(here.body as object) }] })
})

test('[PERM2] refuses what is no rule, and says what to write instead', async () => {
  const refused = await served.call('POST', RULES, { rule: { effect: 'allow', tool: '*' } })
  expect(refused).toMatchObject({ status: 422, body: { code: 'rule-refused' } })
  expect(refused.body).toMatchObject({ detail: expect.stringContaining('names its tool, such as shell') })
  for (const wrong of [
    { effect: 'allow' },
    { ...rule, pattern: '' },
    { ...rule, effect: 'maybe' },
    { ...rule, more: 1 },
  ])
    expect(await served.call('POST', `${RULES}/try`, { rule: wrong })).toMatchObject({ status: 400 })
  const unknown = await served.call('POST', `${RULES}/try`, { rule: { effect: 'deny', tool: 'surprise' } })
  expect(unknown).toMatchObject({ status: 200, body: { isKnownTool: false, callCount: 0 } })
})

const harmless = {
  effect: 'allow',
  tool: '*',
  category: ['edit', 'read'],
  annotations: { destructive: false },
} as const

test('[PERM10, PERM11] takes rules by category and annotation, for all conversations and for one, and tells them so', async () => {
  const written = { ...harmless, category: ['read', 'edit', 'read'] }
  const added = await served.call('POST', RULES, { rule: written })
  expect(added, JSON.stringify(added.body)).toMatchObject({ status: 201 })
  expect(await served.call('POST', RULES, { rule: harmless })).toMatchObject({ status: 200, body: added.body })
  expect((await served.call('GET', RULES)).body).toEqual({ rules: [{ ...harmless, ...(added.body as object) }] })
  const one = { effect: 'deny', tool: '*', category: 'network', annotations: { openWorld: true } }
  const here = await served.call('POST', own(''), { commandId: 'one', rule: one })
  expect(here).toMatchObject({ status: 200 })
  const { body } = await served.call('GET', `${API_PATH}/conversations/${id}/permissions`)
  expect(body).toMatchObject({ rules: [{ ...one, category: ['network'], ...(here.body as object) }] })
  for (const path of [`${RULES}/try`, own('/try')])
    expect(await served.call('POST', path, { rule: one })).toMatchObject({
      status: 200,
      body: { rule: { ...one, category: ['network'] } },
    })
})

test.each([
  [{ categories: ['read'] }, 'has no field "categories"; there are effect, tool, pattern, category, annotations'],
  [{ category: 'reads' }, 'is read, edit, execute, network or other, or a list'],
  [{ category: [] }, 'is read, edit, execute, network or other, or a list'],
  [{ annotations: {} }, 'names at least one of readOnly'],
  [{ annotations: { readonly: true } }, 'has no field "readonly"; there are readOnly, destructive'],
  [{ annotations: { destructive: 'no' } }, 'is true or false'],
])(
  '[PERM10] refuses %j at each route in words that name what there is, and keeps nothing of it',
  async (wrong, words) => {
    const written = { ...harmless, ...wrong }
    for (const [path, body] of [
      [RULES, { rule: written }],
      [`${RULES}/try`, { rule: written }],
      [own('/try'), { rule: written }],
      [own(''), { commandId: 'wrong', rule: written }],
    ] as const) {
      const refused = await served.call('POST', path, body)
      expect(refused).toMatchObject({ status: 400, body: { code: 'bad-request' } })
      expect(refused.body).toMatchObject({ detail: expect.stringContaining(words) })
    }
    const narrow = { effect: 'allow', tool: 'look', ...wrong }
    expect(await served.call('POST', `${RULES}/suggestions/dismiss`, { rule: narrow })).toMatchObject({ status: 400 })
    expect((await served.call('GET', RULES)).body).toEqual({ rules: [] })
    expect((await served.call('GET', `${API_PATH}/conversations/${id}/permissions`)).body).toMatchObject({ rules: [] })
  },
)

test('[PERM11] allows no more by a category than a yes for it does', async () => {
  for (const wide of [
    { effect: 'allow', tool: '*', category: 'execute' },
    { effect: 'allow', tool: '*', annotations: { destructive: false } },
  ])
    for (const [path, body] of [
      [RULES, { rule: wide }],
      [own(''), { commandId: 'wide', rule: wide }],
    ] as const)
      expect(await served.call('POST', path, body)).toMatchObject({
        status: 422,
        body: { code: 'rule-refused', detail: expect.stringContaining('destructive: false') },
      })
})
