import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type FailingPostgres, shortTemporaryFolder, startFailingPostgres } from './support/failing-postgres.ts'
import { type Program, startProgram } from './support/program.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const Created = z.object({ id: z.string() })
const Transcript = z.object({
  items: z.array(z.looseObject({ role: z.string(), parts: z.array(z.looseObject({ text: z.string().optional() })) })),
})

let base: string
let postgres: FailingPostgres
let program: Program
const closing: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-outage-'))
  postgres = await startFailingPostgres(shortTemporaryFolder())
  program = await startProgram(join(base, 'data'), {
    HOLDFAST_DATABASE_URL: `postgres://holdfast@127.0.0.1:${postgres.port}/postgres`,
  })
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await program.stop()
  await postgres.remove()
  await rm(base, { recursive: true })
})

test('[SYNC21, SYNC22] the page keeps its thread while PostgreSQL is away, says so, and sends what was written meanwhile, once', async () => {
  const { id, tab } = await openConversation()
  await postgres.stop()
  await write(tab, 'precious words')
  await untilAway(tab)
  await write(tab, 'and some more')
  // A server that is asked where its log ends cannot say; the thread stays.
  await tab.evaluate(() => dispatchEvent(new Event('online')))
  await shoot(tab, 'away')
  for (const words of ['words before', 'precious words', 'and some more']) await seen(tab, words)
  const shown = await tab.locator('body').innerText()
  expect(shown).not.toContain('cannot be shown')
  await postgres.start()
  await expectOnce(id, ['words before', 'precious words', 'and some more'])
  await expect.poll(() => stateOf(tab), { timeout: 30_000 }).toBe('live')
  await shoot(tab, 'back')
})

test('[SYNC22] what was written while PostgreSQL was away is sent after a reload too', async () => {
  const { id, tab } = await openConversation()
  await postgres.stop()
  await write(tab, 'kept over a reload')
  await untilAway(tab)
  await tab.reload()
  await untilAway(tab)
  await seen(tab, 'kept over a reload')
  await shoot(tab, 'reloaded')
  await postgres.start()
  await expectOnce(id, ['words before', 'kept over a reload'])
  await expect.poll(() => stateOf(tab), { timeout: 30_000 }).toBe('live')
  await seen(tab, 'words before')
})

/** A conversation with something in it, in a browser of its own. */
async function openConversation(): Promise<{ readonly id: string; readonly tab: Page }> {
  const made = await program.call('POST', '/conversations', { commandId: 'made', modelId: 'demo' })
  const { id } = Created.parse(made)
  const executablePath = process.env['HOLDFAST_CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  closing.push(() => browser.close())
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  tab.setDefaultTimeout(40_000)
  await tab.goto(`${program.url}/?token=${program.token}`)
  await tab.getByTestId('composer-input').waitFor()
  await tab.goto(`${program.url}/c/${id}`)
  await write(tab, 'words before')
  await expectOnce(id, ['words before'])
  await expect.poll(() => repliesIn(id), { timeout: 30_000 }).toBe(1)
  return { id, tab }
}

async function write(tab: Page, text: string): Promise<void> {
  await tab.getByTestId('composer-input').fill(text)
  await tab.keyboard.press('Enter')
}

/** Until they stand in the thread. */
function seen(tab: Page, text: string): Promise<void> {
  return tab.locator('.words', { hasText: text }).first().waitFor()
}

function stateOf(tab: Page): Promise<string | null> {
  return tab.getByTestId('conn-state').getAttribute('data-state')
}

async function untilAway(tab: Page): Promise<void> {
  await expect.poll(() => stateOf(tab), { timeout: 40_000 }).toBe('catching-up')
}

async function transcriptOf(id: string) {
  return Transcript.parse(await program.call('GET', `/conversations/${id}/transcript`)).items
}

async function repliesIn(id: string): Promise<number> {
  return (await transcriptOf(id)).filter(({ role }) => role === 'assistant').length
}

/** Until the log has these words of the person, in this order and each once. */
async function expectOnce(id: string, words: readonly string[]): Promise<void> {
  const asked = async () =>
    (await transcriptOf(id).catch(() => [])).flatMap(({ role, parts }) =>
      role === 'user' ? [parts.map(({ text }) => text ?? '').join('')] : [],
    )
  await expect.poll(asked, { timeout: 60_000 }).toEqual(words)
}

async function shoot(tab: Page, name: string): Promise<void> {
  const folder = process.env['HOLDFAST_SHOTS']
  if (folder !== undefined) await tab.screenshot({ path: join(folder, `outage-${name}.png`) })
}
