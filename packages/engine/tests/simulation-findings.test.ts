import { parseNewEntry } from '@holdfast/conversation'
import { logOf, stepFinished, textBlock, usageRecorded, wholeTurn } from '@holdfast/conversation/testing'
import type { FactSource } from '@holdfast/engine'
import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { countMessages } from '../src/log/path-log.ts'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

describe('what the simulation found', () => {
  it('[LOG4] answers a command about an input the same when it comes again, also after it has taken the input out', async () => {
    const { engine, conversationId, send, untilPublished } = await openHarness([[...begins('One'), { type: 'wait' }]])
    await send('First', 'send-1')
    await untilPublished('One')
    const { inputId } = await send('Second', 'send-2')
    const remove = { commandId: 'remove', actor, conversationId, inputId }
    await engine.removeInput(remove)
    await expect(engine.removeInput(remove)).resolves.toBeUndefined()
    const late = { ...remove, commandId: 'late' }
    await expect(engine.removeInput(late)).rejects.toThrow('already sent or removed')
    await expect(engine.removeInput(late)).rejects.toThrow('already sent or removed')
  })

  it('[LOG4] answers a stop of a run that stops already the same when it comes again', async () => {
    const { send, stop, until, model, untilPublished } = await openHarness([[...begins('One'), { type: 'wait' }]])
    await send('First', 'send-1')
    await untilPublished('One')
    await Promise.all([stop('stop-1'), stop('stop-2')]).then(([first, second]) => expect(second).toEqual(first))
    model.proceed()
    await until('run-finished', 1)
    expect(await stop('stop-2')).toMatchObject({ accepted: true })
  })

  it('[STOP9] keeps what is meant to steer back while the queue is held', async () => {
    const slow = testTool({ name: 'read_file', category: 'read', waits: true })
    const harness = await openHarness(
      [calls({ callId: 'c1', name: 'read_file', input: { path: 'a' } }), says('Done')],
      [slow.tool],
    )
    const { engine, conversationId, send, until, log } = harness
    await send('Read', 'send-1')
    await until('tool-call-started', 1)
    const base = { actor, conversationId }
    const content = [{ type: 'text' as const, text: 'And mind this' }]
    await engine.sendMessage({ ...base, commandId: 'steer', content, lane: 'steer' })
    await engine.holdQueue({ ...base, commandId: 'hold' })
    slow.finish('text')
    await until('run-finished', 1)
    expect((await log()).filter(({ type }) => type === 'user-message-sent')).toHaveLength(1)
  })

  it('[RUN14] leaves no timer of a draft behind', async () => {
    const { engine, clock, send, untilPublished, model } = await openHarness([
      [...begins('One', ' two'), { type: 'wait' }],
    ])
    await send('Count', 'send-1')
    await untilPublished('two')
    const closed = engine.close()
    model.proceed()
    await clock.advance(50)
    await closed
    expect(clock.waitingCount()).toBe(0)
  })

  it('[RUN14] begins no sweep when it is closed while it recovers', async () => {
    const { engine, clock } = await openHarness([says('One')])
    const recovered = engine.recover()
    await engine.close()
    await recovered
    expect(clock.waitingCount()).toBe(0)
  })

  // A rejection that nobody hears ends the process; here it fails the whole run of the tests.
  it('[RUN4] ends no process when the lease of a title is lost while a turn runs', async () => {
    const wait = { type: 'wait' } as const
    const open = [...begins('Working'), wait, wait]
    const finish = { type: 'finish', finish: 'end' } as const
    const scripts = [[...begins('Hello'), wait, { type: 'block-ended', block: 0 } as const, finish], open, open]
    const first = await openHarness(scripts, [], null, { autoTitles: true })
    await first.send('Hi', 'send-1')
    await first.untilPublished('Hello')
    // It waits already, so that nobody ever waits for the title alone.
    await first.send('And', 'send-2')
    first.model.proceed()
    await expect.poll(() => first.model.requests.length).toBe(3)
    await first.untilPublished('Working')
    const { conversationId, store } = first
    const second = first.beside([])
    await store.acquireLease({ conversationId, holder: 'process_1', ttlMs: 0 })
    await first.clock.advance(0)
    await second.engine.recover()
    await second.until('run-finished', 3)
    for (const ms of [600, 600, 600]) {
      first.model.proceed()
      await first.clock.advance(ms)
    }
    await expect.poll(() => first.model.abortedCount()).toBeGreaterThan(0)
    await first.engine.close()
    const outcomes = (await first.log()).flatMap((entry) => (entry.type === 'run-finished' ? [entry.outcome] : []))
    expect(outcomes).toEqual(['completed', 'interrupted', 'interrupted'])
  })

  it('[RUN4] builds no request for a run that another replica has ended', async () => {
    const told = Promise.withResolvers<string>()
    let asked = 0
    const fact: FactSource = {
      section: 'workspace',
      budgetTokens: 100,
      textNow: async () => (++asked === 1 ? told.promise : 'It rains'),
    }
    const slow = testTool({ name: 'read_file', category: 'read', waits: true })
    const first = await openHarness([says('One')], [slow.tool], null, { ports: { facts: [fact] } })
    const { conversationId, store } = first
    await first.send('First', 'send-1')
    await expect.poll(() => asked).toBe(1)
    const second = first.beside([calls({ callId: 'c1', name: 'read_file', input: { path: 'a' } })])
    await store.acquireLease({ conversationId, holder: 'process_1', ttlMs: 0 })
    await first.clock.advance(0)
    await second.engine.recover()
    await second.send('Second', 'send-2')
    await second.until('tool-call-started', 1)
    await first.clock.advance(600)
    told.resolve('It snows')
    await first.engine.close()
    expect(first.faults).toEqual([])
    expect(first.model.requests).toEqual([])
  })

  it('[PRJ6] counts no title among what a rewind set aside, also one that began before its place', () => {
    const usage = { ...usageRecorded('run_title', 'step_title', { input: 1, output: 1 }), purpose: 'title' }
    const after = logOf('c', [
      ...wholeTurn(2, { asked: 'Two?', answered: 'Two' }),
      stepFinished('run_title', 'step_title', [textBlock('A title')]),
      parseNewEntry(usage),
    ])
    expect(countMessages(after)).toBe(2)
  })

  it('[STOP4] publishes nothing more of a run that another replica has ended', async () => {
    const first = await openHarness([
      [...begins('One'), { type: 'wait' }, { type: 'block-delta', block: 0, text: ' late' }, { type: 'wait' }],
    ])
    await first.send('Count', 'send-1')
    await first.untilPublished('One')
    const { conversationId, store } = first
    const second = first.beside([says('Two')])
    const lease = await store.acquireLease({ conversationId, holder: 'process_1', ttlMs: 0 })
    expect(lease?.epoch).toBe(1)
    await first.clock.advance(0)
    await second.engine.recover()
    await second.until('run-finished', 1)
    await first.clock.advance(600)
    first.model.proceed()
    await first.clock.advance(600)
    const shown = first.messages.flatMap((message) => (message.type === 'delta' ? [message.delta.text] : [])).join('')
    expect(shown).not.toContain('late')
  })
})
