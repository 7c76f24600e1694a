import type { Entry, EntryLog } from '@holdfast/conversation'
import { createInProcessBus } from '@holdfast/engine'
import { type ScriptLine, says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { createDesks } from '../src/parts/desks.ts'
import { createClaims } from '../src/schedules/claims.ts'
import { lineOf, withNews } from '../src/schedules/occurrence-lines.ts'
import { outcomeOf } from '../src/schedules/occurrence-outcome.ts'
import { readInbox } from '../src/schedules/read-inbox.ts'
import { realIds, sha256 } from './support/real-ports.ts'
import { scheduleParts, storedSchedule, USER, wantedBy } from './support/schedule-bench.ts'
import { MINUTE, settle, scheduleWorld as world } from './support/schedule-world.ts'

function wanted(expression: string) {
  return wantedBy({ type: 'cron', expression })
}

describe('what runs are made with', () => {
  it('[SCHED25] is refused by the name of its field where it is not there, when it is made and when it is changed', async () => {
    const { process, inputs, clock } = world([says('Done.')])
    const agent = { agentId: 'agent_1', name: 'One', settings: {}, version: 1, avatar: null, origin: 'own' as const }
    const { schedules } = process(undefined, {
      madeWith: {
        agents: { find: async ({ agentId }) => (agentId === 'agent_1' ? { ...agent, sharedBy: null } : null) },
        presets: { find: async ({ presetId }) => (presetId === 'code' ? { presetId, name: 'C', settings: {} } : null) },
        hasWorkspace: ({ workspaceId }) => workspaceId === 'here',
      },
    })
    const known = { modelId: 'scripted', agentId: 'agent_1', workspaceId: 'here', presetId: 'code' }
    const { id } = await schedules.create(USER, { ...wanted('0 * * * *'), ...known })
    const unknown = [
      ['modelId', 'unknown-model'],
      ['agentId', 'unknown-agent'],
      ['workspaceId', 'unknown-workspace'],
      ['presetId', 'unknown-preset'],
    ] as const
    for (const [field, code] of unknown) {
      const refusal = {
        status: 422,
        code,
        message: expect.stringMatching(new RegExp(`^${field}: There is no .* nope`)),
      }
      await expect(schedules.create(USER, { ...wanted('0 * * * *'), [field]: 'nope' })).rejects.toMatchObject(refusal)
      await expect(schedules.change(USER, id, { [field]: 'nope' })).rejects.toMatchObject(refusal)
    }
    expect(schedules.rows(USER)).toMatchObject([known])
    // What is taken away, and what stays, is not looked for.
    expect(await schedules.change(USER, id, { agentId: null, presetId: null, name: 'Other' })).not.toHaveProperty(
      'agentId',
    )
    await clock.advance(0)
    expect(await inputs()).toEqual([])
  })
})

describe('schedules', () => {
  it('[SCHED1] runs once in a conversation of its own, and says in the history what became of it', async () => {
    const { clock, process, inputs, faults } = world([says('Done.')])
    const { schedules } = process()
    await schedules.scheduler.start()
    const { id } = await schedules.create(USER, wanted('*/10 * * * *'))
    await clock.advance(10 * MINUTE)
    await settle(clock)
    expect(await inputs()).toMatchObject([
      { origin: 'schedule', actor: { type: 'schedule', scheduleId: id }, schedule: { plannedAt: 10 * MINUTE } },
    ])
    expect(await schedules.history(USER, id)).toMatchObject([
      { plannedAt: 10 * MINUTE, state: 'succeeded', cause: 'clock' },
    ])
    expect(faults).toEqual([])
    await schedules.scheduler.close()
  })

  it('[SCHED1] runs each occurrence once where several processes see that it is due', async () => {
    const { clock, process, inputs, faults } = world([says('Done.')])
    const processes = [process(), process(), process()]
    const [first] = processes
    for (const { schedules } of processes) await schedules.scheduler.start()
    for (let number = 0; number < 20; number++) await first?.schedules.create(USER, wanted('0 * * * *'))
    for (const { schedules } of processes) await schedules.scheduler.refresh()
    await clock.advance(60 * MINUTE)
    await settle(clock)
    expect(await inputs()).toHaveLength(20)
    expect(faults).toEqual([])
    for (const { schedules } of processes) await schedules.scheduler.close()
  })

  it('[SCHED7] counts what was missed anew where who had written it died, and more has passed since', async () => {
    const { clock, memory, process } = world([])
    const { engine, schedules } = process()
    const { records } = memory
    const claims = createClaims({ stored: schedules.scheduler.stored, records, engine, clock, ids: realIds, sha256 })
    const { id } = await schedules.create(USER, wanted('0 * * * *'))
    const missed = (count: number) => [
      lineOf({ plannedAt: 60 * MINUTE, state: 'missed', reason: `${count} runs`, cause: 'clock' }),
    ]
    for (const count of [2, 3]) await claims.note(id, missed(count))
    expect(await schedules.history(USER, id)).toMatchObject([{ state: 'missed', reason: '3 runs' }])
  })

  it('[SCHED31] leaves no line where another decided first, and writes the one that a process which died had left', async () => {
    const { clock, memory, process } = world([])
    const { engine, schedules } = process()
    const { stored } = schedules.scheduler
    const claims = createClaims({ stored, records: memory.records, engine, clock, ids: realIds, sha256 })
    const { id } = await schedules.create(USER, wanted('0 * * * *'))
    const before = stored.get(id)
    if (!before) throw new Error('It was just made')
    const line = lineOf({ plannedAt: 60 * MINUTE, state: 'skipped', reason: 'It was busy', cause: 'clock' })
    await schedules.update(USER, id, (value) => value)
    await expect(claims.write(before, before.value, [line])).rejects.toMatchObject({ name: 'RevisionConflictError' })
    expect(await schedules.history(USER, id)).toEqual([])
    await schedules.update(USER, id, (value) => ({ ...value, cursor: 60 * MINUTE, news: [line], last: line }))
    expect(await schedules.history(USER, id)).toEqual([])
    const other = process()
    await other.schedules.scheduler.start()
    await settle(clock)
    expect(await schedules.history(USER, id)).toMatchObject([{ state: 'skipped', reason: 'It was busy' }])
    await other.schedules.scheduler.close()
  })

  it('[SCHED44] lets go of what went well first where more is told than fits', () => {
    const told = (plannedAt: number, state: 'succeeded' | 'denied') =>
      lineOf({ plannedAt, state, reason: null, cause: 'clock' })
    const lines = [told(1, 'denied'), ...Array.from({ length: 30 }, (_, at) => told(at + 2, 'succeeded'))]
    const { news, moreNews } = lines.reduce(withNews, storedSchedule(0))
    expect(news[0]).toMatchObject({ plannedAt: 1, state: 'denied' })
    expect(news.at(-1)).toMatchObject({ plannedAt: 31 })
    expect([news.length, moreNews]).toEqual([20, 11])
  })

  it('[SCHED9] goes on with a run whose process died between the claim and its beginning, and repeats nothing', async () => {
    const { clock, process, inputs, memory } = world([says('Done.')])
    const dying = process()
    const { id } = await dying.schedules.create(USER, wanted('0 * * * *'))
    // It admits, and dies before the engine begins: nobody is told.
    const { engine } = dying
    const parts = scheduleParts({
      store: memory.store,
      records: memory.records,
      bus: createInProcessBus(),
      engine: { ...engine, resume: () => Promise.resolve() },
      clock,
      onFault: () => {},
    })
    await engine.drain()
    await parts.scheduler.start()
    await clock.advance(60 * MINUTE)
    await settle(clock)
    await parts.scheduler.close()
    expect(await inputs()).toHaveLength(1)
    const next = process()
    await next.schedules.scheduler.start()
    await settle(clock)
    await clock.advance(MINUTE)
    await settle(clock)
    expect(await inputs()).toHaveLength(1)
    expect(await next.schedules.history(USER, id)).toMatchObject([{ state: 'succeeded' }])
    await next.schedules.scheduler.close()
  })

  it('[SCHED10, SCHED14] denies what would ask, names it in the history, and lets it run once it is allowed there', async () => {
    const call: readonly ScriptLine[] = [
      { type: 'block-started', block: 0, start: { type: 'tool-call', callId: 'call_1', name: 'ring' } },
      { type: 'block-delta', block: 0, text: '{"bell":"big"}' },
      { type: 'block-ended', block: 0 },
      { type: 'finish', finish: 'tool-calls' },
    ]
    const { clock, process } = world([call, says('It was denied.'), call, says('It rang.')])
    const { schedules } = process()
    await schedules.scheduler.start()
    const { id } = await schedules.create(USER, wanted('0 * * * *'))
    await clock.advance(60 * MINUTE)
    await settle(clock)
    const [denied] = await schedules.history(USER, id)
    expect(denied).toMatchObject({ state: 'denied', denied: [{ tool: 'ring', pattern: '={"bell":"big"}' }] })
    await schedules.change(USER, id, { unattended: 'allow-list', rules: denied?.denied ?? [] })
    await clock.advance(60 * MINUTE)
    await settle(clock)
    expect(await schedules.history(USER, id)).toMatchObject([{ state: 'succeeded' }, { state: 'denied' }])
    await schedules.scheduler.close()
  })

  it('[SCHED11] pauses itself after three failures in a row, and says why', async () => {
    const { clock, process } = world([says('Done.')])
    // It is there when the schedule is made, and gone when it runs.
    const gone = { agentId: 'agent_gone', name: 'Gone', settings: {}, version: 1, avatar: null }
    const offered = { ...gone, origin: 'own' as const, sharedBy: null }
    const { schedules } = process(undefined, { madeWith: { agents: { find: () => Promise.resolve(offered) } } })
    await schedules.scheduler.start()
    const { id } = await schedules.create(USER, { ...wanted('0 * * * *'), agentId: 'agent_gone' })
    for (let hour = 0; hour < 5; hour++) {
      await clock.advance(60 * MINUTE)
      await settle(clock)
    }
    expect(await schedules.history(USER, id)).toHaveLength(3)
    expect(schedules.read(USER, id)).toMatchObject({ isOn: false, failuresInRow: 3, nextAt: null })
    expect(schedules.read(USER, id).pausedReason).toContain('There is no agent agent_gone')
    await schedules.scheduler.close()
  })

  it('[SCHED35] a used-up budget of a day is no failure and leaves the schedule on; one of the run is', async () => {
    const outcome = async (period: 'run' | 'day' | 'month') => {
      const budget = { limitUsd: 0.05, period }
      const schedule = { scheduleId: 's', plannedAt: 1, unattended: 'deny', rules: [], budget }
      const entries = [
        { type: 'input-admitted', inputId: 'i', schedule },
        { type: 'user-message-sent', inputId: 'i', runId: 'r' },
        { type: 'run-finished', runId: 'r', outcome: 'limit', reason: 'It does not reach', limit: 'schedule-budget' },
      ] as unknown as readonly Entry[]
      const log = { read: () => Promise.resolve({ entries, head: 3 }) } as unknown as Pick<EntryLog, 'read'>
      return await outcomeOf(log, { conversationId: 'c', inputId: 'i' })
    }
    expect(await outcome('day')).toMatchObject({ state: 'failed', reason: 'It does not reach', isFailure: false })
    expect(await outcome('month')).toMatchObject({ isFailure: false })
    expect(await outcome('run')).toMatchObject({ isFailure: true })
  })

  it('[SCHED8] makes up for two missed runs of one person at a time, and for the others when those have ended', async () => {
    const { clock, process, inputs, model } = world([[{ type: 'wait' }, ...says('Done.')]])
    const { schedules } = process()
    for (let number = 0; number < 5; number++) await schedules.create(USER, wanted('0 0 * * *'))
    await clock.advance(24 * 60 * MINUTE + 30 * MINUTE)
    await schedules.scheduler.start()
    for (const asked of [2, 4, 5]) {
      await settle(clock)
      await clock.advance(20_000)
      await settle(clock)
      expect(await inputs()).toHaveLength(asked)
      model.proceed()
    }
    await schedules.scheduler.close()
  })

  it('[SCHED8] makes up for all that was missed, also where each of several processes waited for the runs of the others', async () => {
    const { clock, process, inputs, model } = world([[{ type: 'wait' }, ...says('Done.')]])
    const processes = [0.2, 0.5, 0.9].map((begins) => process(undefined, { begins }))
    const [first] = processes
    for (let number = 0; number < 12; number++) await first?.schedules.create(USER, wanted('0 0 * * *'))
    await clock.advance(24 * 60 * MINUTE + 30 * MINUTE)
    const everywhere = async (act: (one: (typeof processes)[number]) => Promise<void>) => {
      for (const one of processes) await act(one)
      await settle(clock)
    }
    // None knows of the runs of the others yet: each begins two.
    await Promise.all(processes.map(({ schedules }) => schedules.scheduler.start()))
    await settle(clock)
    await everywhere(({ schedules }) => schedules.scheduler.refresh())
    for (let round = 0; round < 20 && (await inputs()).length < 12; round++) {
      model.proceed()
      await settle(clock)
      await everywhere(({ schedules }) => schedules.scheduler.refresh())
      await clock.advance(15_000)
      await settle(clock)
    }
    expect(await inputs()).toHaveLength(12)
    await everywhere(({ schedules }) => schedules.scheduler.close())
  })

  it('[SCHED12] run now runs beside the rule and uses nothing of it up', async () => {
    const { clock, process } = world([says('Done.')])
    const { schedules } = process()
    await schedules.scheduler.start()
    const { id, nextAt } = await schedules.create(USER, wanted('0 * * * *'))
    await schedules.run(USER, id)
    await settle(clock)
    expect(schedules.read(USER, id).nextAt).toBe(nextAt)
    expect(await schedules.history(USER, id)).toMatchObject([{ cause: 'person', state: 'succeeded' }])
    await schedules.scheduler.close()
  })

  it('[SCHED8, SCHED12] run now begins one run when it is pressed twice', async () => {
    const { clock, process, inputs } = world([[{ type: 'wait' }, ...says('Done.')]])
    const { schedules } = process()
    await schedules.scheduler.start()
    const { id } = await schedules.create(USER, wanted('0 * * * *'))
    await schedules.run(USER, id)
    await clock.advance(9)
    await expect(schedules.run(USER, id)).rejects.toThrow('is open: wait for its end')
    await settle(clock)
    expect(await inputs()).toHaveLength(1)
    await schedules.scheduler.close()
  })

  it('[SCHED2] keeps what ended until its owner has acknowledged it, also over a restart', async () => {
    const { clock, process } = world([says('Done.')])
    const first = process()
    await first.schedules.scheduler.start()
    const { id } = await first.schedules.create(USER, wanted('0 * * * *'))
    await clock.advance(60 * MINUTE)
    await settle(clock)
    await first.schedules.scheduler.close()
    const { schedules } = process()
    await schedules.scheduler.start()
    expect(schedules.record(USER, id).value.news).toMatchObject([{ plannedAt: 60 * MINUTE, state: 'succeeded' }])
    await schedules.update(USER, id, (value) => ({ ...value, news: [] }))
    expect(schedules.record(USER, id).value.news).toEqual([])
    await schedules.scheduler.close()
  })

  it('[SCHED18] lists what waits for a person and what ended, for its owner alone', async () => {
    const call: readonly ScriptLine[] = [
      { type: 'block-started', block: 0, start: { type: 'tool-call', callId: 'call_1', name: 'ring' } },
      { type: 'block-delta', block: 0, text: '{"bell":"big"}' },
      { type: 'block-ended', block: 0 },
      { type: 'finish', finish: 'tool-calls' },
    ]
    const { clock, memory, process } = world([call, says('Done.')])
    const { engine, schedules } = process()
    await schedules.scheduler.start()
    const actor = { type: 'person', userId: USER } as const
    const begun = { commandId: 'begin', actor, ownerId: USER, title: 'Bells', modelId: null }
    const { conversationId } = await engine.createConversation(begun)
    const content = [{ type: 'text' as const, text: 'Ring' }]
    await engine.sendMessage({ commandId: 'send', actor, conversationId, content, lane: 'turn' })
    await settle(clock)
    const { id } = await schedules.create(USER, wanted('0 * * * *'))
    await clock.advance(60 * MINUTE)
    await settle(clock)
    const deps = { store: memory.store, desks: createDesks(memory.records, clock), schedules, clock }
    expect(await readInbox(deps, USER)).toMatchObject([
      { kind: 'permission', conversationId, title: 'Bells', request: { tool: 'ring', input: '{"bell":"big"}' } },
      { kind: 'schedule-finished', scheduleId: id, title: 'Bells' },
    ])
    expect(await readInbox(deps, 'user_2')).toEqual([])
    await schedules.scheduler.close()
  })

  it('[SCHED13] has no timer where nothing is planned', async () => {
    const { clock, process } = world([says('Done.')])
    const { schedules } = process()
    await schedules.scheduler.start()
    await settle(clock)
    expect(clock.waitingCount()).toBe(0)
    const { id } = await schedules.create(USER, wanted('0 * * * *'))
    expect(clock.waitingCount()).toBe(1)
    await schedules.change(USER, id, { isOn: false })
    expect(clock.waitingCount()).toBe(0)
    await schedules.scheduler.close()
  })
})
