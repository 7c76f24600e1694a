import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Damage } from '@holdfast/conversation'
import { createSeededRandom } from '@holdfast/conversation/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDiskReplay } from './support/disk-replay.ts'
import { type DiskEvent, parseTrace, TRACED_CALLS } from './support/disk-trace.ts'
import { openInThread } from './support/in-thread-store.ts'
import { readLog } from './support/sqlite-harness.ts'

const FULL = process.env['HOLDFAST_FULL'] === '1'
const APPENDS_OF_EACH = FULL ? 250 : 60
const CUTS = FULL ? 500 : 100

describe('the SQLite store when the power fails', { retry: 0 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-power-'))
  const dataDir = join(folder, 'data')
  let events: readonly DiskEvent[] = []

  beforeAll(() => {
    const traceFile = join(folder, 'trace')
    const strace = process.env['HOLDFAST_STRACE'] ?? 'strace'
    const child = join(import.meta.dirname, 'support/traced-appends.ts')
    // The filter of the kernel stops the program at these calls alone; without it, it stops at each call that it makes.
    const shown = ['-y', '-xx', '-s', '10000000', '-e', `trace=${TRACED_CALLS}`]
    const tracing = ['-f', '--seccomp-bpf', ...shown, '-o', traceFile]
    const command = [process.execPath, '--conditions=@holdfast/source', child, dataDir, String(APPENDS_OF_EACH)]
    const traced = spawnSync(strace, [...tracing, ...command], { encoding: 'utf8', timeout: 200_000 })
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

  it('[LOG1, LOG2, LOG10, LOG23] keeps every acknowledged entry and gives no epoch twice, whatever of the unsynced writes is lost', async () => {
    const replay = createDiskReplay(events)
    const heads = new Map<string, Acknowledged>()
    let happened = 0
    let acknowledged = 0
    let lost = 0
    for (const [number, { cut, kept }] of drawCuts(events).entries()) {
      replay.advanceTo(cut)
      for (; happened < cut; happened++) noteHead(heads, events[happened])
      if (heads.size === 0) continue
      const disk = join(folder, `disk-${number}`)
      replay.writeTo({ folder: disk, kept })
      lost += await countLost(disk, heads)
      acknowledged += sum(heads)
      rmSync(disk, { recursive: true, force: true })
    }
    expect(lost).toBe(0)
    // Most cuts come after acknowledgements, or nothing could be lost.
    expect(acknowledged).toBeGreaterThan(CUTS * APPENDS_OF_EACH)
  }, 600_000)
})

/** What was acknowledged of one log last, and under which epoch. */
interface Acknowledged {
  readonly head: number
  readonly epoch: number
}

interface Cut {
  /** How many events have happened. */
  readonly cut: number
  /** Whether the next of the unsynced writes is on the disk all the same. */
  readonly kept: () => boolean
}

/** Where the power fails, in the order of time: half of the places are right after an acknowledgement. */
function drawCuts(events: readonly DiskEvent[]): Cut[] {
  const { next: random } = createSeededRandom(7)
  const afterAcknowledgement = events.flatMap((event, index) => (event.type === 'acknowledge' ? [index + 1] : []))
  const cuts = Array.from({ length: CUTS }, (_, round): Cut => {
    const cut =
      round % 2 === 0
        ? (afterAcknowledgement[Math.floor(random() * afterAcknowledgement.length)] ?? 0)
        : Math.floor(random() * events.length)
    const share = round % 3 === 0 ? 0 : random()
    return { cut, kept: () => random() < share }
  })
  return cuts.sort((a, b) => a.cut - b.cut)
}

function noteHead(heads: Map<string, Acknowledged>, event: DiskEvent | undefined): void {
  if (event?.type !== 'acknowledge') return
  const [, conversationId = '', seq = '', epoch = ''] = event.line.split(' ')
  heads.set(conversationId, { head: Number(seq), epoch: Number(epoch) })
}

function sum(heads: ReadonlyMap<string, Acknowledged>): number {
  return [...heads.values()].reduce((total, { head }) => total + head, 0)
}

/** How many acknowledged entries the store that opens on this disk does not have. */
async function countLost(disk: string, heads: ReadonlyMap<string, Acknowledged>): Promise<number> {
  const damages: Damage[] = []
  const store = openInThread(disk, (damage) => damages.push(damage))
  let lost = 0
  await store.endLeases()
  for (const [conversationId, { head, epoch }] of heads) {
    const entries = await readLog(store, conversationId)
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    expect((await store.readListing(conversationId))?.head ?? 0).toBe(entries.length)
    lost += Math.max(0, head - entries.length)
    const lease = await store.acquireLease({ conversationId, holder: 'next', ttlMs: 1_000 })
    expect(lease?.epoch).toBeGreaterThan(epoch)
  }
  await store.close()
  expect(damages).toEqual([])
  return lost
}
