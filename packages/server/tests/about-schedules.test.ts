import { readOverview } from '@holdfast/engine'
import { says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { ruleInWords } from '../src/schedules/told/rule-in-words.ts'
import { USER, wantedBy } from './support/schedule-bench.ts'
import { MINUTE, settle, scheduleWorld as world } from './support/schedule-world.ts'

const HOURLY = wantedBy({ type: 'cron', expression: '0 * * * *' })

async function open() {
  const all = world([says('Done.'), says('Done.')])
  const { schedules, engine } = all.process()
  await schedules.scheduler.start()
  const { conversationId } = await engine.createConversation({
    commandId: 'create',
    actor: { type: 'person', userId: USER },
    ownerId: USER,
    title: null,
    modelId: null,
  })
  const about = (scheduleId: string | null = null, userId = USER) =>
    schedules.about(userId, { conversationId, scheduleId })
  return { ...all, schedules, conversationId, about }
}

describe('what concerns a conversation', () => {
  it('[SCHED52] are its owner’s schedules that answer in it, that began it or that wait for an answer in it', async () => {
    const { schedules, conversationId, about } = await open()
    await schedules.create(USER, { ...HOURLY, name: 'Here', target: conversationId })
    const begun = await schedules.create(USER, { ...HOURLY, name: 'Anew' })
    await schedules.create(USER, { ...wantedBy({ type: 'after-conversation', conversationId }), name: 'After' })
    expect(about()).toMatchObject({
      shown: [
        { name: 'After', when: 'once, after the next answer in this conversation', nextAt: null, ties: ['waits'] },
        { name: 'Here', when: 'every hour at minute 0 (UTC)', text: 'Ring the bells', ties: ['answers'] },
      ],
      restCount: 0,
    })
    expect(about(begun.id).shown.map(({ name, ties }) => [name, ties])).toEqual([
      ['After', ['waits']],
      ['Anew', ['began']],
      ['Here', ['answers']],
    ])
    expect(about(begun.id, 'user_2')).toEqual({ shown: [], restCount: 0 })
    await schedules.change(USER, begun.id, { target: conversationId })
    expect(about(begun.id).shown.find(({ name }) => name === 'Anew')?.ties).toEqual(['answers', 'began'])
    await schedules.change(USER, begun.id, { target: 'new' })
    expect(about().shown.map(({ name }) => name)).toEqual(['After', 'Here'])
    for (const { id } of schedules.rows(USER)) await schedules.remove(USER, id)
    expect(about(begun.id)).toEqual({ shown: [], restCount: 0 })
  })

  it('[SCHED52] says when the next run is, what is paused, and what is over', async () => {
    const { schedules, conversationId, about, clock } = await open()
    const here = { target: conversationId }
    const { id } = await schedules.create(USER, { ...HOURLY, ...here, name: 'Hourly' })
    const at = new Date(clock.now() + 10 * MINUTE).toISOString()
    await schedules.create(USER, { ...wantedBy({ type: 'once', at }), ...here, name: 'Once', overlap: 'parallel' })
    const seen = () => about().shown.map(({ name, standing, nextAt }) => [name, standing, nextAt])
    const nextHour = schedules.read(USER, id).nextAt
    expect(seen()).toEqual([
      ['Hourly', 'on', nextHour],
      ['Once', 'on', clock.now() + 10 * MINUTE],
    ])
    await clock.advance(10 * MINUTE)
    await settle(clock)
    await schedules.change(USER, id, { isOn: false })
    expect(seen()).toEqual([
      ['Once', 'over', null],
      ['Hourly', 'paused', null],
    ])
    await schedules.update(USER, id, (value) => ({ ...value, pausedReason: 'It failed 3 times in a row' }))
    expect(seen().at(-1)).toEqual(['Hourly', 'paused-itself', null])
  })

  it('[SCHED52] looks at twenty and counts the rest, and reads nothing', async () => {
    const { schedules, conversationId, about } = await open()
    for (let at = 0; at < 25; at++)
      await schedules.create(USER, { ...HOURLY, name: `Bell ${at + 10}`, target: conversationId })
    const { shown, restCount } = about()
    expect([shown.length, restCount, shown[0]?.name]).toEqual([20, 5, 'Bell 10'])
  })

  it('[SCHED52] a run that begins a conversation is known in it by its schedule', async () => {
    const { schedules, clock, memory } = await open()
    const { id } = await schedules.create(USER, HOURLY)
    await clock.advance(60 * MINUTE)
    await settle(clock)
    const [{ conversationId } = { conversationId: '' }] = schedules.rows(USER).flatMap(({ last }) => last ?? [])
    const { entries } = await memory.store.read({ conversationId: conversationId ?? '', after: 0, limit: 1 })
    expect(entries[0]?.actor).toEqual({ type: 'schedule', scheduleId: id })
    expect((await readOverview(memory.store, conversationId ?? '')).state.scheduleId).toBe(id)
  })
})

describe('a rule in words', () => {
  const words = (rule: Parameters<typeof ruleInWords>[0]) =>
    ruleInWords(rule, { conversationId: 'c1', nameOf: (id) => (id === 's1' ? 'Bells' : null) })

  it.each([
    [{ type: 'cron', expression: '5 * * * *' }, 'every hour at minute 5'],
    [{ type: 'cron', expression: '30 2 * * MON-FRI' }, 'Monday to Friday at 02:30'],
    [{ type: 'cron', expression: '0 9 * * *' }, 'every day at 09:00'],
    [{ type: 'cron', expression: '0 9 L * *' }, 'by cron 0 9 L * *'],
    [{ type: 'rrule', text: 'FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=9;BYMINUTE=5' }, 'every week on Monday, Friday at 09:05'],
    [{ type: 'rrule', text: 'FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0' }, 'every month on day 1 at 09:00'],
    [{ type: 'rrule', text: 'FREQ=YEARLY' }, 'by FREQ=YEARLY'],
    [{ type: 'once', at: '2026-03-29T02:30' }, 'once at 2026-03-29 02:30'],
    [{ type: 'hook' }, 'when a signed call comes'],
    [{ type: 'after-schedule', scheduleId: 's1' }, 'after each run of "Bells"'],
    [{ type: 'after-schedule', scheduleId: 's2' }, 'after another schedule, which is gone'],
    [{ type: 'after-conversation', conversationId: 'c2' }, 'once, after the next answer in another conversation'],
    [{ type: 'folder', path: '' }, 'when files change in "." of its workspace'],
  ] as const)('[SCHED52] %j', (rule, expected) => {
    expect(words(rule)).toBe(expected)
  })
})
