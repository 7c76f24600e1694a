import { says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { stopRuns } from '../src/schedules/stop-runs.ts'
import { realIds } from './support/real-ports.ts'
import { USER, wantedBy } from './support/schedule-bench.ts'
import { MINUTE, scheduleWorld, settle } from './support/schedule-world.ts'

const HOURLY = wantedBy({ type: 'cron', expression: '0 * * * *' })
const PERSON = { type: 'person' as const, userId: USER }

describe('two who change one schedule', () => {
  it('[SCHED37] refuses a change of what was read before another changed it, saves nothing of it, and takes one without a revision', async () => {
    const { process } = scheduleWorld([])
    const { schedules } = process()
    const { id, revision } = await schedules.create(USER, HOURLY)
    expect(revision).toBe(1)
    expect(await schedules.change(USER, id, { revision, name: 'Theirs' })).toMatchObject({ revision: 2 })
    await expect(schedules.change(USER, id, { revision, name: 'Mine' })).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      message: expect.stringContaining('Theirs was changed since it was read (revision 2, not 1)'),
    })
    expect(schedules.read(USER, id)).toMatchObject({ name: 'Theirs', revision: 2 })
    expect(await schedules.change(USER, id, { name: 'Mine' })).toMatchObject({ name: 'Mine', revision: 3 })
  })

  it('[SCHED37] refuses it also where both come at once, at two processes', async () => {
    const { process } = scheduleWorld([])
    const [one, other] = [process().schedules, process().schedules]
    const { id, revision } = await one.create(USER, HOURLY)
    await other.scheduler.refresh()
    const both = await Promise.allSettled([
      one.change(USER, id, { revision, name: 'One' }),
      other.change(USER, id, { revision, name: 'Other' }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('[SCHED37] is not in the way of pausing, and a run changes no revision', async () => {
    const { process, clock } = scheduleWorld([says('Done.')])
    const { schedules } = process()
    await schedules.scheduler.start()
    const { id, revision } = await schedules.create(USER, HOURLY)
    await clock.advance(60 * MINUTE)
    await settle(clock)
    expect(schedules.read(USER, id).last).toMatchObject({ state: 'succeeded' })
    await schedules.change(USER, id, { isOn: false })
    expect(await schedules.change(USER, id, { revision, name: 'Mine' })).toMatchObject({ revision: 2, isOn: false })
    await schedules.scheduler.close()
  })
})

describe('a run under way', () => {
  it('[SCHED38] is shown with its conversation and stopped as there; its history says who did it, and it is no failure', async () => {
    const { process, clock, memory, model } = scheduleWorld([[{ type: 'wait' }, ...says('Done.')]])
    const { schedules, engine } = process()
    await schedules.scheduler.start()
    const { id } = await schedules.create(USER, HOURLY)
    await schedules.run(USER, id)
    await settle(clock)
    expect(model.requests).toHaveLength(1)
    const { openRuns } = schedules.read(USER, id)
    expect(openRuns).toMatchObject([{ conversationId: expect.stringMatching(/^conversation_/) }])
    const deps = { store: memory.store, engine, ids: realIds }
    expect(await stopRuns(deps, schedules.record(USER, id), PERSON)).toBe(1)
    // The model does not hear of it: the run ends when the patience with a provider does.
    await clock.advance(5_000)
    await settle(clock)
    expect(schedules.read(USER, id)).toMatchObject({ openRuns: [], failuresInRow: 0 })
    expect(await schedules.history(USER, id)).toMatchObject([
      { state: 'stopped', reason: 'A person stopped it', why: { code: 'stopped' } },
    ])
    expect(await stopRuns(deps, schedules.record(USER, id), PERSON)).toBe(0)
    await schedules.scheduler.close()
  })

  it('[SCHED38] takes one out that waits behind the turn of a person, and leaves that turn alone', async () => {
    const { process, clock, memory, model } = scheduleWorld([[{ type: 'wait' }, ...says('Done.')]])
    const { schedules, engine } = process()
    await schedules.scheduler.start()
    const base = { commandId: 'c1', actor: PERSON, ownerId: USER, title: null, modelId: 'scripted' }
    const { conversationId } = await engine.createConversation(base)
    const content = [{ type: 'text' as const, text: 'Hello' }]
    await engine.sendMessage({ commandId: 'c2', actor: PERSON, conversationId, content, lane: 'turn' })
    await settle(clock)
    expect(model.requests).toHaveLength(1)
    const { id } = await schedules.create(USER, { ...HOURLY, target: conversationId })
    await schedules.run(USER, id)
    await settle(clock)
    const deps = { store: memory.store, engine, ids: realIds }
    expect(await stopRuns(deps, schedules.record(USER, id), PERSON)).toBe(1)
    model.proceed()
    await settle(clock)
    expect(await schedules.history(USER, id)).toMatchObject([
      { state: 'skipped', reason: 'A person took it out of the queue' },
    ])
    const { entries } = await memory.store.read({ conversationId, after: 0, limit: 100 })
    expect(entries.filter(({ type }) => type === 'run-finished')).toMatchObject([{ outcome: 'completed' }])
    expect(entries.some(({ type }) => type === 'stop-requested')).toBe(false)
    await schedules.scheduler.close()
  })
})

describe('a time zone', () => {
  it('[SCHED49] is kept as it is spelled, whatever case it was given in', async () => {
    const { process } = scheduleWorld([])
    const { schedules } = process()
    const wanted = wantedBy({ type: 'cron', expression: '0 9 * * *' })
    const { id, timeZone } = await schedules.create(USER, { ...wanted, timeZone: 'europe/berlin' })
    expect(timeZone).toBe('Europe/Berlin')
    expect(await schedules.change(USER, id, { timeZone: 'utc' })).toMatchObject({ timeZone: 'UTC' })
    // Another name of a zone stays the one that was chosen.
    expect(await schedules.change(USER, id, { timeZone: 'Asia/Calcutta' })).toMatchObject({ timeZone: 'Asia/Calcutta' })
  })
})
