import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createStrictProvider } from '@holdfast/conformance'
import { chromium, type Page } from 'playwright-core'
import * as z from 'zod'
import { type Benchmark, type Figure, median, quantile, timeMs } from '../lib/measure.ts'
import { inTemporaryFolder } from '../lib/stores.ts'
import { createMachineLoad } from './machine-load.ts'

const PROGRAM = join(import.meta.dirname, '..', '..', 'apps', 'holdfast', 'bin', 'holdfast.js')
const FILES = [5, 500] as const
/** Each line of a file goes and comes: two changed lines. */
const LINES = 50
const ROUNDS = 5
const Ready = z.object({ url: z.string(), token: z.string() })

/** What one opening took, in milliseconds. */
const Opened = z.object({
  /** From the click until the first hunk is painted. */
  opened: z.number(),
  /** Of that, from the sending of the question to the last byte of its answer, as the page's browser times it. */
  asked: z.number(),
})
type Opened = z.infer<typeof Opened>

/** What was measured of one number of files. */
interface Measured {
  readonly rounds: readonly Opened[]
  readonly diffs: readonly number[]
  readonly frame: number
}

/** From the click on *Review…* until the first hunk is painted, and the frames while it is scrolled. */
export const review: Benchmark = {
  name: 'review',
  about: `opening the review of ${FILES[1]} files and ${FILES[1] * LINES * 2} changed lines in the page, beside one of ${FILES[0]} files and beside \`git diff\` of the same; and the time of its frames while it is scrolled`,
  async run(report) {
    const load = createMachineLoad()
    const measured: Measured[] = []
    for (const count of FILES) {
      const one = await withReview(count, async ({ page, address, diff }) => {
        const [rounds, diffs]: [Opened[], number[]] = [[], []]
        for (let round = 0; round < ROUNDS; round += 1) {
          // The address names what lies open beside the conversation: this one names nothing.
          await page.goto(address)
          await page.getByRole('button', { name: 'Review…' }).last().waitFor()
          await page.evaluate(PARTS_ARE_READ)
          await load.sample(page)
          diffs.push(await timeMs(diff))
          rounds.push(Opened.parse(await page.evaluate(OPEN)))
        }
        const times = z.array(z.number()).parse(await page.evaluate(SCROLL))
        const words = (values: readonly number[]) => values.map((time) => time.toFixed(0)).join(', ')
        report(
          `${count} files: opened in ${words(rounds.map(({ opened }) => opened))} ms, of which the answer ${words(rounds.map(({ asked }) => asked))}; \`git diff\` ${words(diffs)}; ${times.length} frames of ${median(times).toFixed(1)} ms, 95 % within ${quantile(times, 0.95).toFixed(1)} ms`,
        )
        return { rounds, diffs, frame: quantile(times, 0.95) }
      })
      measured.push(one)
    }
    report(load.words())
    const [few, many] = measured
    if (!few || !many) throw new Error('Nothing was measured')
    const opened = ({ rounds }: Measured) => median(rounds.map((round) => round.opened))
    const firstOf = ({ rounds }: Measured) => rounds[0]?.opened ?? Number.NaN
    const second = { most: 1_000, goal: 'at most 1 s' }
    return [
      figureOf('review, opened first', { value: firstOf(many), baseline: firstOf(few), ...second }),
      figureOf('review, opened', { value: opened(many), baseline: opened(few), ...second }),
      figureOf('review, its answer beside `git diff`', {
        value: median(many.rounds.map(({ asked }) => asked)),
        baseline: median(many.diffs),
        most: Number.POSITIVE_INFINITY,
        goal: 'reported',
      }),
      figureOf('review, 95th frame', {
        value: many.frame,
        baseline: few.frame,
        most: 17.5,
        goal: '60 frames a second',
      }),
    ]
  },
}

interface Wanted {
  readonly value: number
  readonly baseline: number
  readonly most: number
  readonly goal: string
}

function figureOf(name: string, { value, baseline, most, goal }: Wanted): Figure {
  return { name, value, unit: 'ms', baseline, ratio: value / baseline, goal, met: value <= most }
}

