import { createOpenAI } from '@ai-sdk/openai'
import { begins, type ScriptLine, says } from '@holdfast/engine/testing'
import { generateText } from 'ai'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { type ServedChat, serveChat, TOKEN } from './support/served-chat.ts'

let served: ServedChat

afterEach(async () => {
  await served.close()
})

const usage = { inputTokens: 7, cacheReadTokens: 3, cacheCreation5mTokens: 0, cacheCreation1hTokens: 0 }

/** Words, with usage as the provider measured it. */
const measured = (...words: string[]): readonly ScriptLine[] => [
  ...begins(...words),
  { type: 'block-ended', block: 0 },
  { type: 'usage', usage: { ...usage, outputTokens: 5, thinkingTokens: 1 } },
  { type: 'finish', finish: 'end' },
]

/** Calls of the model, each with its input as it writes it. */
const calls = (...made: readonly (readonly [name: string, input: string])[]): readonly ScriptLine[] => [
  ...made.flatMap(([name, input], block): readonly ScriptLine[] => [
    { type: 'block-started', block, start: { type: 'tool-call', callId: `call_${block}`, name } },
    { type: 'block-delta', block, text: input },
    { type: 'block-ended', block },
  ]),
  { type: 'finish', finish: 'tool-calls' },
]

const baseUrl = (): string => `${served.url}/api/v1/interop/openai/v1`
const client = (): OpenAI => new OpenAI({ baseURL: baseUrl(), apiKey: TOKEN, maxRetries: 0 })
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }

