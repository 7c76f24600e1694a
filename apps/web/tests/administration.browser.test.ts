import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { openPage, say, sharedBrowser, thriftyContext, untilTurn } from './support/browser.ts'
import { ROOT } from './support/root.ts'
import { shots } from './support/shots.ts'

/** Whether an element has nothing to be scrolled sideways. */
const FITS: (element: { readonly scrollWidth: number; readonly clientWidth: number }) => boolean = (element) =>
  element.scrollWidth <= element.clientWidth

const PASSWORD = 'correct horse battery'

let browser: Browser
let context: BrowserContext
let dataDir: string
let folder: string
let holdfast: Started

beforeAll(async () => {
  browser = await sharedBrowser()
}, 60_000)

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-administration-'))
  folder = await mkdtemp(join(tmpdir(), 'holdfast-administered-'))
  holdfast = await start(['--auth', 'accounts', '--workspace', folder])
  context = await newContext()
})

afterEach(async () => {
  await context.close()
  await holdfast.end()
  await rm(dataDir, { recursive: true })
  await rm(folder, { recursive: true })
})

async function newContext(): Promise<BrowserContext> {
  const made = await thriftyContext(browser, { viewport: { width: 1200, height: 800 } })
  made.setDefaultTimeout(15_000)
  return made
}

interface Started {
  /** What the terminal shows. */
  readonly link: string
  readonly url: string
  end(): Promise<void>
}

