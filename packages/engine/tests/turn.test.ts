import { overview } from '@holdfast/conversation'
import { begins, says } from '@holdfast/engine/testing'
import { ProviderError } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'
import { testTool } from './support/tools.ts'

describe('a turn', () => {
  it('[RUN1] begins and ends once, with the answer and its usage before the end', async () => {
    const { send, until, types } = await openHarness([says('Hello ', 'there')])
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(await types()).toEqual([
      'conversation-created',
      'input-admitted',
      'run-started',
      'user-message-sent',
      'step-started',
      'step-finished',
      'usage-recorded',
      'run-finished',
    ])
  })

  it('[LOG3] begins with its input and the tools that it has, in one append', async () => {
    const { tool } = testTool({ name: 'look', category: 'read' })
    const { send, until, messages } = await openHarness([says('Hello')], [tool])
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    const appends = messages.flatMap((message) => (message.type === 'entries' ? [message.entries] : []))
    const first = appends.find((entries) => entries.some(({ type }) => type === 'run-started'))
    expect(first?.map(({ type }) => type)).toEqual(['run-started', 'user-message-sent', 'tools-changed'])
  })

  it('[LOG4] admits a message once, however often it is sent', async () => {
    const { send, until, types } = await openHarness([says('Hello')])
    const [first, second] = await Promise.all([send('Hi', 'send-1'), send('Hi', 'send-1')])
    expect(second).toEqual(first)
    await until('run-finished', 1)
    expect((await types()).filter((type) => type === 'input-admitted')).toHaveLength(1)
    await expect(send('Something else', 'send-1')).rejects.toThrow('already used with another body')
  })

  it('[LOG4] answers once, also when the message comes again after its answer', async () => {
    const { send, until, types, model } = await openHarness([says('Hello')])
    const first = await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(await send('Hi', 'send-1')).toEqual(first)
    await send('And', 'send-2')
    await until('run-finished', 2)
    expect((await types()).filter((type) => type === 'user-message-sent')).toHaveLength(2)
    expect(model.requests).toHaveLength(2)
  })

  it('[LOG4] queues once, also when the message comes again while another is answered', async () => {
    const { send, until, types, model, untilPublished } = await openHarness([
      [...begins('One'), { type: 'wait' }, { type: 'finish', finish: 'end' }],
      says('Two'),
    ])
    await send('First', 'send-1')
    await untilPublished('One')
    await send('Second', 'send-2')
    await send('First', 'send-1')
    await send('Second', 'send-2')
    model.proceed()
    await until('run-finished', 2)
    expect((await types()).filter((type) => type === 'user-message-sent')).toHaveLength(2)
    expect(model.requests).toHaveLength(2)
  })

  it('[RUN2] answers inputs one after the other, never two at once', async () => {
    const { send, until, model, log, untilPublished } = await openHarness([
      [...begins('One'), { type: 'wait' }, { type: 'finish', finish: 'end' }],
      says('Two'),
    ])
    await send('First', 'send-1')
    await untilPublished('One')
    await send('Second', 'send-2')
    expect(model.requests).toHaveLength(1)
    model.proceed()
    await until('run-finished', 2)
    const state = overview.reduce(overview.initial, await log())
    expect(state.queue.inputs).toEqual([])
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('[RUN5] takes an answer that breaks off as cut, keeps its text, and says that it failed', async () => {
    const { send, until, log } = await openHarness([[...begins('Half an ans'), { type: 'break-off' }]])
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(await log()).toContainEqual(
      expect.objectContaining({
        type: 'step-finished',
        finish: 'cut',
        cut: 'ended-early',
        blocks: [{ type: 'text', text: 'Half an ans' }],
      }),
    )
    expect((await log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'failed' })
  })

  it('[RUN9] keeps what was streamed before an error, and names its class', async () => {
    const error = new ProviderError('overloaded', 'Too busy', { status: 529 })
    const { send, until, log } = await openHarness([[...begins('So far'), { type: 'throw', error }]])
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(await log()).toContainEqual(
      expect.objectContaining({ type: 'step-finished', cut: 'failed', blocks: [{ type: 'text', text: 'So far' }] }),
    )
    expect(await log()).toContainEqual(
      expect.objectContaining({ type: 'step-failed', error: { code: 'overloaded', message: 'Too busy', status: 529 } }),
    )
  })

  it('[STOP9] holds the queue after an error, and a new message goes first and lets it go on', async () => {
    const error = new ProviderError('auth', 'The key is not valid', { status: 401 })
    const { send, until, log, model, untilPublished } = await openHarness([
      [...begins('One'), { type: 'wait' }, { type: 'throw', error }],
      says('Answer'),
    ])
    await send('First', 'send-1')
    await untilPublished('One')
    await send('Second', 'send-2')
    model.proceed()
    await until('queue-held', 1)
    expect(model.requests).toHaveLength(1)
    await send('Third', 'send-3')
    await until('run-finished', 3)
    const sent = (await log()).flatMap((entry) => (entry.type === 'user-message-sent' ? entry.content : []))
    expect(sent).toEqual([
      { type: 'text', text: 'First' },
      { type: 'text', text: 'Third' },
      { type: 'text', text: 'Second' },
    ])
  })

  it('[REQ5] begins each request with the one before', async () => {
    const { send, until, model } = await openHarness([says('One'), says('Two'), says('Three')])
    for (const number of [1, 2, 3]) {
      await send(`Message ${number}`, `send-${number}`)
      await until('run-finished', number)
    }
    const [first, second, third] = model.requests.map(({ messages }) => messages)
    expect(second?.slice(0, first?.length)).toEqual(first)
    expect(third?.slice(0, second?.length)).toEqual(second)
  })
})
