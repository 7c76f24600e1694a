import { type Append, type Clock, StoreWriteError } from '@holdfast/conversation'
import {
  conversationCreated,
  createSeededRandom,
  describeEntryStore,
  describeRecords,
  inputAdmitted,
  logOf,
  type OpenStore,
} from '@holdfast/conversation/testing'
import {
  createDriverHistory,
  createSimulatedStore,
  FAILPOINTS,
  type Failures,
  failOnce,
  noFailures,
  type PlantedDefect,
  type SimulatedStore,
} from '@holdfast/store/testing'
import { describe, expect, it } from 'vitest'
import { createManualClock } from './support/manual-clock.ts'
import { type SimulatedRun, simulate } from './support/simulated-driver.ts'

/** Time stands still for leases, and what waits is called in the next turn. */
const hurriedClock: Clock = {
  now: () => 1_000,
  monotonicMs: () => 0,
  after(_, run) {
    const turn = setImmediate(run)
    return () => clearImmediate(turn)
  },
}

function opened(simulated: SimulatedStore): OpenStore {
  return {
    store: simulated.store,
    records: simulated.records,
    reopen: async () => {
      await simulated.store.close()
      return opened(simulated.restart())
    },
    dispose: () => simulated.store.close(),
  }
}

const harness = {
  open: async () =>
    opened(createSimulatedStore({ clock: hurriedClock, random: createSeededRandom(1), failures: noFailures })),
}

describeEntryStore('simulated', harness)
describeRecords('simulated', harness)

const first: Append = { conversationId: 'a', after: 0, entries: [conversationCreated('user_1')], at: 1_000 }

function started(failures: Failures) {
  const clock = createManualClock()
  return { clock, simulated: createSimulatedStore({ clock, random: createSeededRandom(7), failures }) }
}

function headOf({ store }: SimulatedStore): Promise<number> {
  return store.read({ conversationId: 'a', after: 0, limit: 1 }).then(({ head }) => head)
}

describe('the simulated store', () => {
  it('[LOG8] acknowledges and shows nothing before it is synced', async () => {
    const { clock, simulated } = started(noFailures)
    let acknowledged = false
    const appending = simulated.store.append(first).then(() => {
      acknowledged = true
    })
    await clock.advance(4)
    expect([acknowledged, await headOf(simulated)]).toEqual([false, 0])
    await clock.advance(1)
    await appending
    expect([acknowledged, await headOf(simulated)]).toEqual([true, 1])
  })

  it('[LOG8] refuses what is in flight when it crashes, and has all that it acknowledged afterwards', async () => {
    const { clock, simulated } = started(noFailures)
    const appending = simulated.store.append(first)
    await clock.advance(10)
    await appending
    const late = simulated.store.append({ ...first, after: 1, entries: [inputAdmitted('input_1', 'late')] })
    const refused = expect(late).rejects.toThrow(StoreWriteError)
    await clock.advance(1)
    simulated.crash()
    await refused
    await expect(headOf(simulated)).rejects.toThrow('restart()')
    const again = simulated.restart()
    expect(await headOf(again)).toBeGreaterThanOrEqual(1)
    expect(again.faults().crashes).toBe(1)
  })

  it('[SCALE1] counts the life of a replica from when it beat, and not from when that is synced', async () => {
    const { clock, simulated } = started(noFailures)
    const self = { replicaId: 'replica_1', host: 'machine', pid: 1, version: '1.0.0', url: null }
    const beating = simulated.replicas.beat({ ...self, ttlMs: 3_000 })
    await clock.advance(10)
    await beating
    expect(simulated.durable.replica('replica_1')).toMatchObject({ beatAt: 1_000, expiresAt: 4_000 })
  })

  it('[LOG3] keeps only a beginning of an unsynced group, and whole appends of it', async () => {
    const heads = new Set<number>()
    for (let seed = 0; seed < 40; seed++) {
      const clock = createManualClock()
      const simulated = createSimulatedStore({ clock, random: createSeededRandom(seed), failures: noFailures })
      const group = [0, 3, 6].map((after) => {
        const inputs = [1, 2, 3].map((part) => inputAdmitted(`input_${after}_${part}`, 'words'))
        const entries = after === 0 ? [conversationCreated('user_1'), ...inputs.slice(1)] : inputs
        return simulated.store.append({ conversationId: 'a', after, entries, at: 1_000 })
      })
      await clock.advance(1)
      simulated.crash()
      await Promise.allSettled(group)
      const again = simulated.restart()
      heads.add(await headOf(again))
      expect(again.faults().lostWrites).toBe(3 - (await headOf(again)) / 3)
    }
    expect([...heads].sort()).toEqual([0, 3, 6, 9])
  })

  it('[LOG8] is stored once or not at all wherever its write is refused, waits or crashes', async () => {
    for (const failpoint of FAILPOINTS) {
      for (const failure of [
        { type: 'refuse', code: 'disk-full' },
        { type: 'wait', delayMs: 50 },
        { type: 'crash' },
      ] as const) {
        const { clock, simulated } = started(failOnce({ failpoint, operation: 1 }, failure))
        const history = createDriverHistory()
        const command = { commandId: 'command_1', fingerprint: 'f' }
        const appending = history.append(simulated.store, { ...first, command })
        const outcome = appending.then(
          () => 'acknowledged',
          (error: unknown) => error,
        )
        await clock.advance(100)
        if (failpoint === 'before-read' || failure.type === 'wait') expect(await outcome).toBe('acknowledged')
        else expect(await outcome).toBeInstanceOf(StoreWriteError)
        const again = simulated.restart()
        const retry = history.append(again.store, { ...first, command })
        await clock.advance(100)
        expect((await retry).entries).toHaveLength(1)
        const { lost, doubled, torn, gaps } = await history.check(again.store)
        expect([lost, doubled, torn, gaps], `${failure.type} ${failpoint}`).toEqual([[], [], [], []])
      }
    }
  })

  it('[LOG8] names the reason of a refusal, and works again without a restart', async () => {
    const { clock, simulated } = started(
      failOnce({ failpoint: 'before-write', operation: 1 }, { type: 'refuse', code: 'disk-full' }),
    )
    const refused = expect(simulated.store.append(first)).rejects.toMatchObject({ code: 'disk-full' })
    await clock.advance(10)
    await refused
    const retry = simulated.store.append(first)
    await clock.advance(10)
    expect((await retry).entries).toHaveLength(1)
    expect(simulated.faults()).toMatchObject({ refused: 1, crashes: 0 })
  })
})

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1)

