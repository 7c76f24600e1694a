import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod'
import { startPostgres } from '../support/postgres.ts'
import { type Program, startProgram } from '../support/program.ts'
import { type WrittenRuns, writtenRuns } from './written-runs.ts'

/** How much is asked of how many. */
export interface ManyDue {
  readonly processes: number
  readonly schedules: number
  /** Whose they are, in turn; with more than one, servers are not asked what they tell. */
  readonly people: number
  readonly kills: number
  /** How long nothing may come after everything has ended, in milliseconds. */
  readonly afterwardsMs: number
  /** The claims are not checked: what is looked for has to be found. */
  readonly unchecked: boolean
  readonly report: (line: string) => void
  /** Ends it early: what it started is ended, and it rejects. */
  readonly signal: AbortSignal
}

/** What became of it. */
export interface ManyRan extends WrittenRuns {
  readonly kills: number
  /** From the planned instant until the last run was asked, in milliseconds. */
  readonly lastAskedMs: number
  /** Schedules of which the servers tell their clients something else than the database holds. */
  readonly toldWrong: readonly string[]
}

const SECOND_MS = 1_000
const LIMIT_MS = 20 * 60 * SECOND_MS
const CREATED_AT_ONCE = 8
/** What is made within this time and a tenth of a second for each schedule is due at the end of it. */
const LEAD_MS = 5_000

/** Runs real processes on one real PostgreSQL, has schedules be due in one instant, and kills processes meanwhile. [SCHED15] */
export async function exactlyOnce({
  processes,
  schedules,
  people,
  kills,
  afterwardsMs,
  unchecked,
  report,
  signal,
}: ManyDue): Promise<ManyRan> {
  const postgres = await startPostgres()
  const client = new pg.Client({ connectionString: postgres.url })
  const folders: string[] = []
  const running: Program[] = []
  const starts: Promise<Program>[] = []
  let isOver = false
  const hook = new URL('without-claims.mjs', import.meta.url)
  const variables = {
    HOLDFAST_DATABASE_URL: postgres.url,
    HOLDFAST_SECRET_KEY: randomBytes(32).toString('base64url'),
    ...(unchecked ? { NODE_OPTIONS: `--import=${hook.href}` } : {}),
  }
  const begin = async (index: number): Promise<Program> => {
    folders[index] ??= await mkdtemp(join(tmpdir(), 'holdfast-due-'))
    if (isOver) throw new Error('It is over: nothing is begun any more')
    const start = startProgram(folders[index], variables)
    starts.push(start)
    const program = await start
    running[index] = program
    return program
  }
  try {
    await client.connect()
    const first = await begin(0)
    await Promise.all(Array.from({ length: processes - 1 }, (_, index) => begin(index + 1)))
    report(`${processes} processes run`)
    const plannedAt = nextSecond(Date.now() + LEAD_MS + schedules * 100)
    const scheduleIds = await createAll(first, { count: schedules, plannedAt })
    if (people > 1) await giveAway(client, people)
    report(`${scheduleIds.length} schedules, due in ${Math.round((plannedAt - Date.now()) / 1_000)} s`)
    await passed(Math.max(0, plannedAt - 1_000 - Date.now()), undefined, { signal })
    const killing = killInTurn({ running, kills, begin, report })
    const due = { scheduleIds, plannedAt }
    const lastAskedMs = await awaitRuns(client, { ...due, killing, signal })
    await passed(afterwardsMs, undefined, { signal })
    const found = await writtenRuns(client, due)
    const toldWrong = people > 1 ? [] : await whatIsTold(running, scheduleIds)
    return { ...found, kills, lastAskedMs, toldWrong }
  } finally {
    isOver = true
    // One that failed to start has ended; one that is starting is waited for, and ended too.
    for (const start of await Promise.allSettled(starts)) if (start.status === 'fulfilled') await start.value.kill()
    await client.end()
    await postgres.stop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }
}

