import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@holdfast/store/sqlite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DiskEvent, parseTrace, TRACED_CALLS, writeDiskAfter } from './support/disk-trace.ts'
import { systemClock } from './support/system-clock.ts'

const FULL = process.env['HOLDFAST_FULL'] === '1'
const APPENDS_OF_EACH = FULL ? 250 : 60
const CUTS = FULL ? 500 : 100

describe('the SQLite store when the power fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-power-'))
  const dataDir = join(folder, 'data')
  let events: readonly DiskEvent[] = []

  beforeAll(() => {
    const traceFile = join(folder, 'trace')
    const strace = process.env['HOLDFAST_STRACE'] ?? 'strace'
    const child = join(import.meta.dirname, 'support/traced-appends.ts')
    const tracing = ['-f', '-y', '-xx', '-s', '10000000', '-e', `trace=${TRACED_CALLS}`, '-o', traceFile]
    const command = [process.execPath, '--conditions=@holdfast/source', child, dataDir, String(APPENDS_OF_EACH)]
    const traced = spawnSync(strace, [...tracing, ...command], { encoding: 'utf8' })
    if (traced.error)
      throw new Error('This test needs strace; install it with your package manager', { cause: traced.error })
    expect(traced.stderr).toBe('')
    expect(traced.status).toBe(0)
    events = parseTrace(readFileSync(traceFile, 'latin1'), dataDir)
  }, 300_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('[LOG2] has synced the write-ahead log between two acknowledgements of one writer', () => {
    const acknowledged = events.filter((event) => event.type === 'acknowledge')
    expect(acknowledged).toHaveLength(4 * APPENDS_OF_EACH)
    for (let writer = 0; writer < 4; writer++) {
      let last = -1
      events.forEach((event, index) => {
        if (event.type !== 'acknowledge' || !event.line.startsWith(`ack conversation_${writer} `)) return
        const between = events.slice(last + 1, index)
        expect(between.some((other) => other.type === 'sync' && other.file.endsWith('-wal'))).toBe(true)
        last = index
      })
    }
  })

  it('[LOG1, LOG2] keeps every acknowledged entry, whatever of the unsynced writes is lost', async () => {
    const random = fc.sample(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
      numRuns: 20_000,
      seed: 7,
    })
    let drawn = 0
    const next = (): number => random[drawn++ % random.length] ?? 0
    const afterAcknowledgement = events.flatMap((event, index) => (event.type === 'acknowledge' ? [index + 1] : []))
    let lost = 0
    for (let round = 0; round < CUTS; round++) {
      const pick = (from: readonly number[]): number => from[Math.floor(next() * from.length)] ?? 0
      const cut = round % 2 === 0 ? pick(afterAcknowledgement) : Math.floor(next() * events.length)
      const share = round % 3 === 0 ? 0 : next()
      const disk = join(folder, `disk-${round}`)
      writeDiskAfter(events, cut, { folder: disk, kept: () => next() < share })
      lost += await countLost(disk, events.slice(0, cut))
      rmSync(disk, { recursive: true, force: true })
    }
    expect(lost).toBe(0)
  }, 600_000)
})

/** How many acknowledged entries the store that opens on this disk does not have. */
async function countLost(disk: string, happened: readonly DiskEvent[]): Promise<number> {
  const heads = new Map<string, number>()
  for (const event of happened) {
    if (event.type !== 'acknowledge') continue
    const [, conversationId = '', seq = ''] = event.line.split(' ')
    heads.set(conversationId, Number(seq))
  }
  if (heads.size === 0) return 0
  const { store, close } = await createSqliteStore({ dataDir: disk, clock: systemClock })
  let lost = 0
  for (const [conversationId, acknowledged] of heads) {
    const { head, entries } = await store.read({ conversationId, after: 0, limit: 1_000 })
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    expect(entries).toHaveLength(head)
    lost += Math.max(0, acknowledged - head)
  }
  await close()
  return lost
}