async function respond(body: object, more: Record<string, string> = {}) {
  const answer = await fetch(`${baseUrl()}/responses`, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: JSON.stringify({ model: 'scripted', ...body }),
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
}

async function conversations() {
  return served.store.listConversations({ ownerId: 'local', archived: false, limit: 10 })
}

async function logOf(conversationId: string) {
  return (await served.store.read({ conversationId, after: 0, limit: 1_000 })).entries
}

async function onlyLog() {
  const rows = await conversations()
  expect(rows).toHaveLength(1)
  return logOf(rows[0]?.conversationId ?? '')
}

const WEATHER = {
  type: 'function' as const,
  name: 'get_weather',
  description: 'The weather of a place.',
  strict: null,
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}

describe('the client of OpenAI', () => {
  test('[SYNC1] is answered, with the usage of the log, and asks for the answer again', async () => {
    served = await serveChat([measured('Hello ', 'world')])
    const answer = await client().responses.create({ model: 'scripted', input: 'Hi', instructions: 'Be brief.' })
    expect(answer.output_text).toBe('Hello world')
    expect(answer).toMatchObject({ status: 'completed', usage: { input_tokens: 10, output_tokens: 5 } })
    expect(JSON.stringify(served.model.requests)).toContain('Be brief.')
    const again = await client().responses.retrieve(answer.id)
    expect(again.output).toEqual(answer.output)
    expect(again.usage).toEqual(answer.usage)
  })

  test('[SYNC1] reads it as it streams, once and whole, with what the model thinks', async () => {
    served = await serveChat([
      [
        { type: 'block-started', block: 0, start: { type: 'thinking' } },
        { type: 'block-delta', block: 0, text: 'Hm. ' },
        { type: 'block-ended', block: 0 },
        { type: 'block-started', block: 1, start: { type: 'text' } },
        { type: 'block-delta', block: 1, text: 'Once ' },
        { type: 'block-delta', block: 1, text: 'upon' },
        { type: 'wait' },
        { type: 'block-ended', block: 1 },
        { type: 'finish', finish: 'end' },
      ],
    ])
    const streamed = client().responses.stream({ model: 'scripted', input: 'Tell' })
    let text = ''
    for await (const event of streamed) {
      if (event.type === 'response.output_text.delta') text += event.delta
      if (text === 'Once upon') served.model.proceed()
    }
    const answer = await streamed.finalResponse()
    expect(answer.output_text).toBe('Once upon')
    expect(answer.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
  })

  test('[TOOL18] runs the calls of its tools, side by side, and the turn goes on with what it sends', async () => {
    served = await serveChat([
      calls(['get_weather', '{"place": "sea"}'], ['get_weather', '{"place":"hill"}']),
      measured('Rain at both.'),
    ])
    const ask = { model: 'scripted', tools: [WEATHER] }
    const first = await client()
      .responses.stream({ ...ask, input: 'Weather?' })
      .finalResponse()
    expect(first).toMatchObject({ status: 'completed', output: [{ type: 'function_call' }, { type: 'function_call' }] })
    const outputs = first.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: `rain: ${item.arguments}` }]
        : [],
    )
    expect(outputs[0]?.output).toBe('rain: {"place": "sea"}')
    const second = await client().responses.create({ ...ask, previous_response_id: first.id, input: outputs })
    expect(second.output_text).toBe('Rain at both.')
    const log = await onlyLog()
    expect(log.filter(({ type }) => type === 'run-started')).toHaveLength(1)
    expect(log.filter(({ type }) => type === 'tool-call-settled')).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }])
    const last = served.model.requests.at(-1)
    expect(JSON.stringify(last?.messages)).toContain('hill')
    expect(last?.tools.map(({ name }) => name)).toEqual(['get_weather'])
    // With the turn its tools are gone: those of the server are back.
    await served.engine.sendMessage({
      commandId: 'page',
      actor: { type: 'person', userId: 'local' },
      conversationId: String((await conversations())[0]?.conversationId),
      content: [{ type: 'text', text: 'And you?' }],
      lane: 'turn',
    })
    await expect.poll(() => served.model.requests.at(-1)?.tools.map(({ name }) => name)).toEqual(['look', 'paint'])
  })

  test('[TOOL18] is told what is missing where it answers one call of two; with a message it has given the other up', async () => {
    served = await serveChat([calls(['get_weather', '{"place":"a"}'], ['get_weather', '{"place":"b"}']), says('Well.')])
    const first = await respond({ input: 'Weather?', tools: [WEATHER] })
    const [call] = first.body['output'] as { call_id: string }[]
    const given = { type: 'function_call_output', call_id: call?.call_id, output: 'sun' }
    const ask = { previous_response_id: first.body['id'], tools: [WEATHER] }
    const missing = await respond({ ...ask, input: [given] })
    expect(missing).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('get_weather') } } })
    const both = await respond({ ...ask, input: [given, { role: 'user', content: 'Never mind the other' }] })
    expect(both.body).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Well.' }] }] })
    expect((await onlyLog()).filter(({ type }) => type === 'tool-call-settled')).toMatchObject([
      { outcome: 'ok' },
      { outcome: 'unknown' },
    ])
    expect(JSON.stringify(served.model.requests.at(-1))).toContain('Never mind the other')
  })

  test('[TOOL18, STOP5] whose turn was stopped meanwhile is answered in a new one, and its late results change nothing', async () => {
    served = await serveChat([calls(['get_weather', '{"place":"a"}']), says('Anew.')])
    const first = await respond({ input: 'Weather?', tools: [WEATHER] })
    const [call] = first.body['output'] as { call_id: string }[]
    const { conversationId } = (await conversations())[0] ?? { conversationId: '' }
    const actor = { type: 'person', userId: 'local' } as const
    await served.engine.stopRun({ commandId: 'stop', actor, conversationId, runId: null, force: false })
    await expect.poll(async () => (await onlyLog()).map(({ type }) => type)).toContain('run-finished')
    const given = { type: 'function_call_output', call_id: call?.call_id, output: 'too late' }
    const ask = { previous_response_id: first.body['id'], tools: [WEATHER] }
    expect((await respond({ ...ask, input: [given] })).body).toMatchObject({ status: 'cancelled', output: [] })
    const anew = await respond({ ...ask, input: [given, { role: 'user', content: 'Go on' }] })
    expect(anew.body).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Anew.' }] }] })
    expect(JSON.stringify(await onlyLog())).not.toContain('too late')
  })

  test('[TOOL18, STOP5] cancels a turn whose calls it has', async () => {
    served = await serveChat([calls(['get_weather', '{"place":"a"}']), says('Anew.')])
    const first = await respond({ input: 'Weather?', tools: [WEATHER] })
    await client().responses.cancel(String(first.body['id']))
    await expect
      .poll(async () => (await onlyLog()).find(({ type }) => type === 'run-finished'))
      .toMatchObject({ outcome: 'stopped' })
  })

  test('[SYNC18] comes back after any event: none is missing and none is told twice', async () => {
    served = await serveChat([
      calls(['look', '{"place":"sea"}']),
      [...begins('Once ', 'upon ', 'a ', 'time'), { type: 'block-ended', block: 0 }, { type: 'finish', finish: 'end' }],
    ])
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await client().responses.create({ model: 'scripted', input: 'Tell', stream: true }))
      events.push(event)
    const [created] = events
    const id = created?.type === 'response.created' ? created.response.id : ''
    for (const [index, { sequence_number }] of events.entries()) {
      const rest: typeof events = []
      const query = { stream: true, starting_after: sequence_number } as const
      for await (const event of await client().responses.retrieve(id, query)) rest.push(event)
      expect(textOf([...events.slice(0, index + 1), ...rest])).toBe('Once upon a time')
      expect(rest.filter((event) => event.sequence_number <= sequence_number)).toEqual([])
      const isLast = index === events.length - 1
      expect(rest.at(-1)?.type).toBe(isLast ? undefined : 'response.completed')
    }
  })

  test('[STOP10] stops nothing by leaving; cancel stops the turn and keeps what was said', async () => {
    served = await serveChat([[...begins('Once ', 'upon'), { type: 'wait' }]])
    const streamed = await client().responses.create({ model: 'scripted', input: 'Tell', stream: true })
    let id = ''
    for await (const event of streamed) {
      if (event.type === 'response.created') id = event.response.id
      if (event.type === 'response.output_text.delta') break
    }
    streamed.controller.abort()
    expect(await client().responses.retrieve(id)).toMatchObject({ status: 'in_progress' })
    expect((await onlyLog()).map(({ type }) => type)).not.toContain('stop-requested')
    const cancelling = client().responses.cancel(id)
    await expect.poll(async () => (await onlyLog()).map(({ type }) => type)).toContain('stop-requested')
    served.model.proceed()
    const cancelled = await cancelling
    expect(cancelled.status).toBe('cancelled')
    expect(JSON.stringify(cancelled.output)).toContain('Once')
    expect((await onlyLog()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'stopped' })
    expect(await client().responses.cancel(id)).toMatchObject({ status: 'cancelled' })
  })
})

