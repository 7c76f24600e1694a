import { setTimeout as passed } from 'node:timers/promises'
import { writesOfTwo } from '@holdfast/store/testing'
import { epochMs } from '../engine/epoch-clock.ts'
import { type Benchmark, type Figure, quantile } from '../lib/measure.ts'
import { keptOf, ownedBy, wrongWith } from './checker.ts'
import { type ReplicaSet, type SetReplica, withReplicaSet } from './replica-set.ts'
import { beginTalk, type Talk } from './talk.ts'

const isFull = process.env['HOLDFAST_FULL'] === '1'
const KILLS = Number(process.env['HOLDFAST_KILLS'] ?? (isFull ? 200 : 6))
const PAUSES = Number(process.env['HOLDFAST_PAUSES'] ?? (isFull ? 100 : 4))
const REPLICAS = 3
/** In the middle of an answer, over all replicas. */
const TALKS = 9
const ANSWER = { deltas: 120, deltasPerSecond: 50 }
/** It lasts longer than another takes to have the conversation. */
const LONG_ANSWER = { deltas: 2_000, deltasPerSecond: 50 }
const LIMIT_MS = 90_000

/** What becomes of conversations whose replica is killed, or stands still and goes on. */
export const replicas: Benchmark = {
  name: 'replicas',
  about: `${REPLICAS} servers on a real PostgreSQL and Redis behind HAProxy that sends each request to any of them; ${TALKS} answers of 50 deltas/s; one of the servers is killed (${KILLS} times), or two stand still until others have what they had and go on (${PAUSES} processes). What is right is read from PostgreSQL alone, and from what readers saw`,
  async run(report) {
    const figures = await withReplicaSet({ count: REPLICAS, unchecked: false }, async (set) => [
      ...(await killed(set, report)),
      ...(await paused(set, report)),
    ])
    return [...figures, await uncheckedFigure()]
  },
}

/** What all kills gave. */
interface Killed {
  readonly ownerMs: number[]
  readonly lostMs: number[]
  readonly wrong: string[]
}

async function killed(set: ReplicaSet, report: (line: string) => void): Promise<readonly Figure[]> {
  const found: Killed = { ownerMs: [], lostMs: [], wrong: [] }
  for (let round = 0; round < KILLS; round += 1) {
    const victim = set.replicas[round % REPLICAS]
    if (!victim) throw new Error('There is one')
    await killOnce(set, { victim, afterMs: (round * 137) % 900 }, found)
    if ((round + 1) % 20 === 0)
      report(
        `${round + 1} kills: owner after ${p(found.ownerMs, 1)} ms and ${p(found.lostMs, 1)} ms lost at most, ${found.wrong.length} wrong`,
      )
  }
  for (const words of found.wrong.slice(0, 20)) report(`wrong: ${words}`)
  report(
    `${found.ownerMs.length} answers cut in ${KILLS} kills; owner p50 ${p(found.ownerMs, 0.5)} ms; lost p50 ${p(found.lostMs, 0.5)} ms, p99 ${p(found.lostMs, 0.99)} ms`,
  )
  return [
    limited('killed: another has the conversation, at most', Math.max(...found.ownerMs), { most: 5_000, unit: 'ms' }),
    limited('killed: text that was shown and is not kept, at most', Math.max(...found.lostMs), {
      most: 250,
      unit: 'ms',
    }),
    limited('killed: lost, doubled, two ends or two owners', found.wrong.length, { most: 0, unit: 'found' }),
  ]
}

const p = (values: readonly number[], share: number) => quantile(values, share).toFixed(0)

async function killOnce(
  set: ReplicaSet,
  { victim, afterMs }: { readonly victim: SetReplica; readonly afterMs: number },
  found: Killed,
): Promise<void> {
  const talks = await talkAll(set, ANSWER)
  await passed(afterMs)
  const ids = talks.map(({ id }) => id)
  const cut = await stillRunning(set, ownedBy(await set.audit.writes(ids), [victim.role]))
  const killedAt = epochMs()
  await victim.kill()
  const next = victim.start()
  await untilEnded(set, talks)
  const writes = await set.audit.writes(cut)
  const kept = await keptOf(set.audit, cut)
  // One may have ended between the look and the kill.
  for (const { id } of kept.filter(({ isCompleted }) => !isCompleted)) {
    const taken = writes.find((write) => write.type === 'lease' && write.conversationId === id && write.at > killedAt)
    found.ownerMs.push((taken?.at ?? Number.POSITIVE_INFINITY) - killedAt)
    const shown = talks.find((talk) => talk.id === id)?.shown() ?? 0
    found.lostMs.push(Math.max(0, shown - (kept.find((log) => log.id === id)?.stamp ?? 0)))
  }
  found.wrong.push(...(await wrongWith(set.audit, talks)))
  for (const talk of talks) talk.close()
  await next
}

/** Those whose end is not written yet. */
async function stillRunning(set: ReplicaSet, ids: readonly string[]): Promise<readonly string[]> {
  return (await keptOf(set.audit, ids)).filter(({ ends }) => ends.length === 0).map(({ id }) => id)
}