/** A page, and `git diff` of the same change, whole. */
interface Opening {
  readonly page: Page
  /** Of the conversation, with nothing open beside it. */
  readonly address: string
  readonly diff: () => Promise<unknown>
}

/** A page with a conversation whose one call changed so many files. */
async function withReview<Value>(count: number, use: (opening: Opening) => Promise<Value>): Promise<Value> {
  return inTemporaryFolder(async (folder) => {
    const [work, dataDir, config] = [join(folder, 'work'), join(folder, 'data'), join(folder, 'config.json')]
    await mkdir(work)
    const text = (at: number) => Array.from({ length: LINES }, (_, line) => `line ${line} of file ${at}\n`).join('')
    for (let at = 0; at < count; at += 1) await writeFile(join(work, `file-${at}.txt`), text(at))
    const git = (...args: readonly string[]) =>
      promisify(execFile)('git', ['-C', work, '-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args], {
        maxBuffer: 100_000_000,
      })
    await git('init', '--quiet')
    await git('add', '--all')
    await git('commit', '--quiet', '-m', 'before')
    await writeFile(
      config,
      JSON.stringify({ workspace: work, permissions: { rules: [{ id: 'all', effect: 'allow', tool: '*' }] } }),
    )
    const provider = await createStrictProvider({})
    provider.otherwise(({ body }) => {
      const isAnswered = JSON.stringify(body).includes('tool_result')
      const command = "sed -i 's/$/ and changed/' *.txt"
      return {
        parts: [
          isAnswered ? { type: 'text', text: 'Done.' } : { type: 'tool-call', name: 'shell', input: { command } },
        ],
      }
    })
    const child = spawn(
      process.execPath,
      [PROGRAM, 'start', '--json', '--no-open', '--no-detect', '--port', '0', '--data-dir', dataDir],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, HOLDFAST_CONFIG: config, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: provider.url },
      },
    )
    const browser = await chromium.launch({
      executablePath: process.env['HOLDFAST_CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    })
    try {
      const [line] = await once(createInterface({ input: child.stdout }), 'line', {
        signal: AbortSignal.timeout(60_000),
      })
      const { url, token } = Ready.parse(JSON.parse(String(line)))
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(`${url}/?token=${token}`)
      await page.getByTestId('composer-input').fill('Change all')
      await page.getByTestId('composer-input').press('Enter')
      await page.getByRole('button', { name: 'Review…' }).last().waitFor({ timeout: 120_000 })
      return await use({ page, address: page.url(), diff: () => git('diff') })
    } finally {
      await browser.close()
      child.kill('SIGKILL')
      await provider.close()
    }
  })
}

/** A page reads the scripts of its parts one after the other, soon after it is drawn: this one comes after that of the review. */
const PARTS_ARE_READ = `new Promise((resolve) => {
  function look() {
    const isRead = performance.getEntriesByType('resource').some(({ name }) => name.includes('/preview-tab-'))
    if (isRead) resolve(null)
    else setTimeout(look, 50)
  }
  look()
})`

const OPEN = `new Promise((resolve) => {
  const startedAt = performance.now()
  ;[...document.querySelectorAll('button')].findLast((one) => one.textContent === 'Review…').click()
  function look() {
    if (!document.querySelector('[data-testid=review-hunk]')) return requestAnimationFrame(look)
    // A message is delivered after the frame has been painted.
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      const opened = performance.now() - startedAt
      const asked = performance.getEntriesByType('resource').findLast(({ name }) => name.includes('/changes?'))
      resolve({ opened, asked: asked.responseEnd - asked.startTime })
    }
    requestAnimationFrame(() => channel.port2.postMessage(null))
  }
  requestAnimationFrame(look)
})`

const SCROLL = `new Promise((resolve) => {
  const scroller = document.querySelector('.review-scroll')
  const times = []
  let last = null
  function step(now) {
    if (last !== null) times.push(now - last)
    last = now
    scroller.scrollTop += 60
    if (times.length === 240) resolve(times)
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`