describe('what waits for a person', () => {
  const WORDS = /^The call of paint needs the permission of a person, who is asked in Holdfast: \/c\/conversation_/
  const summaryOf = ({ output }: OpenAI.Responses.Response): string =>
    output.flatMap((item) => (item.type === 'reasoning' ? item.summary.map(({ text }) => text) : [])).join('\n')

  /** An answer in the background, whose call waits. */
  async function waiting(): Promise<OpenAI.Responses.Response> {
    served = await serveChat([calls(['paint', '{"colour":"red"}']), says('Painted.')])
    const { id, status } = await client().responses.create({ model: 'scripted', input: 'Paint', background: true })
    expect(status).toBe('in_progress')
    await expect.poll(async () => summaryOf(await client().responses.retrieve(id))).toMatch(WORDS)
    return client().responses.retrieve(id)
  }

  async function answerIn(conversationId: string): Promise<void> {
    const asked = (await logOf(conversationId)).find((entry) => entry.type === 'permission-requested')
    const actor = { type: 'person', userId: 'local' } as const
    const requestId = asked?.requestId ?? ''
    const about = { commandId: 'answer', actor, conversationId, requestId, decision: 'allow', scope: 'call' } as const
    await served.engine.answerPermission(about)
  }

  test('[SYNC23] is told with where it is answered, in an answer that is in progress and goes on when it is', async () => {
    const { id, status, output_text, conversation } = await waiting()
    expect({ status, output_text }).toEqual({ status: 'in_progress', output_text: '' })
    const told: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await client().responses.retrieve(id, { stream: true })) {
      told.push(event)
      if (event.type === 'response.reasoning_summary_text.done') await answerIn(conversation?.id ?? '')
    }
    expect(told.at(-1)?.type).toBe('response.completed')
    expect(textOf(told)).toBe('Painted.')
    const whole = await client().responses.retrieve(id)
    expect(whole).toMatchObject({ status: 'completed', output_text: 'Painted.' })
    expect(whole.output.map(({ type }) => type)).toEqual(['reasoning', 'mcp_call', 'message'])
    for (const { sequence_number } of told) {
      const rest: OpenAI.Responses.ResponseStreamEvent[] = []
      const query = { stream: true, starting_after: sequence_number } as const
      for await (const event of await client().responses.retrieve(id, query)) rest.push(event)
      const after = told.filter((event) => event.sequence_number > sequence_number)
      expect(rest.at(-1)).toEqual(after.at(-1))
      expect(summaryText(rest)).toBe(summaryText(after))
      expect(textOf(rest)).toBe(textOf(after))
    }
  })

  test('[SYNC23] is denied and told at once where its client waits for the answer itself', async () => {
    served = await serveChat([calls(['paint', '{"colour":"red"}']), says('Not painted.')])
    const told: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await client().responses.create({ model: 'scripted', input: 'Paint', stream: true }))
      told.push(event)
    expect(summaryText(told)).toMatch(WORDS)
    expect(JSON.stringify(told)).toContain('Nobody can be asked over this protocol')
    expect(textOf(told)).toBe('Not painted.')
  })

  test('[SYNC23] is stopped by a cancel, and nothing waits any more', async () => {
    const { id, conversation } = await waiting()
    expect(await client().responses.cancel(id)).toMatchObject({ status: 'cancelled' })
    await expect
      .poll(async () => (await logOf(conversation?.id ?? '')).at(-1))
      .toMatchObject({ type: 'run-finished', outcome: 'stopped' })
  })
})