/** Has schedules belong to so many people in turn, as if each had made their own. */
async function giveAway(client: pg.Client, people: number): Promise<void> {
  await client.query(
    `UPDATE holdfast.records r SET value = jsonb_set(r.value::jsonb, '{ownerId}', to_jsonb('person_' || n.number % $1))::text
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM holdfast.records WHERE kind = 'schedule') n
     WHERE r.kind = 'schedule' AND r.id = n.id`,
    [people],
  )
}

function nextSecond(at: number): number {
  return Math.ceil(at / SECOND_MS) * SECOND_MS
}

async function createAll(
  program: Program,
  { count, plannedAt }: { readonly count: number; readonly plannedAt: number },
): Promise<readonly string[]> {
  const left = Array.from({ length: count }, (_, index) => index)
  const ids: string[] = []
  const rule = { type: 'once', at: new Date(plannedAt).toISOString() }
  const content = [{ type: 'text', text: '/demo stream-fast' }]
  await Promise.all(
    Array.from({ length: CREATED_AT_ONCE }, async () => {
      for (let index = left.pop(); index !== undefined; index = left.pop()) {
        const body = { name: `Due ${index}`, content, modelId: 'demo', rule, timeZone: 'UTC' }
        ids.push(z.object({ id: z.string() }).parse(await program.call('POST', '/schedules', body)).id)
      }
    }),
  )
  return ids
}

interface Killing {
  readonly running: readonly Program[]
  readonly kills: number
  readonly begin: (index: number) => Promise<Program>
  readonly report: (line: string) => void
}

/** Kills one after the other, whatever it does, and begins it again; half of them at a time are there. */
async function killInTurn({ running, kills, begin, report }: Killing): Promise<void> {
  const lanes = Math.max(1, Math.floor(running.length / 2))
  let done = 0
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let round = lane; done < kills; round += lanes) {
        done += 1
        const index = round % running.length
        await running[index]?.kill()
        await begin(index)
        if (done % 10 === 0) report(`${done} kills`)
      }
    }),
  )
}

/** Waits until all have ended and nobody is killed any more. @returns when the last was asked. */
async function awaitRuns(
  client: pg.Client,
  {
    scheduleIds,
    plannedAt,
    killing,
    signal,
  }: {
    readonly scheduleIds: readonly string[]
    readonly plannedAt: number
    readonly killing: Promise<void>
    readonly signal: AbortSignal
  },
): Promise<number> {
  let isKilling = true
  // A server that does not start again ends it at once, and not after the longest wait.
  const failed = new AbortController()
  const over = killing.then(
    () => {
      isKilling = false
    },
    (error: unknown) => failed.abort(error),
  )
  const either = AbortSignal.any([signal, failed.signal])
  let lastAskedMs = 0
  for (let asked = 0; Date.now() < plannedAt + LIMIT_MS; ) {
    const found = await writtenRuns(client, { scheduleIds, plannedAt })
    if (found.asked > asked) {
      asked = found.asked
      lastAskedMs = Date.now() - plannedAt
    }
    const isEnded = found.ended >= scheduleIds.length
    if (!isKilling && isEnded && (found.wrong.length === 0 || found.doubled.length > 0)) break
    either.throwIfAborted()
    await passed(500)
  }
  await over
  either.throwIfAborted()
  return lastAskedMs
}

const Told = z.object({
  schedules: z.array(
    z.object({
      id: z.string(),
      nextAt: z.number().nullable(),
      openCount: z.number(),
      last: z.object({ state: z.string() }).nullable(),
    }),
  ),
})

/** What each server tells who asks it: all have ended, and nothing is to come. */
async function whatIsTold(running: readonly Program[], ids: readonly string[]): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [index, program] of running.entries()) {
    const { schedules } = Told.parse(await program.call('GET', '/schedules'))
    const known = new Map(schedules.map((each) => [each.id, each]))
    for (const id of ids) {
      const told = known.get(id)
      if (told?.nextAt === null && told.openCount === 0 && told.last !== null && told.last.state !== 'started') continue
      wrong.push(`Server ${index + 1} says of ${id}: ${JSON.stringify(told ?? null)}`)
    }
  }
  return wrong
}
