import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '@holdfast/conversation'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type AgentsWorld, openAgentsWorld } from './agents/agents-world.ts'
import { compareBill } from './agents/bill.ts'
import { installAgents } from './agents/install-agents.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 480_000 })

let bin = ''
let world: AgentsWorld | null = null
let browser: Browser | null = null

beforeAll(async () => {
  bin = await installAgents('two')
})

afterEach(async () => {
  await browser?.close()
  browser = null
  await world?.close()
  world = null
})

const SAID = { parts: [{ type: 'text' as const, text: 'It is done.' }] }

async function openWorld(): Promise<AgentsWorld> {
  world = await openAgentsWorld(bin, SAID)
  browser = await chromium.launch({
    executablePath: process.env['HOLDFAST_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  return world
}

async function enter({ program }: AgentsWorld): Promise<Page> {
  if (browser === null) throw new Error('No browser is open')
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } })
  page.setDefaultTimeout(60_000)
  await page.goto(`${program.url}/?token=${program.token}`)
  await page.getByTestId('composer-input').waitFor()
  return page
}

/** Has the model call a tool by the name that ends so, once, at the first request that says `words` and offers it. */
function callsWhen(words: string, tool: string, input: Json): void {
  let isCalled = false
  const offered = (body: unknown): string | undefined =>
    new RegExp(`"name":"((?:[a-z_]*_)?${tool})"`).exec(JSON.stringify(body))?.[1]
  world?.provider.when(
    ({ body }) => !isCalled && JSON.stringify(body).includes(words) && offered(body) !== undefined,
    ({ body }) => {
      isCalled = true
      return { parts: [{ type: 'tool-call', name: offered(body) ?? tool, input }] }
    },
  )
}

/** Pictures for people, where a folder is named for them. */
async function shots(page: Page, name: string): Promise<void> {
  const folder = process.env['HOLDFAST_SHOTS']
  if (!folder) return
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), animations: 'disabled' })
    }
  }
  await page.setViewportSize({ width: 1_280, height: 800 })
}

test('[AGENT41, AGENT42] in the page opencode draws onto the canvas of its conversation, and each act is one card', async () => {
  const opened = await openWorld()
  const talk = await opened.open('external:opencode')
  const page = await enter(opened)
  await page.goto(`${opened.program.url}/c/${talk.id}`)
  callsWhen('Draw the harvest', 'canvas_show_chart', {
    kind: 'bar',
    title: 'By week',
    labels: ['1', '2', '3'],
    series: [{ name: 'kg', values: [9, 21, 12] }],
  })
  // What was said last answers first.
  callsWhen('Draw the harvest', 'canvas_add_card', { title: 'Harvest', figure: '42 kg', body: 'Quinces, **October**' })
  await page.getByTestId('composer-input').fill('Draw the harvest.')
  await page.keyboard.press('Enter')
  await talk.turnEnd(1)
  await expect.poll(() => page.getByTestId('canvas-el').count(), { timeout: 30_000 }).toBe(2)
  await expect.poll(() => page.getByTestId('canvas-el').first().innerText()).toContain('42 kg')
  await shots(page, 'opencode-draws')
  expect((await talk.ofType('tool-call-settled')).map(({ name, outcome }) => [name, outcome])).toEqual([
    ['canvas_add_card', 'ok'],
    ['canvas_show_chart', 'ok'],
  ])
  expect(await page.getByText('agent_other').count()).toBe(0)
})

const Usage = z.object({
  rows: z.array(z.object({ key: z.string(), totals: z.looseObject({ costUsd: z.number() }) })),
})
const Worktrees = z.object({ worktrees: z.tuple([z.looseObject({ folder: z.string() })]) })

test('[AGENT1, AGENT37, WS7] opencode and ours work on one project, each in a worktree, both asked; one stopped in a tool, kill -9, both go on, and what each cost is told', async () => {
  const opened = await openWorld()
  const { provider, project } = opened
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-qm', 'A'],
  ])
    expect(spawnSync('git', args, { cwd: project }).status).toBe(0)
  const theirs = await opened.open('external:opencode', { place: 'worktree' })
  const ours = await opened.open(null, { place: 'worktree', modelId: 'anthropic/claude-sonnet-5-5' })
  const folderOf = async (id: string): Promise<string> =>
    Worktrees.parse(await opened.program.call('GET', `/worktrees?conversationId=${id}`)).worktrees[0].folder

  callsWhen('Wait in theirs', 'bash', { command: 'sleep 600', description: 'Waits' })
  callsWhen('Write in ours', 'write', { path: 'ours.txt', content: 'ours\n' })
  const page = await enter(opened)
  await Promise.all([theirs.send('Wait in theirs.'), ours.send('Write in ours.')])
  await Promise.all([theirs.until('permission-requested', 1), ours.until('permission-requested', 1)])

  // Theirs is allowed in the page, and stopped in the middle of its tool.
  await page.goto(`${opened.program.url}/c/${theirs.id}`)
  const card = page.locator('[data-testid=permission-card][data-state=armed]')
  await card.getByRole('button', { name: 'Allow once' }).click()
  await theirs.until('tool-call-started', 1)
  await theirs.stop()
  expect(await theirs.turnEnd(1)).toMatchObject({ outcome: 'stopped' })
  await shots(page, 'theirs-stopped')

  await opened.killAndStart()
  const again = await enter(opened)
  await again.goto(`${opened.program.url}/c/${ours.id}`)
  await again.locator('[data-testid=permission-card][data-state=armed]').waitFor()
  await shots(again, 'ours-asks-after-a-kill')
  await again.getByRole('button', { name: 'Allow once' }).click()
  expect(await ours.turnEnd(1)).toMatchObject({ outcome: 'completed' })
  provider.otherwise(({ body }) => ({
    parts: [{ type: 'text', text: JSON.stringify(body).includes('Wait in theirs') ? 'I know it.' : 'I forgot.' }],
  }))
  expect(await theirs.turn('Go on.')).toMatchObject({ outcome: 'completed' })
  expect(await theirs.answers()).toMatch(/I know it\.$/)

  const [ourFolder, theirFolder] = [await folderOf(ours.id), await folderOf(theirs.id)]
  expect(ourFolder).not.toBe(theirFolder)
  expect(await readFile(join(ourFolder, 'ours.txt'), 'utf8')).toBe('ours\n')
  await expect(readFile(join(theirFolder, 'ours.txt'))).rejects.toThrow('ENOENT')
  await expect(readFile(join(project, 'ours.txt'))).rejects.toThrow('ENOENT')

  const { rows } = Usage.parse(await opened.program.call('GET', '/usage?by=conversation'))
  const costOf = (id: string): number => rows.find(({ key }) => key === id)?.totals.costUsd ?? 0
  expect(costOf(ours.id)).toBeGreaterThan(0)
  expect(costOf(theirs.id)).toBeGreaterThan(0)
  // Of ours the title alone: the requests of its turns come by no gateway.
  const titled = (await ours.entries()).filter(({ purpose }) => purpose !== 'turn')
  const bill = await compareBill(provider, [await theirs.entries(), titled])
  expect(bill).toMatchObject({ differing: [], doubled: 0 })
  await again.goto(`${opened.program.url}/settings/usage`)
  await again.getByText('By agent', { exact: true }).click()
  await expect.poll(() => again.getByTestId('usage-table').innerText()).toContain('opencode')
  await shots(again, 'usage-of-each')
})