const summaryText = (events: readonly OpenAI.Responses.ResponseStreamEvent[]): string =>
  events.map((event) => (event.type === 'response.reasoning_summary_text.delta' ? event.delta : '')).join('')

const textOf = (events: readonly OpenAI.Responses.ResponseStreamEvent[]): string =>
  events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')

describe('a conversation', () => {
  const user = (content: string) => ({ role: 'user', content })

  test('[PRJ6] goes on from an answer; from an earlier one what followed is set aside', async () => {
    served = await serveChat([says('first'), says('second'), says('third')])
    const one = await respond({ input: 'One' })
    const two = await respond({ input: 'Two', previous_response_id: one.body['id'] })
    expect(two.body).toMatchObject({
      previous_response_id: one.body['id'],
      output: [{ content: [{ text: 'second' }] }],
    })
    await respond({ input: 'Other', previous_response_id: one.body['id'] })
    expect((await onlyLog()).filter(({ type }) => type === 'path-rewound')).toMatchObject([{ setAsideCount: 2 }])
    expect(JSON.stringify(served.model.requests.at(-1))).not.toContain('Two')
    const gone = await respond({ input: 'More', previous_response_id: two.body['id'] })
    expect(gone).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining('path') } } })
  })

  test('[SYNC18] is found by the items of an answer, and by the words where they have no ids', async () => {
    served = await serveChat([says('first'), says('second'), says('third')])
    const one = await respond({ input: [user('One')], store: false })
    const history = [user('One'), ...(one.body['output'] as object[])]
    const two = await respond({ input: [...history, user('Two')], store: false })
    expect(two.body['conversation']).toEqual(one.body['conversation'])
    const bare = [user('One'), { role: 'assistant', content: 'first' }]
    const three = await respond({ input: [...bare, user('Three')] })
    expect(three.body['conversation']).toEqual(one.body['conversation'])
    expect(JSON.stringify(served.model.requests.at(-1))).not.toContain('Two')
  })

  test('[SYNC18] holds a history that is not of one here as words of the client, and nothing as said by the model', async () => {
    served = await serveChat([says('Alice')])
    await respond({ input: [user('I am Alice.'), { role: 'assistant', content: 'Hello Alice!' }, user('Who am I?')] })
    const [request] = served.model.requests
    expect(request?.messages.map(({ role }) => role)).toEqual(['user'])
    expect(JSON.stringify(request?.messages)).toContain('Hello Alice!')
  })

  test('[SYNC18] that a client wants no answer kept of is not found by its id', async () => {
    served = await serveChat([says('first')])
    const one = await respond({ input: 'One', store: false })
    expect(one.body).toMatchObject({ store: false })
    const none = await fetch(`${baseUrl()}/responses/${one.body['id']}`, { headers })
    expect(none.status).toBe(404)
    expect(await none.json()).toMatchObject({ error: { message: expect.stringContaining('no response') } })
  })

  test('[LOG4] is asked once by the same message of a client, however often it is sent', async () => {
    served = await serveChat([says('only once')])
    const input = [{ id: 'msg_of_client_1', ...user('Hi') }]
    for (const answer of [await respond({ input }), await respond({ input })])
      expect(answer.body).toMatchObject({ output: [{ content: [{ text: 'only once' }] }] })
    expect((await onlyLog()).filter(({ type }) => type === 'input-admitted')).toHaveLength(1)
  })

  test('[SYNC18] that was begun elsewhere goes on where a field or a header names it', async () => {
    served = await serveChat([says('here'), says('there')])
    const one = await respond({ input: 'One', conversation: 'mine' })
    expect(one.body).toMatchObject({ conversation: { id: 'mine' } })
    const two = await respond({ input: 'Two' }, { 'x-holdfast-conversation': 'mine' })
    expect(two.headers.get('x-holdfast-conversation')).toBe('mine')
    expect(JSON.stringify(served.model.requests.at(-1))).toContain('One')
  })

  test('[PERM3] denies what would ask, and tells calls of the server as its own', async () => {
    served = await serveChat([calls(['paint', '{"colour":"red"}']), calls(['look', '{"place":"sea"}']), says('Green.')])
    const answer = await respond({ input: 'Paint it' })
    expect(answer.body).toMatchObject({
      output: [
        { type: 'reasoning' },
        { type: 'mcp_call', name: 'paint', status: 'failed' },
        { type: 'mcp_call', name: 'look', status: 'completed', output: expect.stringContaining('sea') },
        { type: 'message' },
      ],
    })
  })
})

