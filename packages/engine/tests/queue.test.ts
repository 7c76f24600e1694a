import { overview } from '@holdfast/conversation'
import { begins, type ScriptLine, says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'

const actor = { type: 'person', userId: 'user_1' } as const
const waits: readonly ScriptLine[] = [...begins('One'), { type: 'wait' }, { type: 'finish', finish: 'end' }]

/** A conversation that answers "First" until the test proceeds, with two inputs behind it. */
async function busy(
  scripts: Parameters<typeof openHarness>[0] = [waits, says('Answer')],
): Promise<Harness & { readonly second: string; readonly third: string }> {
  const harness = await openHarness(scripts)
  await harness.send('First', 'send-1')
  await harness.untilPublished('One')
  const { inputId: second } = await harness.send('Second', 'send-2')
  const { inputId: third } = await harness.send('Third', 'send-3')
  return { ...harness, second, third }
}

async function sentTexts({ log }: Harness): Promise<readonly string[]> {
  const parts = (await log()).flatMap((entry) => (entry.type === 'user-message-sent' ? entry.content : []))
  return parts.map((part) => (part.type === 'text' ? part.text : part.type))
}

describe('the queue', () => {
  it('[RUN2] keeps its order, and takes another one from a person', async () => {
    const harness = await busy()
    const { engine, conversationId, third, model, until } = harness
    await engine.changeInput({ commandId: 'move', actor, conversationId, inputId: third, position: 0 })
    model.proceed()
    await until('run-finished', 3)
    expect(await sentTexts(harness)).toEqual(['First', 'Third', 'Second'])
  })

  it('[RUN2] sends an input in the words it has by then', async () => {
    const harness = await busy()
    const { engine, conversationId, second, third, model, until } = harness
    const content = [{ type: 'text' as const, text: 'Second, better' }]
    await engine.changeInput({ commandId: 'edit', actor, conversationId, inputId: second, content })
    await engine.removeInput({ commandId: 'remove', actor, conversationId, inputId: third })
    model.proceed()
    await until('run-finished', 2)
    expect(await sentTexts(harness)).toEqual(['First', 'Second, better'])
  })

  it('[RUN2] says so when an input does not wait any more', async () => {
    const { engine, conversationId, second, model, until } = await busy()
    model.proceed()
    await until('run-finished', 3)
    const late = { commandId: 'late', actor, conversationId, inputId: second }
    await expect(engine.removeInput(late)).rejects.toThrow('already sent or removed')
    await expect(engine.changeInput({ ...late, commandId: 'later', position: 0 })).rejects.toThrow(
      'already sent or removed',
    )
    await expect(engine.sendInputNow({ ...late, commandId: 'latest' })).rejects.toThrow('already sent or removed')
  })

  it('[STOP9] waits for an input that is being edited, two minutes at most', async () => {
    const harness = await busy()
    const { engine, conversationId, second, third, model, until, clock } = harness
    await engine.changeInput({ commandId: 'lock', actor, conversationId, inputId: second, lockedBy: 'tab' })
    await engine.removeInput({ commandId: 'remove', actor, conversationId, inputId: third })
    model.proceed()
    await until('run-finished', 1)
    await clock.advance(119_999)
    expect(await sentTexts(harness)).toEqual(['First'])
    await clock.advance(1)
    await until('run-finished', 2)
    expect(await sentTexts(harness)).toEqual(['First', 'Second'])
  })

  it('[STOP9] sends one of what is held, and keeps the rest, when it is held anew at once', async () => {
    const harness = await busy()
    const { engine, conversationId, second, model, until, clock } = harness
    await engine.holdQueue({ commandId: 'hold', actor, conversationId })
    model.proceed()
    await until('run-finished', 1)
    await engine.sendInputNow({ commandId: 'next', actor, conversationId, inputId: second })
    await engine.holdQueue({ commandId: 'hold-rest', actor, conversationId })
    await until('run-finished', 2)
    await clock.advance(1_000)
    expect(await sentTexts(harness)).toEqual(['First', 'Second'])
  })

  it('[STOP9] takes what was written behind it while it went on behind it, though it is held by then', async () => {
    const harness = await busy()
    const { engine, conversationId, third, model, until } = harness
    await engine.holdQueue({ commandId: 'hold', actor, conversationId })
    const content = [{ type: 'text' as const, text: 'Fourth' }]
    const late = { actor, conversationId, content, lane: 'turn' as const, behind: third }
    await engine.sendMessage({ ...late, commandId: 'send-4' })
    await engine.holdQueue({ commandId: 'hold-2', actor, conversationId })
    await engine.sendMessage({ ...late, commandId: 'send-5', behind: 'sent long ago' })
    model.proceed()
    await until('run-finished', 5)
    expect(await sentTexts(harness)).toEqual(['First', 'Fourth', 'Second', 'Third', 'Fourth'])
  })

  it('[STOP9] is held by a person, and goes on when a person says so', async () => {
    const harness = await busy()
    const { engine, conversationId, model, until, clock } = harness
    await engine.holdQueue({ commandId: 'hold', actor, conversationId })
    model.proceed()
    await until('run-finished', 1)
    await clock.advance(1_000)
    expect(await sentTexts(harness)).toEqual(['First'])
    await engine.releaseQueue({ commandId: 'release', actor, conversationId })
    await until('run-finished', 3)
    expect(await sentTexts(harness)).toEqual(['First', 'Second', 'Third'])
  })

  it('[STOP9] is held by a stop, and nothing of it is sent or lost', async () => {
    const harness = await busy()
    const { stop, model, until, clock, log } = harness
    await stop('stop-1')
    model.proceed()
    await until('run-finished', 1)
    await clock.advance(1_000)
    const { queue } = overview.reduce(overview.initial, await log())
    expect(queue).toMatchObject({ held: 'stopped', inputs: [{ seq: expect.any(Number) }, {}] })
  })

  it('[STOP9] is held by a stop also where what waits was sent after an earlier one', async () => {
    const harness = await busy([waits, waits, says('Never')])
    const { engine, conversationId, third, stop, model, until, untilRequests, clock } = harness
    await engine.sendInputNow({ commandId: 'now-3', actor, conversationId, inputId: third })
    await engine.sendInputNow({ commandId: 'now-2', actor, conversationId, inputId: harness.second })
    model.proceed()
    await untilRequests(2)
    expect(await stop('stop-1')).toMatchObject({ accepted: true })
    model.proceed()
    await until('run-finished', 2)
    await clock.advance(1_000)
    expect(await sentTexts(harness)).toEqual(['First', 'Second'])
    expect(overview.reduce(overview.initial, await harness.log()).queue).toMatchObject({
      held: 'stopped',
      inputs: [{}],
    })
  })

  it('[STOP11] lets nothing pass what was sent after the stop while that is edited', async () => {
    const harness = await busy()
    const { engine, conversationId, stop, send, model, until, clock } = harness
    await stop('stop-1')
    const { inputId } = await send('Rather this', 'send-4')
    await engine.changeInput({ commandId: 'lock', actor, conversationId, inputId, lockedBy: 'tab' })
    model.proceed()
    await until('run-finished', 1)
    await clock.advance(1_000)
    expect(await sentTexts(harness)).toEqual(['First'])
    await engine.changeInput({ commandId: 'unlock', actor, conversationId, inputId, lockedBy: null })
    await until('run-finished', 4)
    expect(await sentTexts(harness)).toEqual(['First', 'Rather this', 'Second', 'Third'])
  })

  it('[STOP11] lets what is sent after the stop go first, and goes on behind it', async () => {
    const harness = await busy()
    const { stop, send, model, until } = harness
    await stop('stop-1')
    await send('Rather this', 'send-4')
    model.proceed()
    await until('run-finished', 4)
    expect(await sentTexts(harness)).toEqual(['First', 'Rather this', 'Second', 'Third'])
  })

  it('[STOP11] sends an input that interrupts right after the run that it stops', async () => {
    const harness = await busy()
    const { engine, conversationId, model, until, log } = harness
    const content = [{ type: 'text' as const, text: 'At once' }]
    await engine.sendMessage({ commandId: 'interrupt', actor, conversationId, content, lane: 'interrupt' })
    model.proceed()
    await until('run-finished', 4)
    expect(await sentTexts(harness)).toEqual(['First', 'At once', 'Second', 'Third'])
    expect((await log()).find(({ type }) => type === 'run-finished')).toMatchObject({ outcome: 'stopped' })
  })

  it('[STOP11] sends a waiting input at once when a person wants it', async () => {
    const harness = await busy()
    const { engine, conversationId, third, model, until } = harness
    await engine.sendInputNow({ commandId: 'now', actor, conversationId, inputId: third })
    model.proceed()
    await until('run-finished', 3)
    expect(await sentTexts(harness)).toEqual(['First', 'Third', 'Second'])
  })

  it('[STOP9] starts with what was meant to steer the run before', async () => {
    const harness = await busy()
    const { engine, conversationId, third, model, until } = harness
    await engine.changeInput({ commandId: 'steer', actor, conversationId, inputId: third, lane: 'steer' })
    model.proceed()
    await until('run-finished', 3)
    expect(await sentTexts(harness)).toEqual(['First', 'Third', 'Second'])
  })

  it('[STOP10] cuts the drain when a person forces the stop after 1.5 seconds, and not before', async () => {
    const { engine, conversationId, stop, clock, log, until } = await busy()
    await stop('stop-1')
    const force = { actor, conversationId, runId: null, force: true }
    await clock.advance(1_400)
    expect(await engine.stopRun({ ...force, commandId: 'force-1' })).toMatchObject({ accepted: true })
    await clock.advance(50)
    expect((await log()).some(({ type }) => type === 'run-finished')).toBe(false)
    await clock.advance(50)
    await engine.stopRun({ ...force, commandId: 'force-2' })
    await until('run-finished', 1)
    expect(clock.now()).toBe(2_500)
  })
})
