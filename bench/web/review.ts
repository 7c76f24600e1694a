import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createStrictProvider } from '@holdfast/conformance'
import { chromium, type Page } from 'playwright-core'
import * as z from 'zod'
import { type Benchmark, type Figure, median, quantile } from '../lib/measure.ts'
import { inTemporaryFolder } from '../lib/stores.ts'
import { createMachineLoad } from './machine-load.ts'

const PROGRAM = join(import.meta.dirname, '..', '..', 'apps', 'holdfast', 'bin', 'holdfast.js')
const FILES = [5, 500] as const
/** Each line of a file goes and comes: two changed lines. */
const LINES = 50
const ROUNDS = 5
const Ready = z.object({ url: z.string(), token: z.string() })

/** From the click on *Review…* until the first hunk is painted, and the frames while it is scrolled. */
export const review: Benchmark = {
  name: 'review',
  about: `opening the review of ${FILES[1]} files and ${FILES[1] * LINES * 2} changed lines in the page, beside one of ${FILES[0]} files; and the time of its frames while it is scrolled`,
  async run(report) {
    const opening: number[] = []
    const frames: number[] = []
    const load = createMachineLoad()
    for (const count of FILES) {
      await withReview(count, async (page) => {
        const rounds: number[] = []
        for (let round = 0; round < ROUNDS; round += 1) {
          await page.reload()
          await page.getByRole('button', { name: 'Review…' }).last().waitFor()
          await load.sample(page)
          rounds.push(z.number().parse(await page.evaluate(OPEN)))
        }
        const times = z.array(z.number()).parse(await page.evaluate(SCROLL))
        opening.push(median(rounds))
        frames.push(quantile(times, 0.95))
        report(
          `${count} files: opened in ${rounds.map((time) => time.toFixed(0)).join(', ')} ms; ${times.length} frames of ${median(times).toFixed(1)} ms, 95 % within ${quantile(times, 0.95).toFixed(1)} ms`,
        )
      })
    }
    report(load.words())
    return [
      figureOf('review, opened', { values: opening, most: 1_000, goal: 'at most 1 s' }),
      figureOf('review, 95th frame', { values: frames, most: 17.5, goal: '60 frames a second' }),
    ]
  },
}

function figureOf(
  name: string,
  { values, most, goal }: { readonly values: readonly number[]; readonly most: number; readonly goal: string },
): Figure {
  const [baseline = Number.NaN, value = Number.NaN] = values
  return { name, value, unit: 'ms', baseline, ratio: value / baseline, goal, met: value <= most }
}

/** A page with a conversation whose one call changed so many files. */
async function withReview(count: number, use: (page: Page) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const [work, dataDir, config] = [join(folder, 'work'), join(folder, 'data'), join(folder, 'config.json')]
    await mkdir(work)
    const text = (at: number) => Array.from({ length: LINES }, (_, line) => `line ${line} of file ${at}\n`).join('')
    for (let at = 0; at < count; at += 1) await writeFile(join(work, `file-${at}.txt`), text(at))
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
      await use(page)
    } finally {
      await browser.close()
      child.kill('SIGKILL')
      await provider.close()
    }
  })
}

const OPEN = `new Promise((resolve) => {
  const startedAt = performance.now()
  ;[...document.querySelectorAll('button')].findLast((one) => one.textContent === 'Review…').click()
  function look() {
    if (!document.querySelector('[data-testid=review-hunk]')) return requestAnimationFrame(look)
    // A message is delivered after the frame has been painted.
    const channel = new MessageChannel()
    channel.port1.onmessage = () => resolve(performance.now() - startedAt)
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
