import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Damage } from '@holdfast/conversation'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openInThread } from './support/in-thread-store.ts'
import { appendOf, readLog } from './support/sqlite-harness.ts'

const FULL = process.env['HOLDFAST_FULL'] === '1'

const WRITES = 'pwrite64,pwritev,pwritev2,ftruncate'
const SYNCS = 'fdatasync,fsync'

/** The full count fails each call in its turn; the quick one some of them, from all of the store's life. */
const SERIES = FULL
  ? [{ calls: `${WRITES},${SYNCS}`, stride: 1 }]
  : [
      { calls: WRITES, stride: 27 },
      { calls: SYNCS, stride: 5 },
    ]

/** A run with fewer faults has proved nothing. */
const AT_LEAST = FULL ? { faults: 100, inCommits: 40 } : { faults: 8, inCommits: 2 }

const ERRORS = ['ENOSPC', 'EIO'] as const

const APPENDS_OF_EACH = 3
const AT_ONCE = 3

const Outcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened') }),
  z.object({ type: z.literal('not-opened'), code: z.string(), message: z.string() }),
  z.object({ type: z.literal('acknowledged'), conversationId: z.string(), seq: z.number() }),
  z.object({ type: z.literal('refused'), conversationId: z.string(), seq: z.number(), code: z.string() }),
  z.object({ type: z.literal('read'), conversationId: z.string(), head: z.number(), count: z.number() }),
  z.object({ type: z.literal('closing') }),
  z.object({ type: z.literal('closed') }),
])
type Outcome = z.infer<typeof Outcome>

interface Run {
  readonly fault: string
  /** The call that failed, as the trace has it; null when there were fewer calls. */
  readonly failed: { readonly call: string; readonly file: string; readonly whileAppending: boolean } | null
  readonly outcomes: readonly Outcome[]
  readonly exitCode: number | null
  readonly errors: string
  readonly dataDir: string
}

describe('the SQLite store when a system call fails', { retry: 0 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-failing-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  for (const error of ERRORS) {
    it(`[LOG1, LOG8] refuses what it could not write, keeps the rest and goes on, whichever call fails with ${error}`, async () => {
      const runs: Run[] = []
      for (const { calls, stride } of SERIES) {
        for (let first = 1, isOver = false; !isOver; first += stride * AT_ONCE) {
          const numbers = Array.from({ length: AT_ONCE }, (_, index) => first + index * stride)
          for (const run of await Promise.all(numbers.map((number) => failCall(folder, { error, calls, number })))) {
            await judge(run)
            runs.push(run)
            isOver ||= !run.failed
            rmSync(run.dataDir, { recursive: true, force: true })
          }
        }
      }
      const failed = runs.flatMap((run) => run.failed ?? [])
      console.log(
        `${error}: ${failed.length} calls failed, ${runs.filter(isRefused).length} runs with a refused append`,
      )
      expect(failed.length).toBeGreaterThanOrEqual(AT_LEAST.faults)
      expect(failed.some(({ call }) => call === 'fsync' || call === 'fdatasync')).toBe(true)
      expect(failed.filter(({ whileAppending }) => whileAppending).length).toBeGreaterThanOrEqual(AT_LEAST.inCommits)
      expect(runs.filter(isRefused).length).toBeGreaterThanOrEqual(AT_LEAST.inCommits)
    }, 1_200_000)
  }
})

/** Runs the child with one failing call: the n-th of those that write, cut or sync. */
async function failCall(
  folder: string,
  { error, calls, number }: { error: string; calls: string; number: number },
): Promise<Run> {
  const fault = `${error}-${number}-of-${calls}`
  const dataDir = join(folder, fault)
  const traceFile = join(folder, `${fault}.trace`)
  const child = join(import.meta.dirname, 'support/faulted-appends.ts')
  const inject = `inject=${calls}:error=${error}:when=${number}`
  const traced = ['-e', `trace=${WRITES},${SYNCS},write`, '-e', inject]
  // The filter of the kernel stops the program at these calls alone; without it, it stops at each call that it makes.
  const tracing = ['-f', '--seccomp-bpf', '-y', '-s', '80', ...traced, '-o', traceFile]
  const command = [process.execPath, '--conditions=@holdfast/source', child, dataDir, String(APPENDS_OF_EACH)]
  const tracer = spawn(process.env['HOLDFAST_STRACE'] ?? 'strace', [...tracing, ...command], { timeout: 60_000 })
  const exited = new Promise<number | null>((resolve, reject) => {
    tracer.once('error', (cause) => {
      reject(new Error('This test needs strace; install it with your package manager', { cause }))
    })
    tracer.once('close', resolve)
  })
  const [exitCode, output, errors] = await Promise.all([exited, text(tracer.stdout), text(tracer.stderr)])
  const outcomes = output.split('\n').flatMap((line) => (line === '' ? [] : Outcome.parse(JSON.parse(line))))
  const failed = failedCall(readFileSync(traceFile, 'utf8'), dataDir)
  rmSync(traceFile)
  return { fault, failed, outcomes, exitCode, errors, dataDir }
}

