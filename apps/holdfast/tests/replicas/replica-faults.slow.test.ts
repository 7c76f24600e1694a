import { type AuditedWrite, writesOfTwo } from '@holdfast/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { runCommand } from '../support/run-command.ts'
import {
  beginLong,
  commandId,
  follow,
  logAt,
  type RunningReplica,
  type Several,
  send,
  startSeveral,
} from './several.ts'

const FULL = process.env['HOLDFAST_FULL'] === '1'

/** So many conversations a replica answers when it is stopped or killed. */
const CONVERSATIONS = 4

/** How often one is paused. */
const PAUSES = FULL ? 10 : 2

let several: Several
let first: RunningReplica
let second: RunningReplica
let third: RunningReplica

beforeAll(async () => {
  const started = await startSeveral({})
  several = started
  first = started.first
  second = await several.start({})
  third = await several.start({})
}, 120_000)

afterAll(async () => {
  await several.stop()
})

/** Conversations in the middle of an answer, each with drafts that are durable. */
async function openLong(replica: RunningReplica): Promise<readonly { readonly id: string; readonly seq: number }[]> {
  const begun = await Promise.all(Array.from({ length: CONVERSATIONS }, () => beginLong(replica)))
  const ids = begun.map(({ id }) => id)
  await expect.poll(async () => draftsOf(await several.audit.writes(ids), ids), { timeout: 30_000 }).toBe(ids.length)
  return begun
}

/** How many of the conversations have drafts. */
function draftsOf(writes: readonly AuditedWrite[], ids: readonly string[]): number {
  return ids.filter((id) => writes.some(({ type, conversationId }) => type === 'draft' && conversationId === id)).length
}

/** When another than this role took each conversation over, by the database's clock. */
async function takenOver(ids: readonly string[], from: RunningReplica): Promise<readonly number[]> {
  const writes = await several.audit.writes(ids)
  return ids.flatMap((id) => {
    const taken = writes.find(
      ({ type, conversationId, writer, epoch }) =>
        type === 'lease' && conversationId === id && writer !== from.role && epoch === 2,
    )
    return taken ? [taken.at] : []
  })
}

async function untilTaken(ids: readonly string[], from: RunningReplica): Promise<readonly number[]> {
  await expect.poll(async () => (await takenOver(ids, from)).length, { timeout: 20_000 }).toBe(ids.length)
  return takenOver(ids, from)
}

async function untilEnded(replica: RunningReplica, id: string): Promise<void> {
  const ends = async () => (await logAt(replica, id)).filter(({ type }) => type === 'run-finished')
  await expect.poll(async () => (await ends()).length, { timeout: 20_000 }).toBe(1)
}

/** What every conversation promises, whatever was done to its owner: what was acknowledged is there, and the run has one end. */
async function expectWhole(at: RunningReplica, begun: readonly { readonly id: string; readonly seq: number }[]) {
  for (const { id, seq } of begun) {
    await untilEnded(at, id)
    const log = await logAt(at, id)
    expect(log.find((entry) => entry.seq === seq)?.type).toBe('input-admitted')
    expect(log.filter(({ type }) => type === 'step-finished')).toHaveLength(1)
    expect(log.filter(({ type }) => type === 'run-finished')).toHaveLength(1)
    expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index + 1))
  }
  expect(writesOfTwo(await several.audit.writes(begun.map(({ id }) => id)))).toEqual([])
}

