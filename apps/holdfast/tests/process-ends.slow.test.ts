import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreOpenError } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import { createSqliteStore } from '@holdfast/store/sqlite'
import Database from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { claudeText } from './support/claude-log.ts'

const FULL = process.env['HOLDFAST_FULL'] === '1'
/** One of each way behind one that is sure, where it is not the full count. */
const ENDS = FULL ? 500 : 13
/** Stores that are ended side by side: most of the time passes in waiting for the moment of an end. */
const LANES = FULL ? 5 : 3
/** Ends come at any time from the start of the program to its end. */
const LATEST_MS = 4_000
const SEED = 20_261_122
const WAL = 'holdfast.sqlite-wal'

vi.setConfig({ testTimeout: FULL ? 7_200_000 : 600_000 })

const WAYS = [
  'stdout-closed',
  'stderr-closed',
  'terminal-closed',
  'exit',
  'exit-in-worker',
  'throw',
  'reject',
  'out-of-memory',
  'SIGHUP',
  'SIGTERM',
  'SIGINT',
  'SIGKILL',
] as const
const COMMANDS = ['run', 'chat', 'start', 'import'] as const

interface End {
  readonly way: (typeof WAYS)[number]
  readonly command: (typeof COMMANDS)[number]
  readonly afterMs: number
}

/** Killed at its first words, with what was said only in the write-ahead file: of these ends the loss is sure. */
const IN_MID_ANSWER: End = { way: 'SIGKILL', command: 'run', afterMs: -1 }

/** Every way with every command, at times of a fixed seed. */
function endsOf(count: number): readonly End[] {
  let state = SEED
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: count }, (_, index): End => {
    const way = WAYS[index % WAYS.length] ?? 'exit'
    const command = COMMANDS[Math.floor(index / WAYS.length + index) % COMMANDS.length] ?? 'run'
    return { way, command, afterMs: Math.round(next() * LATEST_MS) }
  })
}

describe('the ends of the process', { retry: 0 }, () => {
  it(`[LOG7, LOG8] call nothing damaged, of ${ENDS} ends by any way of any command, and name every lost write-ahead file`, async () => {
    const base = await mkdtemp(join(tmpdir(), 'holdfast-ends-'))
    const log = join(base, 'log.jsonl')
    await writeFile(log, claudeText('one', 2_000))
    const alarms: string[] = []
    const unnamed: string[] = []
    let losses = 0
    const ends = [...[IN_MID_ANSWER, ...endsOf(ENDS - 1)].entries()]
    const endOne = async ([number, end]: readonly [number, End], dataDir: string): Promise<void> => {
      const store = join(dataDir, 'store')
      await ended(end, { dataDir, log })
      await whenLeft(dataDir)
      if (!existsSync(store)) return
      const what = `${number} ${end.command} ${end.way} after ${end.afterMs} ms`
      const loss = await lossOf(store, join(base, `copy ${number}`))
      if (loss !== 'none') losses += 1
      if (loss === 'unnamed') unnamed.push(what)
      try {
        await (await createSqliteStore({ dataDir: store, clock: systemClock })).close()
      } catch (error) {
        alarms.push(`${what}: ${String(error)}`)
        await rm(dataDir, { recursive: true })
      }
    }
    const lane = async (dataDir: string): Promise<void> => {
      for (let next = ends.shift(); next; next = ends.shift()) {
        const [number] = next
        await endOne(next, dataDir).catch((error: unknown) => alarms.push(`${number}: ${String(error)}`))
      }
    }
    try {
      await Promise.all(Array.from({ length: LANES }, (_, number) => lane(join(base, `data ${number}`))))
    } finally {
      await rm(base, { recursive: true, force: true })
    }
    console.log(
      `${ENDS} ends: ${alarms.length} false alarms, ${losses} lost files of which ${unnamed.length} were not named`,
    )
    expect(alarms).toEqual([])
    expect(unnamed).toEqual([])
    expect(losses).toBeGreaterThan(0)
  })

  it('[LOG8] end with 141 and no word when nobody reads any more, with the store closed', async () => {
    const base = await mkdtemp(join(tmpdir(), 'holdfast-ends-'))
    try {
      const end = { way: 'stdout-closed', command: 'run', afterMs: -1 } as const
      const { code, stderr } = await ended(end, { dataDir: base, log: '' })
      expect([code, stderr]).toEqual([141, ''])
      expect(existsSync(join(base, 'store', WAL))).toBe(false)
    } finally {
      await rm(base, { recursive: true, force: true })
    }
  })
})

