import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPage, sharedBrowser, thriftyContext, type WatchedPage } from './support/browser.ts'
import { writeCodexLog, writeFoundLogs } from './support/found-logs.ts'
import { type HoldfastProcess, startHoldfast } from './support/holdfast-process.ts'
import { type LocalServer, startOllama } from './support/local-server.ts'
import { shots } from './support/shots.ts'

let browser: Browser
let context: BrowserContext
let base: string
let holdfast: HoldfastProcess | null
let tab: WatchedPage | null
const servers: LocalServer[] = []

beforeAll(async () => {
  browser = await sharedBrowser()
}, 120_000)

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-first-'))
  await mkdir(join(base, 'data'), { mode: 0o700 })
  context = await thriftyContext(browser, { viewport: { width: 1280, height: 860 } })
  context.setDefaultTimeout(20_000)
  holdfast = null
  tab = null
})

afterEach(async () => {
  await context.close()
  await holdfast?.kill()
  await closeServers()
  await rm(base, { recursive: true })
  expect(tab?.offences ?? []).toEqual([])
})

/** A server as Ollama is one, with these models, at a free port or at a certain one. */
async function ollama(models: readonly string[], port: number, windowTokens = 32_768): Promise<LocalServer> {
  const server = await startOllama(models, { port, windowTokens })
  servers.push(server)
  return server
}

async function enter(variables: Readonly<Record<string, string>>, usualRights = false): Promise<Page> {
  holdfast = await startHoldfast(join(base, 'data'), 0, variables, { usualRights })
  tab = await openPage(context, `${holdfast.url}/?token=${holdfast.token}`)
  await tab.page.getByTestId('first-steps').waitFor()
  return tab.page
}

test('[UI110] the first page says which server of this computer answers, and the first message goes to it', async () => {
  const { host } = await ollama(['llama3.2:3b', 'qwen3:8b', 'gemma3:4b'], 0)
  const page = await enter({ OLLAMA_HOST: host })
  const row = page.locator('.first-step', { hasText: 'Ollama' })
  await expect.poll(() => row.innerText()).toContain('3 models: llama3.2:3b, qwen3:8b (+1)')
  expect(await row.innerText()).toContain('answers here')
  await shots(page, 'first-ollama')
  await page.getByTestId('composer-input').fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText('A real answer.').waitFor()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await page.getByTestId('model-welcome').waitFor()
  expect(await page.getByTestId('first-steps').count()).toBe(0)
}, 60_000)

test('[UI110] beside a key of the environment one press has the local server answer, here and later', async () => {
  const { host } = await ollama(['llama3.2:3b'], 0)
  const page = await enter({
    OLLAMA_HOST: host,
    ANTHROPIC_API_KEY: 'sk-ant-of-nobody',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  })
  await expect.poll(() => page.getByTestId('first-steps').innerText()).toContain('ANTHROPIC_API_KEY')
  expect(await page.getByTestId('model-picker').inputValue()).toContain('anthropic/')
  await page.getByRole('button', { name: 'Use Ollama' }).click()
  await expect.poll(() => page.getByTestId('model-picker').inputValue()).toBe('ollama/llama3.2:3b')
  await page.reload()
  await expect.poll(() => page.getByTestId('model-picker').inputValue()).toBe('ollama/llama3.2:3b')
}, 60_000)

test('[UI110] a server that is started later is found by another look, and one without a model says how to get one', async () => {
  const port = await freePort()
  const page = await enter({ OLLAMA_HOST: `127.0.0.1:${port}` })
  const steps = page.getByTestId('first-steps')
  await expect.poll(() => steps.innerText()).toContain('No model found')
  await shots(page, 'first-nothing')
  await ollama([], port)
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect.poll(() => steps.innerText()).toContain('ollama pull llama3.2:3b')
  await shots(page, 'first-without-model')
  await closeServers()
  await ollama(['llama3.2:3b'], port)
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect.poll(() => steps.innerText()).toContain('1 model: llama3.2:3b')
  await expect.poll(() => page.getByTestId('model-picker').inputValue()).toBe('ollama/llama3.2:3b')
}, 60_000)

