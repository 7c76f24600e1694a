import { existsSync, globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { type Program, startProgram } from '../support/program.ts'

const folders: string[] = []
const running: Program[] = []

afterEach(async () => {
  for (const program of running.splice(0)) await program.kill()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** The folder of the library that tells a program another time; the machine's own clock stays. */
function timeLibrary(): string {
  const folder = process.env['HOLDFAST_FAKETIME'] ?? globSync('/usr/lib/*/faketime')[0] ?? ''
  const library = join(folder, 'libfaketime.so.1')
  if (existsSync(library)) return library
  throw new Error('libfaketime was not found: install faketime, or set HOLDFAST_FAKETIME to the folder of its library')
}

/** The whole program from this time on, in Berlin; what it measures by is not faked. */
async function startAt(time: string, { dataDir, workspace }: { dataDir: string; workspace: string }): Promise<Program> {
  const faked = { LD_PRELOAD: timeLibrary(), FAKETIME: `@${time}`, DONT_FAKE_MONOTONIC: '1', TZ: 'Europe/Berlin' }
  const program = await startProgram(dataDir, faked, ['--workspace', workspace])
  running.push(program)
  return program
}

const Occurrences = z.object({
  occurrences: z.array(
    z.looseObject({
      plannedAt: z.number(),
      state: z.string(),
      reason: z.string().nullable(),
      denied: z.array(z.object({ tool: z.string(), pattern: z.string() })),
    }),
  ),
})

test('[SCHED4, SCHED7, SCHED10, SCHED14] by clock: a weekday schedule at 02:30 over the spring change, off for three days, one missed run made up for, what was denied allowed from the history', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-clock-'))
  const workspace = join(dataDir, '..', `${dataDir.split('/').at(-1)}-work`)
  folders.push(dataDir, workspace)
  await mkdir(workspace)
  const history = async (program: Program, id: string) =>
    Occurrences.parse(await program.call('GET', `/schedules/${id}/occurrences`)).occurrences

  // Thursday night, moments before it is due.
  const thursday = await startAt('2026-03-26 02:29:42', { dataDir, workspace })
  const { id } = z.object({ id: z.string() }).parse(
    await thursday.call('POST', '/schedules', {
      name: 'Night',
      content: [{ type: 'text', text: '/demo permission' }],
      modelId: 'demo',
      rule: { type: 'cron', expression: '30 2 * * MON-FRI' },
      timeZone: 'Europe/Berlin',
    }),
  )
  const shown = z
    .object({ next: z.array(z.number()) })
    .parse(await thursday.call('GET', `/schedules/${id}/next?count=3`))
  // On Sunday the clocks go forward: Monday's run is an hour earlier in the world's time.
  expect(shown.next.map((at) => new Date(at).toISOString())).toEqual([
    '2026-03-26T01:30:00.000Z',
    '2026-03-27T01:30:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ])
  await expect.poll(async () => (await history(thursday, id))[0]?.state, { timeout: 120_000 }).toBe('denied')
  const [denied] = await history(thursday, id)
  expect(denied).toMatchObject({ plannedAt: shown.next[0], denied: [{ tool: 'write' }] })
  await thursday.call('PATCH', `/schedules/${id}`, { unattended: 'allow-list', rules: denied?.denied })
  await thursday.kill()

  // Monday morning: Friday's and Monday's runs were missed.
  const monday = await startAt('2026-03-30 09:00:00', { dataDir, workspace })
  await expect.poll(async () => (await history(monday, id))[0]?.state, { timeout: 60_000 }).toBe('succeeded')
  expect(await history(monday, id)).toMatchObject([
    { plannedAt: shown.next[2], state: 'succeeded' },
    { plannedAt: shown.next[1], state: 'missed', reason: expect.stringContaining('2026-03-27 01:30 UTC') },
    { plannedAt: shown.next[0], state: 'denied' },
  ])
  expect((await readFile(join(workspace, 'holdfast-demo', 'permission.txt'), 'utf8')).length).toBeGreaterThan(0)
  const Inbox = z.object({ items: z.array(z.looseObject({ kind: z.string(), scheduleId: z.string().nullable() })) })
  const told = async () => {
    const { items } = Inbox.parse(await monday.call('GET', '/inbox'))
    return items.flatMap(({ kind, scheduleId }) => (scheduleId === id ? [kind] : [])).toSorted()
  }
  await expect.poll(told).toEqual(['schedule-failed', 'schedule-finished', 'schedule-missed'])
}, 240_000)
