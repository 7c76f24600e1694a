import type { AnswerContent, EntryOf, QuestionField } from '@holdfast/conversation'
import { says } from '@holdfast/engine/testing'
import { defineTool, type Tool, type ToolContext, type ToolQuestion } from '@holdfast/tool'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { type Harness, openHarness } from './support/harness.ts'
import { calls } from './support/tools.ts'

const colour: QuestionField = {
  type: 'choice',
  name: 'colour',
  title: 'Colour',
  required: true,
  options: [
    { value: 'r', title: 'Red' },
    { value: 'g', title: 'Green' },
  ],
}
const question: ToolQuestion = {
  source: 'paint',
  message: 'Which colour?',
  wish: { type: 'form', fields: [colour] },
}

/** A tool that asks while it runs, and tells the model what it was told. */
function asker(run: (context: ToolContext) => Promise<unknown>, timeoutMs = 60_000): Tool {
  return defineTool({
    name: 'paint',
    description: 'Paints.',
    input: z.object({}),
    category: 'read',
    timeoutMs,
    run: async (_, context) => JSON.stringify(await run(context)),
  })
}

const askOnce = ({ person, signal }: ToolContext) => person?.ask(question, { signal }) ?? Promise.resolve('nobody')
const paints = calls({ callId: 'c1', name: 'paint', input: {} })

async function open(tool: Tool): Promise<Harness> {
  const harness = await openHarness([paints, says('Done')], [tool])
  await harness.send('Paint', 'send-1')
  await harness.until('question-asked', 1)
  return harness
}

async function entriesOf<Type extends 'question-asked' | 'question-settled' | 'tool-call-settled'>(
  { log }: Harness,
  type: Type,
): Promise<readonly EntryOf<Type>[]> {
  return (await log()).filter((entry): entry is EntryOf<Type> & typeof entry => entry.type === type)
}

interface Answer {
  readonly action?: 'accept' | 'decline' | 'cancel'
  readonly content?: AnswerContent
  readonly userId?: string
  readonly commandId?: string
}

let answered = 0

async function answer(harness: Harness, { action = 'accept', content, userId = 'user_1', commandId }: Answer = {}) {
  return harness.engine.answerQuestion({
    commandId: commandId ?? `answer-${++answered}`,
    actor: { type: 'person', userId },
    conversationId: harness.conversationId,
    questionId: (await entriesOf(harness, 'question-asked'))[0]?.questionId ?? '',
    action,
    ...(content === undefined ? {} : { content }),
  })
}