async function start(more: readonly string[]): Promise<Started> {
  const flags = ['start', '--json', '--no-open', '--no-detect', '--port', '0', '--data-dir', dataDir]
  const child = spawn(process.execPath, [join(ROOT, 'apps', 'holdfast', 'bin', 'holdfast.js'), ...flags, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  let said = ''
  const link = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        said += piece
        const found = /http:\S+token=\S+\n/.exec(said)?.[0]
        if (found !== undefined) resolve(found.trim())
        const own = /"url":"([^"]+)".*"token":"([^"]+)"/.exec(said)
        if (own && !more.includes('--auth')) resolve(`${own[1]}/?token=${own[2]}`)
      })
    void ended.then(() => reject(new Error(said)))
  })
  return {
    link,
    url: new URL(link).origin,
    async end() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Makes the first account, and opens the page of it. */
async function enterAsAda(): Promise<Page> {
  const { page } = await openPage(context, holdfast.link)
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('E-mail').fill('ada@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button').click()
  await page.getByTestId('composer-input').waitFor()
  return page
}

async function openAdministration(page: Page): Promise<void> {
  await page.keyboard.press('Control+,')
  await page.getByPlaceholder('Search settings').fill('sessions')
  await page.getByRole('link', { name: 'Administration' }).click()
  await page.getByTestId('people').getByRole('listitem').first().waitFor()
}

async function signInAs(
  email: string,
  password: string,
): Promise<{ readonly page: Page; readonly end: () => Promise<void> }> {
  const elsewhere = await newContext()
  const { page } = await openPage(elsewhere, `${holdfast.url}/`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button').click()
  await page.getByTestId('composer-input').waitFor()
  return { page, end: () => elsewhere.close() }
}

test('[UI57, UI58, UI59, UI60, UI61] an administrator sees people, ends a session, and reads the audit, health and servers; nobody else does', async () => {
  const ada = await enterAsAda()
  await openAdministration(ada)
  await ada.getByText('Only you have an account here.').waitFor()
  await ada.getByText('One server. It has its store for itself.').waitFor()
  const adding = ada.getByTestId('add-user')
  await adding.getByLabel('Name of the person').fill('Grace')
  await adding.getByLabel('Their e-mail').fill('grace@example.org')
  await adding.getByRole('button').click()
  const password = (await ada.getByTestId('made-password').textContent()) ?? ''
  const grace = await signInAs('grace@example.org', password)

  await grace.page.keyboard.press('Control+,')
  await grace.page.getByRole('link', { name: 'About' }).waitFor()
  expect(await grace.page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  await grace.page.goto(`${holdfast.url}/settings/administration`)
  await grace.page.getByText('Only administrators may see this page.').waitFor()
  expect(await grace.page.getByTestId('administration').count()).toBe(0)
  await grace.page.goto(`${holdfast.url}/`)
  await say(grace.page, '/demo permission')
  await grace.page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .click()
  await untilTurn(grace.page, 'completed')

  await ada.reload()
  const audit = ada.getByTestId('audit')
  await audit.getByRole('listitem').filter({ hasText: 'by Grace' }).filter({ hasText: 'allowed' }).waitFor()
  const health = ada.getByTestId('health')
  await expect.poll(() => health.innerText()).toMatch(/SQLite · [\d.,]+ [kM]?B[\s\S]*Event loop[\s\S]*late by/)
  const people = ada.getByTestId('users')
  await people.getByText('1 session of Grace').click()
  await shots(ada, 'administration')
  await expect.poll(() => axeProblems(ada)).toEqual([])
  for (const width of [390, 320]) {
    await ada.setViewportSize({ width, height: 800 })
    expect(await ada.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    const page = ada.getByTestId('settings')
    await expect.poll(() => page.evaluate(FITS)).toBe(true)
  }
  await ada.setViewportSize({ width: 1200, height: 800 })
  await people.getByRole('button', { name: 'End', exact: true }).click()
  await grace.page.getByTestId('sign-in').waitFor()
  await people.getByText('not signed in').waitFor()
  await grace.end()
}, 60_000)

test('[UI124] the page of somebody who administers nothing asks for nothing that only administrators may', async () => {
  const ada = await enterAsAda()
  await openAdministration(ada)
  const adding = ada.getByTestId('add-user')
  await adding.getByLabel('Name of the person').fill('Grace')
  await adding.getByLabel('Their e-mail').fill('grace@example.org')
  await adding.getByRole('button').click()
  const password = (await ada.getByTestId('made-password').textContent()) ?? ''
  const { page, end } = await signInAs('grace@example.org', password)
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${new URL(page.url()).pathname} asks ${response.url()}`)
  })
  await page.reload()
  await page.getByTestId('composer-input').waitFor()
  await say(page, '/demo permission')
  await page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .click()
  await untilTurn(page, 'completed')
  await page.keyboard.press('Control+,')
  const links = page.locator('nav a[href*="/settings/"]')
  await expect.poll(() => links.count()).toBeGreaterThan(10)
  await expect.poll(() => page.locator('nav a[href$="/settings/limits"]').count()).toBe(0)
  const addresses = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  for (const address of [...addresses, '/settings/limits', '/settings/administration']) {
    await page.goto(`${holdfast.url}${address}`)
    await page.getByTestId('settings').waitFor()
    await page.waitForLoadState('networkidle')
  }
  await page.goto(`${holdfast.url}/settings/limits`)
  await page.getByText('Only administrators may see this page.').waitFor()
  expect(refused).toEqual([])
  await end()
}, 90_000)

test('[UI58] what was known stays, with its time, when the server is gone', async () => {
  const ada = await enterAsAda()
  await openAdministration(ada)
  await ada.getByTestId('health').getByText('Event loop').waitFor()
  await holdfast.end()
  await ada
    .getByTestId('health')
    .getByText(/What is shown is as of/)
    .waitFor()
  await ada.getByTestId('health').getByText('Event loop').waitFor()
}, 60_000)

test('[UI57] without accounts there is no such page', async () => {
  await holdfast.end()
  holdfast = await start([])
  const { page } = await openPage(context, holdfast.link)
  await page.getByTestId('composer-input').waitFor()
  await page.keyboard.press('Control+,')
  await page.getByRole('link', { name: 'About' }).waitFor()
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  await page.goto(`${holdfast.url}/settings/administration`)
  await page.getByText('There is nobody to administer').waitFor()
}, 60_000)