/** Answers that all show words. */
async function talkAll(set: ReplicaSet, size: typeof ANSWER): Promise<readonly Talk[]> {
  const talks = await Promise.all(Array.from({ length: TALKS }, () => beginTalk(set, size)))
  await until(async () => talks.every(({ shown, ends }) => shown() > 0 || ends().length > 0), 'all answers show words')
  return talks
}

/** All turns have their end in the database, and every reader has seen it. */
function untilEnded(set: ReplicaSet, talks: readonly Talk[]): Promise<void> {
  const ids = talks.map(({ id }) => id)
  return until(async () => {
    const kept = await keptOf(set.audit, ids)
    return talks.every(({ ends: seen }, index) => {
      const ends = kept[index]?.ends ?? []
      return ends.length > 0 && ends.every((end) => seen().includes(end))
    })
  }, 'all answers have ended')
}

async function paused(set: ReplicaSet, report: (line: string) => void): Promise<readonly Figure[]> {
  const wrong: string[] = []
  let fenced = 0
  for (let round = 0; round < PAUSES / 2; round += 1) {
    const victims = set.replicas.filter((_, index) => index !== round % REPLICAS)
    const late = await pauseOnce(set, victims, wrong)
    fenced += victims.length - late
    if ((round + 1) % 10 === 0) report(`${(round + 1) * 2} paused: ${fenced} fenced, ${wrong.length} wrong`)
  }
  for (const words of wrong.slice(0, 20)) report(`wrong: ${words}`)
  return [
    {
      name: 'paused: fenced',
      value: fenced,
      unit: `of ${PAUSES}`,
      baseline: null,
      ratio: null,
      goal: 'all',
      met: fenced === PAUSES,
    },
    limited('paused: lost, doubled, two ends or two owners', wrong.length, { most: 0, unit: 'found' }),
  ]
}

/** @returns how many of them wrote something of a run that others had taken. */
async function pauseOnce(set: ReplicaSet, victims: readonly SetReplica[], wrong: string[]): Promise<number> {
  const talks = await talkAll(set, ANSWER)
  const ids = talks.map(({ id }) => id)
  const roles = victims.map(({ role }) => role)
  const held = await stillRunning(set, ownedBy(await set.audit.writes(ids), roles))
  for (const victim of victims) victim.pause()
  const ended = until(async () => {
    const kept = await keptOf(set.audit, held)
    return kept.every(({ ends }) => ends.length > 0)
  }, 'others have ended what the paused had')
  await ended
  const before = await set.audit.writes(ids)
  for (const victim of victims) victim.proceed()
  await untilBeaten(set, victims.length + 1)
  await untilEnded(set, talks)
  const later = (await set.audit.writes(held)).slice(
    before.filter(({ conversationId }) => held.includes(conversationId)).length,
  )
  const late = new Set(
    later.flatMap(({ type, writer }) => (type !== 'lease' && roles.includes(writer) ? [writer] : [])),
  )
  wrong.push(...(await wrongWith(set.audit, talks)))
  for (const talk of talks) talk.close()
  return late.size
}

/** So many replicas have beaten from now on, and again: what one wrote late is written by then. */
async function untilBeaten(set: ReplicaSet, count: number): Promise<void> {
  const [asked] = await set.audit.sql('SELECT holdfast.now_ms()::float8 AS at')
  const beaten = 'SELECT count(*)::int AS count FROM holdfast.replicas WHERE beat_at > $1'
  for (const laterMs of [0, 1_000]) {
    const since = Number(asked?.['at']) + laterMs
    await until(async () => Number((await set.audit.sql(beaten, [since]))[0]?.['count']) >= count, 'all beat again')
  }
}

/** Processes that do not check epochs stand still and go on: the checker must find two owners. */
function uncheckedFigure(): Promise<Figure> {
  return withReplicaSet({ count: REPLICAS, unchecked: true }, async (set) => {
    const [victim] = set.replicas
    if (!victim) throw new Error('There is one')
    const talks = await talkAll(set, LONG_ANSWER)
    const ids = talks.map(({ id }) => id)
    const held = await stillRunning(set, ownedBy(await set.audit.writes(ids), [victim.role]))
    victim.pause()
    const taken = async () => ownedBy(await set.audit.writes(held), [victim.role]).length === 0
    await until(taken, 'others have taken over')
    victim.proceed()
    const found = async () => writesOfTwo(await set.audit.writes(ids)).length
    await until(async () => (await found()) > 0, 'the checker finds two owners')
    const value = await found()
    for (const talk of talks) talk.close()
    return {
      name: 'without the check of the epoch: writes of two owners',
      value,
      unit: 'found',
      baseline: null,
      ratio: null,
      goal: 'at least one',
      met: value > 0,
    }
  })
}

function limited(
  name: string,
  value: number,
  { most, unit }: { readonly most: number; readonly unit: string },
): Figure {
  return { name, value, unit, baseline: null, ratio: null, goal: `at most ${most}`, met: value <= most }
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It did not come about within ${LIMIT_MS} ms that ${what}`)
    await passed(100)
  }
}