test('[SYNC1] the AI SDK runs its own tool over this protocol, in two steps of one turn', async () => {
  served = await serveChat([calls(['weather', '{"place":"sea"}']), measured('Rain.')])
  const provider = createOpenAI({ baseURL: baseUrl(), apiKey: TOKEN })
  const { jsonSchema, stepCountIs, tool } = await import('ai')
  const inputSchema = jsonSchema<{ place: string }>({ type: 'object', properties: { place: { type: 'string' } } })
  const answer = await generateText({
    model: provider.responses('scripted'),
    prompt: 'Weather?',
    stopWhen: stepCountIs(3),
    tools: { weather: tool({ inputSchema, execute: ({ place }) => `rain at ${place}` }) },
  })
  expect(answer.text).toBe('Rain.')
  expect((await onlyLog()).filter(({ type }) => type === 'run-started')).toHaveLength(1)
  expect(JSON.stringify(served.model.requests.at(-1)?.messages)).toContain('rain at sea')
})

describe('the scenarios of Open Responses', () => {
  const PIXEL =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  const REQUIRED = [
    ...['id', 'object', 'created_at', 'completed_at', 'status', 'incomplete_details', 'model', 'previous_response_id'],
    ...[
      'instructions',
      'output',
      'error',
      'tools',
      'tool_choice',
      'truncation',
      'parallel_tool_calls',
      'text',
      'top_p',
    ],
    ...['presence_penalty', 'frequency_penalty', 'top_logprobs', 'temperature', 'reasoning', 'user', 'usage', 'store'],
    ...['max_output_tokens', 'max_tool_calls', 'background', 'service_tier', 'metadata', 'safety_identifier'],
    'prompt_cache_key',
  ]

  test.each([
    [
      'basic',
      { input: [{ type: 'message', role: 'user', content: 'Three words.' }] },
      says('One two three'),
      'message',
    ],
    [
      'system',
      {
        input: [
          { type: 'message', role: 'system', content: 'You are a pirate.' },
          { type: 'message', role: 'user', content: 'Hello' },
        ],
      },
      says('Arr'),
      'message',
    ],
    ['tools', { input: 'Weather?', tools: [WEATHER] }, calls(['get_weather', '{"place":"sea"}']), 'function_call'],
    [
      'image',
      {
        input: [
          {
            type: 'message',
            role: 'user',
            content: [
              { type: 'input_text', text: 'What is it?' },
              { type: 'input_image', image_url: PIXEL },
            ],
          },
        ],
      },
      says('A point'),
      'message',
    ],
    [
      'multi-turn',
      {
        input: [
          { type: 'message', role: 'user', content: 'I am Alice.' },
          { type: 'message', role: 'assistant', content: 'Hello Alice!' },
          { type: 'message', role: 'user', content: 'Who am I?' },
        ],
      },
      says('Alice'),
      'message',
    ],
  ] as const)(
    '[SYNC18] %s: whole and streamed, with every field that has to be there',
    async (_, body, script, type) => {
      served = await serveChat([script, script])
      const { body: whole } = await respond(body)
      expect(Object.keys(whole)).toEqual(expect.arrayContaining(REQUIRED))
      expect(whole).toMatchObject({ status: 'completed', error: null, output: [{ type }] })
      const sent = { method: 'POST', headers, body: JSON.stringify({ model: 'scripted', ...body, stream: true }) }
      const text = await (await fetch(`${baseUrl()}/responses`, sent)).text()
      const events = text.split('\n\n').flatMap((event) => {
        const data = event.split('\n').find((line) => line.startsWith('data: '))
        return data === undefined ? [] : [JSON.parse(data.slice('data: '.length)) as Record<string, unknown>]
      })
      const numbers = events.map((event) => Number(event['sequence_number']))
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
      expect(events.map((event) => event['type']).slice(0, 3)).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
      ])
      expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [{ type }] } })
      expect(Object.keys(events.at(-1)?.['response'] as object)).toEqual(expect.arrayContaining(REQUIRED))
      if (type === 'function_call') {
        const types = events.map((event) => event['type'])
        expect(types).toContain('response.function_call_arguments.delta')
        expect(types).toContain('response.function_call_arguments.done')
      }
    },
  )
})