describe('three servers on one PostgreSQL', { retry: 0 }, () => {
  test('[SCALE7] each names all of them, and doctor does', async () => {
    const listed = async () => Replicas.parse(await second.program.call('GET', '/replicas')).replicas
    const programs = [first, second, third].map(({ program }) => program)
    // The beat before it listened said no address; the next one does.
    const urls = async () => (await listed()).map(({ url }) => url)
    await expect.poll(urls, { timeout: 10_000 }).toEqual(programs.map(({ url }) => url))
    expect(await listed()).toMatchObject([
      { state: 'alive', isThis: false },
      { state: 'alive', isThis: true },
      { state: 'alive', isThis: false },
    ])
    const { dataDir, variables } = second
    const { stdout } = await runCommand(['doctor', '--data-dir', dataDir, '--no-detect'], '', variables).ended
    for (const { url } of programs) expect(stdout).toContain(`replicas     ${url}, process `)
  }, 60_000)

  test('[SCALE1, SCALE5] one that stood still and goes on writes nothing of what others have taken meanwhile', async () => {
    for (let round = 0; round < PAUSES; round++) {
      const begun = await openLong(first)
      const ids = begun.map(({ id }) => id)
      first.program.pause()
      await untilTaken(ids, first)
      for (const { id } of begun) await untilEnded(second, id)
      const before = await several.audit.writes(ids)
      first.program.proceed()
      await untilBeaten(3)
      await expectWhole(first, begun)
      // It may look after what is free again; of the run it has nothing to say any more.
      const later = (await several.audit.writes(ids)).slice(before.length)
      expect(later.filter(({ type, writer }) => writer === first.role && type !== 'lease')).toEqual([])
    }
  }, 300_000)

  test('[SCALE6] one that is told to end lets its answers end, and another answers what waited', async () => {
    const made = await beginShort(third)
    const waiting = await send(third, made.id, 'And then?')
    const ended = third.program.stop()
    expect(await ended).toBe(0)
    const countOf = async (type: string) => (await logAt(first, made.id)).filter((entry) => entry.type === type).length
    await expect.poll(() => countOf('user-message-sent'), { timeout: 20_000 }).toBe(2)
    // A title may be made beside them.
    const open = async () => (await countOf('run-started')) - (await countOf('run-finished'))
    await expect.poll(open, { timeout: 20_000 }).toBe(0)
    const ends = (await logAt(first, made.id)).filter(({ type }) => type === 'run-finished')
    expect(ends.map((entry) => entry['outcome'])).toEqual(ends.map(() => 'completed'))
    expect((await logAt(first, made.id)).find(({ seq }) => seq === waiting)?.type).toBe('input-admitted')
    const writes = await several.audit.writes([made.id])
    expect(writesOfTwo(writes)).toEqual([])
    expect(writes.at(-1)?.writer).not.toBe(third.role)
    third = await several.start({})
  }, 120_000)

  test('[SCALE3] what one ran that is killed in mid-sentence goes on elsewhere within five seconds', async () => {
    const begun = await openLong(first)
    const ids = begun.map(({ id }) => id)
    const heard = await follow(second, ids[0] ?? '')
    await expect.poll(heard.text, { timeout: 10_000 }).not.toBe('')
    const killedAt = Date.now()
    await first.program.kill()
    const takenAt = await untilTaken(ids, first)
    expect(Math.max(...takenAt) - killedAt).toBeLessThan(5_000)
    await expectWhole(second, begun)
    const writes = await several.audit.writes(ids)
    const lostMs = ids.map((id) => killedAt - lastDraft(writes, id))
    expect(Math.max(...lostMs)).toBeLessThan(250)
    await expect.poll(() => heard.count('run-finished'), { timeout: 10_000 }).toBe(1)
    const [id = ''] = ids
    await send(third, id, 'Are you there?')
    const ends = async () => (await logAt(second, id)).filter(({ type }) => type === 'run-finished').length
    await expect.poll(ends, { timeout: 20_000 }).toBe(2)
    process.stdout.write(`owner after ${Math.max(...takenAt) - killedAt} ms, text lost ${Math.max(...lostMs)} ms\n`)
  }, 120_000)

  test('[SCALE24] a message whose replica is killed as soon as it is durable is answered by another within five seconds', async () => {
    const hook = new URL('killed-behind-entry.mjs', import.meta.url)
    const lost = await several.start({ NODE_OPTIONS: `--import=${hook.href}` })
    const made = await second.program.call('POST', '/conversations', { commandId: commandId(), modelId: 'demo' })
    const { id } = z.object({ id: z.string() }).parse(made)
    await expect(send(lost, id, 'Is anybody there?')).rejects.toThrow()
    await lost.program.ended
    const lostAt = Date.now()
    const log = () => logAt(second, id)
    expect((await log()).filter(({ type }) => type === 'input-admitted')).toHaveLength(1)
    await untilTaken([id], lost)
    const taken = await takenOver([id], lost)
    expect(Math.max(...taken) - lostAt).toBeLessThan(5_000)
    const ended = async () => (await log()).some(({ type }) => type === 'run-finished')
    await expect.poll(ended, { timeout: 20_000 }).toBe(true)
    expect((await log()).filter(({ type }) => type === 'user-message-sent')).toHaveLength(1)
  }, 60_000)

  test('[SCALE26] a replica whose clock is five minutes ahead takes nothing from others, and nobody takes anything from it while it lives', async () => {
    const hook = new URL('clock-ahead.mjs', import.meta.url)
    const ahead = await several.start({ NODE_OPTIONS: `--import=${hook.href}` })
    const [there, here] = [await openLong(ahead), await openLong(second)]
    const ids = [...there, ...here].map(({ id }) => id)
    await untilBeaten(2)
    const leases = async () => (await several.audit.writes(ids)).filter(({ type }) => type === 'lease')
    expect(new Set((await leases()).map(({ conversationId, epoch }) => `${conversationId} ${epoch}`)).size).toBe(
      ids.length,
    )
    const killedAt = Date.now()
    await ahead.program.kill()
    const taken = await untilTaken(
      there.map(({ id }) => id),
      ahead,
    )
    expect(Math.max(...taken) - killedAt).toBeLessThan(5_000)
    await expectWhole(second, there)
    for (const { id } of here)
      await second.program.call('POST', `/conversations/${id}/stop`, { commandId: commandId() })
    await expectWhole(second, here)
    const seqs = (await logAt(second, ids[0] ?? '')).map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  }, 120_000)

  test('[SCALE1] without the check of the epoch the checker finds two owners', async () => {
    const hook = new URL('without-epoch-check.mjs', import.meta.url)
    const unchecked = await several.start({ NODE_OPTIONS: `--import=${hook.href}` })
    const begun = await openLong(unchecked)
    const ids = begun.map(({ id }) => id)
    unchecked.program.pause()
    await untilTaken(ids, unchecked)
    unchecked.program.proceed()
    const found = async () => writesOfTwo(await several.audit.writes(ids)).length
    await expect.poll(found, { timeout: 20_000 }).toBeGreaterThan(0)
  }, 120_000)
})

/** Waits until so many replicas have beaten from now on: what one wrote late is written by then. */
async function untilBeaten(count: number): Promise<void> {
  const [asked] = await several.audit.sql('SELECT holdfast.now_ms()::float8 AS at')
  const beaten = 'SELECT count(*)::int AS count FROM holdfast.replicas WHERE beat_at > $1'
  for (const laterMs of [0, 1_000]) {
    const since = Number(asked?.['at']) + laterMs
    const found = async () => (await several.audit.sql(beaten, [since]))[0]?.['count']
    await expect.poll(found, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
  }
}

const Replicas = z.object({
  replicas: z.array(z.object({ url: z.string().nullable(), state: z.string(), isThis: z.boolean() })),
})

function lastDraft(writes: readonly AuditedWrite[], id: string): number {
  return Math.max(
    ...writes.filter((write) => write.type === 'draft' && write.conversationId === id).map(({ at }) => at),
  )
}

async function beginShort(replica: RunningReplica): Promise<{ readonly id: string }> {
  const made = await replica.program.call('POST', '/conversations', { commandId: commandId(), modelId: 'demo' })
  const { id } = z.object({ id: z.string() }).parse(made)
  await send(replica, id, 'Hello')
  return { id }
}
