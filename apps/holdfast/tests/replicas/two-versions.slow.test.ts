import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { writesOfTwo } from '@holdfast/store/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginLong, logAt, type RunningReplica, type Several, send, startSeveral } from './several.ts'

/** So many conversations are in the middle of an answer as the later version starts. */
const CONVERSATIONS = 6

/** After so long without a question a connection of the pool is closed, and the next one is a new one; in milliseconds. */
const POOL_IDLE_MS = 12_000

let several: Several
let older: RunningReplica

beforeEach(async () => {
  const started = await startSeveral({})
  several = started
  older = started.first
}, 120_000)

afterEach(async () => {
  await several.stop()
}, 60_000)

/** Starts a server whose program is of a later version. */
function startLater(change: string): Promise<RunningReplica> {
  return several.start({ NODE_OPTIONS: `--import ${join(import.meta.dirname, change)}` })
}

async function begin(): Promise<readonly { readonly id: string; readonly seq: number }[]> {
  return Promise.all(Array.from({ length: CONVERSATIONS }, () => beginLong(older)))
}

/** Waits until each has its one end, seen from a server, and looks whether all that was acknowledged is there. */
async function expectWhole(at: RunningReplica, begun: Awaited<ReturnType<typeof begin>>): Promise<void> {
  for (const { id, seq } of begun) {
    const ends = async () => (await logAt(at, id)).filter(({ type }) => type === 'run-finished')
    await expect.poll(async () => (await ends()).length, { timeout: 60_000 }).toBe(1)
    const log = await logAt(at, id)
    expect(log.find((entry) => entry.seq === seq)?.type).toBe('input-admitted')
    expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index + 1))
  }
  expect(writesOfTwo(await several.audit.writes(begun.map(({ id }) => id)))).toEqual([])
}

test('[SCALE30] a later version changes the schema beside one that answers, which goes on, also on new connections and after a restart', async () => {
  const begun = await begin()
  const later = await startLater('newer-schema.mjs')
  await Promise.all(
    begun.map(({ id }) => older.program.call('POST', `/conversations/${id}/stop`, { commandId: `stop_${id}` })),
  )
  await expectWhole(older, begun)
  await passed(POOL_IDLE_MS)
  const [first] = begun
  const id = first?.id ?? ''
  expect((await fetch(`${older.program.url}/api/v1/ready`)).status).toBe(200)
  await send(older, id, 'And?')
  const ends = async (at: RunningReplica) => (await logAt(at, id)).filter(({ type }) => type === 'run-finished').length
  await expect.poll(() => ends(older), { timeout: 20_000 }).toBe(2)
  await older.program.kill()
  const again = await several.start({})
  await send(again, id, 'And now?')
  await expect.poll(() => ends(later), { timeout: 20_000 }).toBe(3)
}, 240_000)

test('[SCALE30] beside a later version with which it cannot go on a server ends in words, and the later one has what it held', async () => {
  const begun = await begin()
  await passed(1_000)
  const later = await startLater('parting-schema.mjs')
  expect(await older.program.ended).toBe(1)
  expect(older.program.output()).toContain('E_OUTDATED')
  await expectWhole(later, begun)
  await expect(several.start({})).rejects.toThrow('A newer Holdfast wrote it')
}, 240_000)