describe('a question of a running call', () => {
  it('[TOOL11] is an entry before anybody sees it, and the call goes on with the first answer', async () => {
    const harness = await open(asker(askOnce))
    expect(await entriesOf(harness, 'question-asked')).toMatchObject([
      { userId: 'user_1', callId: 'c1', tool: 'paint', ...question },
    ])
    expect(await answer(harness, { content: { colour: 'g' }, commandId: 'first' })).toEqual({ accepted: true })
    expect(await answer(harness, { content: { colour: 'r' } })).toEqual({ accepted: false })
    expect(await answer(harness, { content: { colour: 'g' }, commandId: 'first' })).toEqual({ accepted: true })
    await harness.until('run-finished', 1)
    expect(JSON.stringify(harness.model.requests[1])).toContain('\\"colour\\":\\"g\\"')
    expect(await entriesOf(harness, 'question-settled')).toMatchObject([
      { outcome: 'accepted', by: 'person', content: { colour: 'g' } },
    ])
  })

  it.each(['decline', 'cancel'] as const)('[TOOL11] a %s is told to whoever asked, without content', async (action) => {
    const harness = await open(asker(askOnce))
    await answer(harness, { action, content: { colour: 'g' } })
    await harness.until('run-finished', 1)
    const [settled] = await entriesOf(harness, 'question-settled')
    expect(settled).toMatchObject({ outcome: action === 'decline' ? 'declined' : 'cancelled', by: 'person' })
    expect(settled).not.toHaveProperty('content')
    expect(JSON.stringify(await entriesOf(harness, 'tool-call-settled'))).not.toContain('colour')
  })

  it('[PERM13] tells an answer that comes too late from one to a question that there never was', async () => {
    const harness = await open(asker(askOnce))
    const unknown = (commandId: string) =>
      harness.engine.answerQuestion({
        commandId,
        actor: { type: 'person', userId: 'user_1' },
        conversationId: harness.conversationId,
        questionId: 'question_none',
        action: 'cancel',
      })
    const before = (await harness.log()).length
    await expect(unknown('none-1')).rejects.toMatchObject({ code: 'unknown-question' })
    expect(await harness.log()).toHaveLength(before)
    await answer(harness, { content: { colour: 'g' } })
    await harness.until('run-finished', 1)
    expect(await answer(harness, { action: 'decline' })).toEqual({ accepted: false })
    await expect(answer(harness, { action: 'decline', userId: 'user_2' })).rejects.toMatchObject({
      code: 'unknown-question',
    })
    await expect(unknown('none-2')).rejects.toMatchObject({ code: 'unknown-question' })
  })

  it('[TOOL11] takes only an answer that fits, and says what does not', async () => {
    const harness = await open(asker(askOnce))
    for (const content of [{}, { colour: 'blue' }, { colour: 'g', more: 1 }]) {
      await expect(answer(harness, { content })).rejects.toMatchObject({ code: 'answer-refused' })
    }
    await expect(answer(harness, { content: { colour: 'blue' } })).rejects.toThrow('colour: Choose one of the options')
    expect(await entriesOf(harness, 'question-settled')).toEqual([])
  })

  it('[SEC1] is answered by the person who was asked and by nobody else', async () => {
    const harness = await open(asker(askOnce))
    await expect(answer(harness, { content: { colour: 'g' }, userId: 'user_2' })).rejects.toMatchObject({
      code: 'unknown-question',
    })
    expect(await entriesOf(harness, 'question-settled')).toEqual([])
  })

  it('[PERM4] the limits of the call rest until the answer', async () => {
    const harness = await open(asker(askOnce, 1_000))
    await harness.clock.advance(600_000)
    expect(await entriesOf(harness, 'tool-call-settled')).toEqual([])
    await answer(harness, { content: { colour: 'r' } })
    await harness.until('run-finished', 1)
    expect(await entriesOf(harness, 'tool-call-settled')).toMatchObject([{ outcome: 'ok' }])
  })

  it('[TOOL11] a stop calls it off, and an answer that comes later changes nothing', async () => {
    const harness = await open(asker(askOnce))
    await harness.stop('stop-1')
    await harness.until('run-finished', 1)
    expect(await entriesOf(harness, 'question-settled')).toMatchObject([{ outcome: 'cancelled', by: 'stop' }])
    const types = await harness.types()
    expect(types.indexOf('question-settled')).toBeLessThan(types.indexOf('tool-call-settled'))
    expect(await answer(harness, { content: { colour: 'g' } })).toEqual({ accepted: false })
  })

  it('[TOOL11] after a restart its call is gone: the question ends with it and says so', async () => {
    const harness = await open(asker(askOnce))
    const restarted = await harness.restart([])
    await restarted.clock.advance(60_000)
    await restarted.engine.recover()
    await restarted.until('run-finished', 1)
    expect(await entriesOf(restarted, 'question-settled')).toMatchObject([{ outcome: 'cancelled', by: 'recovery' }])
    expect(await entriesOf(restarted, 'tool-call-settled')).toMatchObject([{ outcome: 'unknown' }])
    expect(await answer(restarted, { content: { colour: 'g' } })).toEqual({ accepted: false })
  })

  it('[TOOL11] is answered on any replica', async () => {
    const harness = await open(asker(askOnce))
    await answer(harness.beside([]), { content: { colour: 'r' } })
    await vi.waitFor(async () => {
      await harness.clock.advance(500)
      expect(await harness.types()).toContain('run-finished')
    })
    expect(JSON.stringify(await entriesOf(harness, 'tool-call-settled'))).toContain('colour')
  })

  it('[TOOL11] one that its call does not wait for ends with the call, in one append', async () => {
    const goOn = Promise.withResolvers<void>()
    const harness = await open(
      asker(async ({ person, signal }) => {
        void person?.ask(question, { signal })
        await goOn.promise
      }),
    )
    goOn.resolve()
    await harness.until('run-finished', 1)
    const log = await harness.log()
    const settled = log.find((entry) => entry.type === 'question-settled')
    expect(settled).toMatchObject({ outcome: 'cancelled', by: 'call' })
    expect(log.find((entry) => entry.type === 'tool-call-settled')?.seq).toBe((settled?.seq ?? 0) + 1)
  })

  it('[TOOL11] a call that asks a thousand times puts three at once before the person', async () => {
    const told: unknown[] = []
    const harness = await open(
      asker(async ({ person, signal }) => {
        if (!person) return
        const all = Array.from({ length: 1_000 }, () => person.ask(question, { signal }))
        for (const one of all) void one.then((reply) => told.push(reply))
        await Promise.all(all)
      }),
    )
    await vi.waitFor(() => expect(told).toHaveLength(997))
    expect(await entriesOf(harness, 'question-asked')).toHaveLength(3)
    expect(told.filter((one) => JSON.stringify(one).includes('at a time'))).toHaveLength(17)
    await harness.stop('stop-1')
    await harness.until('run-finished', 1)
    expect(await entriesOf(harness, 'question-settled')).toHaveLength(3)
  })

  it('[TOOL11] one that whoever asks takes back is called off, and its call goes on', async () => {
    const takenBack = new AbortController()
    const harness = await open(
      asker(async ({ person, signal }) => {
        const first = await person?.ask(question, { signal: takenBack.signal })
        return [first, await person?.ask(question, { signal })]
      }),
    )
    takenBack.abort()
    await harness.until('question-asked', 2)
    expect(await entriesOf(harness, 'question-settled')).toMatchObject([{ outcome: 'cancelled', by: 'call' }])
    await harness.stop('stop-1')
    await harness.until('run-finished', 1)
  })

  it('[PERM6] asks nobody in a run that nobody attends', async () => {
    const harness = await openHarness([paints, says('Done')], [asker(askOnce)])
    await harness.engine.sendMessage({
      commandId: 'send-1',
      actor: { type: 'schedule', scheduleId: 's' },
      conversationId: harness.conversationId,
      content: [{ type: 'text', text: 'Paint' }],
      lane: 'turn',
      origin: 'schedule',
    })
    await harness.until('run-finished', 1)
    expect(await entriesOf(harness, 'question-asked')).toEqual([])
    expect(JSON.stringify(await entriesOf(harness, 'tool-call-settled'))).toContain('Nobody is there')
  })
})
