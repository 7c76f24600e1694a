import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser, openPage, say, untilReplyHas, untilTurn } from '../support/browser.ts'
import { writeFoundLogs } from '../support/found-logs.ts'
import { type HoldfastProcess, startHoldfast } from '../support/holdfast-process.ts'
import { startOllama } from '../support/local-server.ts'
import { ASKED, startAgent, writeProject } from './story.ts'

/** Makes the pictures of docs/screens again: the built program, the system's browser, and an agent that plays a story. */
const OUT = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'screens')
const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** Fonts and figures come a moment after what they belong to. */
const SETTLE_MS = 600

const folder = await mkdtemp(join(tmpdir(), 'holdfast-screens-'))
const workspace = join(folder, 'signup')
const browser = await launchBrowser()
const agent = await startAgent()
const open: HoldfastProcess[] = []
try {
  await writeProject(workspace)
  await pictureFirstRun()
  await pictureFound()
  await pictureStory()
} finally {
  await browser.close()
  for (const program of open) await program.end()
  await agent.close()
  await rm(folder, { recursive: true, force: true })
}

async function pictureFirstRun(): Promise<void> {
  const page = await enter('first', {}, {})
  await picture(page, 'first-run')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'first-run-dark')
  await page.context().close()
}

/** What was found on this computer, who answers, and what another program left. */
async function pictureFound(): Promise<void> {
  const home = join(folder, 'home')
  await writeFoundLogs(home)
  const local = await startOllama(['qwen3:8b', 'llama3.2:3b'], { port: 0, windowTokens: 8_192 })
  try {
    const found = { HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', OLLAMA_HOST: local.host }
    const keys = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: agent.url }
    const page = await enter('found', {}, { ...found, ...keys })
    const steps = page.getByTestId('first-steps')
    await steps.getByText('Conversations of Claude Code').waitFor()
    await steps.getByText('2 models: qwen3:8b').waitFor()
    await picture(page, 'first-found')
    await onPhone(page, async () => picture(page, 'phone-first-found'))
    await page.getByRole('button', { name: 'Import conversations of Claude Code' }).click()
    await page.getByText('2 conversations imported').waitFor()
    await picture(page, 'first-imported')
    await page.context().close()
  } finally {
    await local.close()
  }
}

async function pictureStory(): Promise<void> {
  const variables = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: agent.url }
  const page = await enter('story', { workspace, defaultModelId: 'anthropic/claude-sonnet-4-5' }, variables)
  await say(page, ASKED.first)
  await page.locator('[data-testid=canvas-el]').nth(2).waitFor()
  await untilReplyHas(page, 100)
  await picture(page, 'streaming')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'streaming-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await untilTurn(page, 'completed')
  await picture(page, 'canvas')
  await page.getByRole('button', { name: 'Close canvas' }).click()

  await say(page, ASKED.tables)
  await untilTurn(page, 'completed')
  await say(page, ASKED.fix)
  await page.getByTestId('permission-card').waitFor()
  await page.waitForTimeout(1_000)
  await picture(page, 'permission')
  await onPhone(page, async () => picture(page, 'phone-permission'))

  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.getByTestId('permission-card').filter({ hasText: 'sleep' }).waitFor()
  await page.getByTestId('mode-picker').selectOption('bypass')
  await page.locator('[data-testid=tool-card][data-state=running]').waitFor()
  for (const words of ASKED.queued) await say(page, words)
  await picture(page, 'queue')
  await page.getByTestId('stop').press('Enter')
  await untilTurn(page, 'stopped')
  await picture(page, 'stopped')

  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  await page.getByRole('button', { name: 'Show the exact request' }).click()
  await page.getByTestId('request-view').waitFor()
  await picture(page, 'inspector')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, 'inspector-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByTestId('dock-tab-tools').click()
  await page.getByTestId('tool-mode').waitFor()
  await picture(page, 'tools')
  await page.getByRole('button', { name: 'Close tools' }).click()

  for (const words of ASKED.queued) {
    const waiting = page.getByTestId('queue-item').filter({ hasText: words })
    await waiting.getByRole('button', { name: 'Remove' }).click()
    await waiting.waitFor({ state: 'detached' })
  }
  await editLast(page, ASKED.explain)
  await untilReplyHas(page, 40)
  await page.getByTestId('stop').press('Enter')
  await untilTurn(page, 'stopped')
  await page.getByTestId('accounting-line').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette').waitFor()
  await page.keyboard.type('summarise')
  await page.keyboard.press('Enter')
  await page.locator('[data-testid=checkpoint-card][data-state=counts]').waitFor()
  await page.getByTestId('checkpoint-card').evaluate((card) => card.scrollIntoView({ block: 'end' }))
  await picture(page, 'checkpoint')

  await page.keyboard.press('Control+k')
  await page.getByTestId('palette').waitFor()
  await page.keyboard.type('signup')
  await page
    .getByRole('option')
    .filter({ has: page.locator('mark') })
    .first()
    .waitFor()
  await picture(page, 'palette')
  await page.keyboard.press('Escape')

  await onPhone(page, async () => {
    await picture(page, 'phone')
    await page.emulateMedia({ colorScheme: 'dark' })
    // The acts of the bar are one menu there. [UI18]
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Inspector', exact: true }).click()
    await page.getByTestId('inspector-context').waitFor()
    await picture(page, 'phone-inspector-dark')
    await page.getByRole('button', { name: 'Close inspector' }).click()
    await page.emulateMedia({ colorScheme: 'light' })
  })
  await page.keyboard.press('Control+,')
  await page.getByTestId('settings').waitFor()
  await page.getByLabel('Theme').selectOption('high-contrast')
  await picture(page, 'settings-high-contrast')
  await page.getByLabel('Theme').selectOption('system')
  await page.getByRole('link', { name: 'Models and providers' }).click()
  await page.getByTestId('provider-row').first().waitFor()
  await picture(page, 'settings-models')
}

/** Starts a program on a folder of its own, and enters it. */
async function enter(name: string, config: object, variables: Readonly<Record<string, string>>): Promise<Page> {
  const dataDir = await mkdtemp(join(folder, `${name}-`))
  await writeFile(join(dataDir, 'holdfast.json'), JSON.stringify(config))
  const program = await startHoldfast(dataDir, 0, variables)
  open.push(program)
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce' })
  context.setDefaultTimeout(40_000)
  const { page } = await openPage(context, `${program.url}/?token=${program.token}`)
  await page.getByTestId('composer-input').waitFor()
  return page
}

/** Writes the newest message anew and sends it. */
async function editLast(page: Page, words: string): Promise<void> {
  await page.getByTestId('msg-user').last().hover()
  await page.getByRole('button', { name: 'Edit message' }).last().click()
  await page.getByLabel('Edited message').fill(words)
  await page.getByRole('button', { name: 'Save and send' }).click()
}

async function onPhone(page: Page, work: () => Promise<void>): Promise<void> {
  await page.setViewportSize(PHONE)
  await work()
  await page.setViewportSize(DESKTOP)
}

async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.waitForTimeout(SETTLE_MS)
  await page.screenshot({ path: join(OUT, `${name}.png`) })
  console.log(`docs/screens/${name}.png`)
}