/** The call on a file of the store that the trace calls injected: at most one, for only one thread writes there. */
function failedCall(trace: string, dataDir: string): Run['failed'] {
  const begun = new Map<string, string>()
  const failed: NonNullable<Run['failed']>[] = []
  let whileAppending = false
  for (const line of trace.split('\n')) {
    const [, thread = '', resumed] = /^(\d+)\s+(<\.\.\. )?/.exec(line) ?? []
    if (line.endsWith('<unfinished ...>')) begun.set(thread, line)
    if (line.includes('{\\"type\\":\\"opened\\"')) whileAppending = true
    if (line.includes('{\\"type\\":\\"closing\\"')) whileAppending = false
    if (!line.includes('(INJECTED)')) continue
    const [, call = '', file = ''] = /^\d+\s+(\w+)\(\d+<([^>]*)>/.exec((resumed && begun.get(thread)) || line) ?? []
    if (file.startsWith(`${dataDir}/`)) failed.push({ call, file, whileAppending })
  }
  expect(failed.length).toBeLessThanOrEqual(1)
  return failed[0] ?? null
}

async function judge(run: Run): Promise<void> {
  const { fault, failed, outcomes, exitCode, errors, dataDir } = run
  const about = `${fault} ${failed?.call} of ${failed?.file}`
  expect([about, exitCode, errors]).toEqual([about, 0, ''])
  const heads = acknowledgedHeads(outcomes)
  const notOpened = outcomes.find((outcome) => outcome.type === 'not-opened')
  if (notOpened) {
    expect([about, notOpened.code]).toEqual([about, 'not-writable'])
    expect(notOpened.message).toContain(dataDir)
  } else {
    expect([about, heads]).toEqual([about, { a: APPENDS_OF_EACH, b: APPENDS_OF_EACH }])
    expect([about, outcomes.at(-1)?.type]).toEqual([about, 'closed'])
    for (const outcome of outcomes) {
      if (outcome.type === 'read') expect(outcome).toMatchObject({ head: APPENDS_OF_EACH, count: APPENDS_OF_EACH })
    }
  }
  // A commit whose bytes did not reach the disk is nobody's success.
  if (failed?.whileAppending) expect([about, isRefused(run)]).toEqual([about, true])
  if (!failed) expect([about, isRefused(run), notOpened]).toEqual([about, false, undefined])
  await expectWhole(about, { dataDir, heads })
}

function isRefused({ outcomes }: Run): boolean {
  return outcomes.some(({ type }) => type === 'refused')
}

function acknowledgedHeads(outcomes: readonly Outcome[]): Record<string, number> {
  const heads: Record<string, number> = {}
  for (const outcome of outcomes) {
    if (outcome.type !== 'acknowledged') continue
    expect(outcome.seq).toBe((heads[outcome.conversationId] ?? 0) + 1)
    heads[outcome.conversationId] = outcome.seq
  }
  return heads
}

/** Opens the folder where all calls succeed: it holds what was acknowledged and nothing else, is whole, and goes on. */
async function expectWhole(
  about: string,
  { dataDir, heads }: { dataDir: string; heads: Readonly<Record<string, number>> },
): Promise<void> {
  const damages: Damage[] = []
  const store = openInThread(dataDir, (damage) => damages.push(damage))
  for (const conversationId of ['a', 'b']) {
    const head = heads[conversationId] ?? 0
    const log = await readLog(store, conversationId)
    expect([about, log.map(({ seq }) => seq)]).toEqual([about, Array.from({ length: head }, (_, index) => index + 1)])
    const titles = log.flatMap((entry) => (entry.type === 'title-changed' ? [entry.title] : []))
    expect(titles).toEqual(log.slice(1).map((_, index) => `Title ${index + 1} of ${conversationId}`))
    await store.append(appendOf(conversationId, head))
  }
  const report = await store.check(AbortSignal.timeout(30_000))
  expect([about, report.damages]).toEqual([about, []])
  await store.close()
  expect([about, damages]).toEqual([about, []])
}
