import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from 'playwright-core'
import * as z from 'zod'
import { inTemporaryFolder } from '../lib/stores.ts'
import { BLOCK_KINDS, type Pace, startPacedProvider } from './paced-provider.ts'

const PROGRAM = join(import.meta.dirname, '..', '..', 'apps', 'holdfast', 'bin', 'holdfast.js')

/** What the program says when it is ready. */
const Ready = z.object({ url: z.string(), token: z.string() })

/** A tab on a real server. */
export interface LivePage {
  readonly page: Page
  readonly url: string
}

/** What is there before the server starts. */
export interface LiveSetting {
  readonly pace: Pace
  /** Fills the folder of the data. */
  readonly fill: (dataDir: string) => Promise<void>
}

/**
 * Starts the built program on an empty folder, with a model that speaks at a pace, and opens the built page in the system's Chromium
 * for as long as `use` takes. `npx tsc -b apps/holdfast && npx vite build apps/web` build both.
 */
export function withLivePage<Result>(setting: LiveSetting, use: (live: LivePage) => Promise<Result>): Promise<Result> {
  return inTemporaryFolder(async (folder) => {
    const dataDir = join(folder, 'data')
    await setting.fill(dataDir)
    const provider = await startPacedProvider(setting.pace)
    const config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify(configOf(provider.url)))
    const child = spawn(
      process.execPath,
      [PROGRAM, 'start', '--json', '--no-open', '--no-detect', '--port', '0', '--data-dir', dataDir],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOLDFAST_CONFIG: config } },
    )
    const browser = await chromium.launch({
      executablePath: process.env['HOLDFAST_CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    })
    try {
      const { url, token } = await readyLine(child)
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.addInitScript(COLLECT)
      await page.goto(`${url}/?token=${token}`)
      await page.getByTestId('composer-input').waitFor()
      return await use({ page, url })
    } finally {
      await browser.close()
      child.kill('SIGKILL')
      provider.close()
    }
  })
}

function configOf(baseUrl: string): object {
  const models = BLOCK_KINDS.map((id) => ({ id, contextWindowTokens: 1_000_000 }))
  const provider = { type: 'openai-chat', id: 'paced', baseUrl, server: 'openai-compatible', models }
  return { defaultModelId: 'paced/paragraph', providers: [provider] }
}

async function readyLine(child: ChildProcess): Promise<z.infer<typeof Ready>> {
  if (!child.stdout) throw new Error('The program has no output')
  const lines = createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line', { signal: AbortSignal.timeout(60_000) })
  return Ready.parse(JSON.parse(String(line)))
}

/** Collects in the page what the browser says of long tasks, in milliseconds. */
const COLLECT = `
  globalThis.longTasks = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
`

const Tasks = z.array(z.object({ startTime: z.number(), duration: z.number() }))

/** Long tasks since a moment of the page's clock, in milliseconds of a wall clock. */
export async function longTasksSince(page: Page, startMs: number): Promise<readonly number[]> {
  const tasks = Tasks.parse(await page.evaluate('longTasks'))
  return tasks.filter(({ startTime }) => startTime >= startMs).map(({ duration }) => duration)
}

/** The page's own clock, in milliseconds. */
export async function pageNow(page: Page): Promise<number> {
  return z.number().parse(await page.evaluate('performance.now()'))
}

const Trace = z.object({
  traceEvents: z.array(
    z.object({ name: z.string(), pid: z.number(), tid: z.number(), tdur: z.number().optional(), args: z.unknown() }),
  ),
})

/**
 * What each task of the page's main thread takes while `work` runs, in milliseconds of processor time: other programs on the
 * machine make a task longer by the clock, and not by this.
 */
export async function taskTimes(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser')
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  await work()
  const { traceEvents } = Trace.parse(JSON.parse((await browser.stopTracing()).toString('utf8')))
  const byThread = Map.groupBy(
    traceEvents.filter(({ name }) => name === 'RunTask'),
    ({ pid, tid }) => `${pid} ${tid}`,
  )
  const times = [...byThread.values()].map((tasks) => tasks.map(({ tdur }) => (tdur ?? 0) / 1_000))
  const total = (tasks: readonly number[]) => tasks.reduce((sum, time) => sum + time, 0)
  // The page's thread is the busiest of all: the others wait for it.
  return times.reduce<readonly number[]>((busiest, tasks) => (total(tasks) > total(busiest) ? tasks : busiest), [])
}