test('[UI112, WIN17] a window without room for all tools is said before the first message, and has its first answer', async () => {
  const { host } = await ollama(['llama3.2:3b'], 0, 8_192)
  const page = await enter({ OLLAMA_HOST: host })
  await expect
    .poll(() => page.getByTestId('first-steps').innerText())
    .toContain('Its window (8,192) has no room for all tools')
  await shots(page, 'first-small')
  await page.getByTestId('composer-input').fill('Hello')
  await page.keyboard.press('Enter')
  await page.getByText('A real answer.').waitFor()
  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  await page.getByTestId('dock-tab-tools').click()
  await expect.poll(() => page.getByTestId('no-room').innerText()).toContain('no room for')
  const states = page.locator('[data-testid=tool-line][data-state=included]')
  expect(await states.count()).toBeGreaterThan(0)
}, 60_000)

test('[UI111] what other programs left is told by counts and sizes, and read when it is asked for', async () => {
  await writeFoundLogs(base)
  const page = await enter({ HOME: base, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' })
  const row = page.locator('.first-step', { hasText: 'Conversations of Claude Code' })
  await expect.poll(() => row.innerText()).toContain('2 logs')
  expect(await page.getByTestId('conv-row').count()).toBe(0)
  await shots(page, 'first-found')
  await page.getByRole('button', { name: 'Import conversations of Claude Code' }).click()
  await page.getByText('2 conversations imported').waitFor()
  await shots(page, 'first-imported')
  await expect.poll(() => page.getByTestId('conv-row').count()).toBe(2)
  await page.getByRole('link', { name: 'Open the first of Claude Code' }).click()
  await page.getByText('Rooted.').waitFor()
}, 60_000)

test('[UI121, CLI43] what may not be read is named before the press and after it, and the rest is offered later too', async () => {
  await writeFoundLogs(base)
  await chmod(join(base, '.claude/projects/-home-me-shop/s1.jsonl'), 0)
  await writeCodexLog(base)
  const page = await enter({ HOME: base, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' }, true)
  const row = page.locator('.first-step', { hasText: 'Conversations of Claude Code' })
  await expect.poll(() => row.innerText()).toContain('1 log,')
  const words = '1 log or folder may not be read, and is left out: -home-me-shop/s1.jsonl'
  expect(await row.getByTestId('found-unread').innerText()).toBe(words)
  await page.getByRole('button', { name: 'Import conversations of Claude Code' }).click()
  await page.getByText('1 conversation imported').waitFor()
  expect(await row.getByTestId('found-unread').innerText()).toBe(words)
  await page.reload()
  await expect.poll(() => page.getByTestId('conv-row').count()).toBe(1)
  await page.getByRole('button', { name: 'Import…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Import conversations' })
  await sheet.getByTestId('found-unread').waitFor()
  await shots(page, 'import-found')
  await sheet.getByRole('button', { name: 'Import conversations of Codex' }).click()
  await sheet.getByText('1 conversation imported').waitFor()
  await expect.poll(() => page.getByTestId('conv-row').count()).toBe(2)
}, 60_000)

test('[UI121] beside a key a local server is looked for again', async () => {
  const port = await freePort()
  const page = await enter({
    OLLAMA_HOST: `127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: 'sk-ant-of-nobody',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  })
  const steps = page.getByTestId('first-steps')
  await expect.poll(() => steps.innerText()).toContain('No server of models on this computer')
  await ollama(['llama3.2:3b'], port)
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByRole('button', { name: 'Use Ollama' }).waitFor()
  expect(await page.getByRole('button', { name: 'Look again' }).count()).toBe(0)
}, 60_000)

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const { port } = await ollama([], 0)
  await closeServers()
  return port
}

async function closeServers(): Promise<void> {
  for (const server of servers.splice(0)) await server.close()
}