describe('[SEC5] what cannot be is refused with what to do', () => {
  test.each([
    ['nothing', { input: [] }, 422, 'nothing to answer'],
    ['an unknown model', { model: 'none', input: 'Hi' }, 404, 'There is no model none'],
    ['an unknown answer', { input: 'Hi', previous_response_id: 'resp_x' }, 404, 'no response'],
    ['a form of answer', { input: 'Hi', text: { format: { type: 'json_schema' } } }, 422, 'Answers are text'],
    ['a choice of tools', { input: 'Hi', tool_choice: 'required' }, 422, 'tool_choice'],
    [
      'a picture elsewhere',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'http://10.0.0.1/x.png' }] }] },
      422,
      'data URL',
    ],
    ['no input', { input: 7 }, 400, ''],
    [
      'a result of no call',
      { input: [{ type: 'function_call_output', call_id: 'call_x', output: 'y' }] },
      400,
      'No tool call found for the output with call_id "call_x"',
    ],
    [
      'a result of no call beside a message',
      {
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'function_call_output', call_id: 'call_x', output: 'y' },
        ],
      },
      400,
      'call_id "call_x"',
    ],
    ['two tools of one name', { input: 'Hi', tools: [WEATHER, WEATHER] }, 422, 'Two tools are named "get_weather"'],
    [
      'a name that is none',
      { input: 'Hi', tools: [{ ...WEATHER, name: 'get weather' }] },
      422,
      '"get weather" is no name of a tool',
    ],
  ])('[SEC5] %s', async (_, body, status, words) => {
    served = await serveChat([says('never')])
    const answer = await respond(body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(words) } })
    expect(served.model.requests).toEqual([])
  })
})

test('[SEC1] the answer of another, and a conversation of another, are as if there were none', async () => {
  served = await serveChat([says('first')])
  const { engine } = served
  const actor = { type: 'person', userId: 'other' } as const
  const made = await engine.createConversation({
    commandId: 'create',
    actor,
    ownerId: 'other',
    title: null,
    modelId: null,
  })
  const content = [{ type: 'text' as const, text: 'Mine' }]
  const { seq } = await engine.sendMessage({ commandId: 'send', actor, ...made, content, lane: 'turn' })
  const id = `resp_${Buffer.from(`${made.conversationId}\n${seq}`).toString('base64url')}`
  expect((await fetch(`${baseUrl()}/responses/${id}`, { headers })).status).toBe(404)
  expect((await fetch(`${baseUrl()}/responses/${id}/cancel`, { method: 'POST', headers, body: '{}' })).status).toBe(404)
  expect(await respond({ input: 'Hi', previous_response_id: id })).toMatchObject({ status: 404 })
  expect(await respond({ input: 'Hi', conversation: made.conversationId })).toMatchObject({ status: 404 })
})