function runs(defect: PlantedDefect | null): Promise<SimulatedRun[]> {
  return Promise.all(SEEDS.map((seed) => simulate({ seed, steps: 150, faultRate: 0.03, defect })))
}

describe('random work on the simulated store', () => {
  it('[LOG2, LOG3, LOG4, LOG8] loses nothing acknowledged and does nothing twice, whatever fails', async () => {
    const faults = { refused: 0, delayed: 0, crashes: 0, lossyCrashes: 0, tornTails: 0 }
    for (const [index, run] of (await runs(null)).entries()) {
      const { acknowledged: _, attempted: __, ...wrong } = run.report
      const none = { lost: [], doubled: [], torn: [], gaps: [], contradicted: [] }
      expect({ ...wrong, surprises: run.surprises }, `seed ${SEEDS[index]}`).toEqual({ ...none, surprises: [] })
      expect(run.report.acknowledged).toBeGreaterThan(50)
      for (const epochs of Object.values(run.epochs)) expect(new Set(epochs).size).toBe(epochs.length)
      for (const kind of ['refused', 'delayed', 'crashes', 'lossyCrashes', 'tornTails'] as const)
        faults[kind] += run.faults[kind]
    }
    for (const count of Object.values(faults)) expect(count).toBeGreaterThan(20)
  })

  it('[LOG8] finds a store that acknowledges before it syncs', async () => {
    const found = await runs('acknowledges-before-sync')
    expect(found.filter(({ report }) => report.lost.length > 0).length).toBeGreaterThan(20)
  })

  it('[LOG4] finds a store that forgets its commands in a restart', async () => {
    const found = await runs('remembers-commands-in-memory')
    expect(found.filter(({ report }) => report.doubled.length > 0).length).toBeGreaterThan(20)
  })

  it('[LOG8] finds a store that acknowledges what it never wrote', async () => {
    const found = await runs('acknowledges-without-writing')
    expect(found.filter(({ report }) => report.lost.length > 0).length).toBeGreaterThan(20)
  })
})

describe('the driver’s history', () => {
  const inputs = [inputAdmitted('input_1', 'one'), inputAdmitted('input_2', 'two')]
  const log = logOf('a', [conversationCreated('user_1'), ...inputs])
  const holding = (entries: typeof log) => ({
    read: async ({ after = 0 }: { after?: number }) => ({
      entries: entries.filter(({ seq }) => seq > after),
      head: entries.length,
    }),
  })
  const told = async () => {
    const history = createDriverHistory()
    const answering = { append: async () => ({ entries: log, repeated: false }) }
    const silent = { append: () => Promise.reject(new Error('No answer')) }
    await history.append(answering, {
      conversationId: 'a',
      after: 0,
      entries: [conversationCreated('user_1'), ...inputs],
      at: 1,
    })
    const unanswered = [inputAdmitted('input_3', 'three'), inputAdmitted('input_4', 'four')]
    await history.append(silent, { conversationId: 'a', after: 3, entries: unanswered, at: 1 }).catch(() => undefined)
    return history
  }
  const unanswered = logOf('a', [...log, inputAdmitted('input_3', 'three'), inputAdmitted('input_4', 'four')])

  it('[LOG1] finds nothing wrong with a log that holds what was acknowledged, and more or not', async () => {
    const history = await told()
    const right = { acknowledged: 3, attempted: 5, lost: [], doubled: [], torn: [], gaps: [], contradicted: [] }
    expect(await history.check(holding(log))).toEqual(right)
    expect(await history.check(holding([...log, ...unanswered.slice(3)]))).toEqual(right)
  })

  it('[LOG1] finds what is lost, changed, doubled, torn or missing in between', async () => {
    const history = await told()
    const changed = log.map((entry) => (entry.seq === 2 ? { ...entry, at: 5 } : entry))
    expect((await history.check(holding(changed))).lost).toHaveLength(1)
    expect((await history.check(holding(log.slice(0, 2)))).lost).toHaveLength(1)
    const again = log.slice(1, 2).map((entry) => ({ ...entry, seq: 4 }))
    expect((await history.check(holding([...log, ...again]))).doubled).toHaveLength(1)
    expect((await history.check(holding([...log, ...unanswered.slice(3, 4)]))).torn).toHaveLength(1)
    const gap = unanswered.slice(3).map((entry) => ({ ...entry, seq: entry.seq + 1 }))
    expect((await history.check(holding([...log, ...gap]))).gaps).toHaveLength(2)
  })
})