/**
 * Waits until nobody works on a data folder: of a closed terminal only the terminal's own process has ended yet. The state of
 * its store does not say who that is: one that ended before it opened the store left the number of whoever opened it last.
 */
async function whenLeft(dataDir: string): Promise<void> {
  await vi.waitFor(() => expect(runningOn(dataDir)).toEqual([]), { timeout: 120_000 })
}

/** The numbers and command lines of the processes on a data folder; one that has ended and is still listed has no command line. */
function runningOn(dataDir: string): readonly string[] {
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return running.map((pid) => `${pid} ${commandLineOf(pid)}`).filter((process) => process.includes(dataDir))
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
    throw error
  }
}

/** What a store whose write-ahead file is lost says, where something that was written goes with the file. */
async function lossOf(store: string, copy: string): Promise<'none' | 'named' | 'unnamed'> {
  if (!existsSync(join(store, WAL))) return 'none'
  try {
    for (const name of ['whole', 'looked at', 'lost']) await cp(store, join(copy, name), { recursive: true })
    for (const name of ['looked at', 'lost']) await rm(join(copy, name, WAL))
    if (rowsOf(join(copy, 'whole')) === rowsOf(join(copy, 'looked at'))) return 'none'
    await (await createSqliteStore({ dataDir: join(copy, 'lost'), clock: systemClock })).close()
    return 'unnamed'
  } catch (error) {
    if (error instanceof StoreOpenError && error.code === 'damaged') return 'named'
    throw error
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** All that a database holds of what was written, as one text. */
function rowsOf(store: string): string {
  const database = new Database(join(store, 'holdfast.sqlite'))
  try {
    const known = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
    const tables = ['entries', 'draft_chunks', 'records', 'uploads', 'usage'].filter((table) => known.includes(table))
    return JSON.stringify(tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all()))
  } finally {
    database.close()
  }
}

/** Runs a command and ends it; below 0 with its first output. */
async function ended(
  { way, command, afterMs }: End,
  { dataDir, log }: { readonly dataDir: string; readonly log: string },
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const main = join(import.meta.dirname, '..', 'bin', 'holdfast.js')
  const planted = join(import.meta.dirname, 'support', 'end-itself.mjs')
  const { PATH, HOME } = process.env
  const args = [
    '--max-old-space-size=200',
    `--import=${planted}`,
    main,
    ...argumentsOf(command, log),
    '--data-dir',
    dataDir,
  ]
  const env = { PATH, HOME, PLANTED_END: `${way}:${afterMs}` }
  const isTerminal = way === 'terminal-closed'
  const quoted = [process.execPath, ...args].map((word) => `'${word}'`).join(' ')
  const child = isTerminal
    ? spawn('script', ['-qec', quoted, '/dev/null'], { env })
    : spawn(process.execPath, args, { env })
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  let stderr = ''
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  child.stdin.on('error', () => undefined)
  if (command === 'run' || isTerminal) child.stdin.end()
  else child.stdin.end('/demo stream-long\n')
  const act = (): void => {
    switch (way) {
      case 'stdout-closed':
        child.stdout.destroy()
        break
      case 'stderr-closed':
        child.stderr.destroy()
        break
      case 'terminal-closed':
        child.kill('SIGKILL')
        break
      case 'SIGHUP':
      case 'SIGTERM':
      case 'SIGINT':
      case 'SIGKILL':
        child.kill(way)
        break
      case 'exit':
      case 'exit-in-worker':
      case 'throw':
      case 'reject':
      case 'out-of-memory':
        break
    }
  }
  child.stdout.on('data', () => {
    if (afterMs < 0) act()
  })
  const acting = afterMs < 0 ? null : setTimeout(act, afterMs)
  // What still runs then, such as a server whose output nobody needed, is ended as a shell would.
  const asking = setTimeout(() => child.kill('SIGTERM'), 8_000)
  const killing = setTimeout(() => child.kill('SIGKILL'), 20_000)
  try {
    return { code: await exited, stderr }
  } finally {
    for (const timer of [acting, asking, killing]) if (timer) clearTimeout(timer)
  }
}

function argumentsOf(command: End['command'], log: string): readonly string[] {
  switch (command) {
    case 'run':
      return ['run', '/demo stream-long', '--no-detect']
    case 'chat':
      return ['chat', '--no-detect']
    case 'start':
      return ['start', '--port', '0', '--no-open', '--no-detect']
    case 'import':
      return ['import', log]
  }
}
