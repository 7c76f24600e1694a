import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { openPage, say, sharedBrowser, thriftyContext, untilTurn } from './support/browser.ts'
import { ROOT } from './support/root.ts'

let browser: Browser
let context: BrowserContext
let dataDir: string
let holdfast: Started

beforeAll(async () => {
  browser = await sharedBrowser()
}, 120_000)

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-account-'))
  holdfast = await startWithAccounts()
  context = await thriftyContext(browser, { viewport: { width: 1200, height: 800 } })
  context.setDefaultTimeout(15_000)
})

afterEach(async () => {
  await context.close()
  await holdfast.end()
  await rm(dataDir, { recursive: true })
})

interface Started {
  /** What the terminal shows. */
  readonly link: string
  readonly url: string
  end(): Promise<void>
}

/** Holdfast with accounts, under a base path. */
async function startWithAccounts(): Promise<Started> {
  const flags = ['start', '--json', '--no-open', '--no-detect', '--port', '0', '--data-dir', dataDir]
  const more = ['--auth', 'accounts', '--base-path', '/desk']
  const child = spawn(process.execPath, [join(ROOT, 'apps', 'holdfast', 'bin', 'holdfast.js'), ...flags, ...more], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  let said = ''
  const link = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (piece) => {
      said += piece
      const found = /http:\S+\/setup\?token=\S+\n/.exec(said)?.[0]
      if (found !== undefined) resolve(found.trim())
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

/** What a sign-in from elsewhere is answered with. */
async function statusOfSignIn(email: string, password: string): Promise<number> {
  const body = JSON.stringify({ email, password, rememberMe: false })
  const headers = { 'content-type': 'application/json', origin: holdfast.url }
  return (await fetch(`${holdfast.url}/desk/api/v1/auth/sign-in/email`, { method: 'POST', headers, body })).status
}

/** A page that is not signed in asks once and is refused; that is no offence. */
function unexpected(offences: readonly string[]): readonly string[] {
  return offences.filter((offence) => !offence.includes('status of 401'))
}

test('[SEC2] the link of the terminal makes an account; it signs in, makes a key, and signs out', async () => {
  const { page, offences } = await openPage(context, holdfast.link)
  const setUp = page.getByTestId('set-up')
  await setUp.waitFor()
  await expect.poll(() => axeProblems(page)).toEqual([])
  await setUp.getByLabel('Name').fill('Ada')
  await setUp.getByLabel('E-mail').fill('ada@example.org')
  await setUp.getByLabel('Password').fill('correct horse battery')
  await setUp.getByRole('button').click()

  await page.getByTestId('composer-input').waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/desk\//)
  await say(page, 'Hello')
  await untilTurn(page, 'completed')
  expect(new URL(page.url()).pathname).toMatch(/^\/desk\/c\//)
  await page.reload()
  await untilTurn(page, 'completed')

  await page.getByTestId('account-button').click()
  await expect.poll(() => page.getByTestId('sessions').getByRole('listitem').count()).toBe(1)
  await page.getByLabel('What is it for?').fill('A script')
  await page.getByRole('button', { name: 'Make a key' }).click()
  const key = (await page.getByTestId('made-key').textContent()) ?? ''
  await expect.poll(() => axeProblems(page)).toEqual([])
  const answer = await fetch(`${holdfast.url}/api/v1/conversations`, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)

  await page.getByRole('button', { name: 'Close account' }).click()
  await page.goto(`${holdfast.url}/desk/settings/administration`)
  const people = page.getByTestId('add-user')
  await people.getByLabel('Name of the person').fill('Grace')
  await people.getByLabel('Their e-mail').fill('grace@example.org')
  await people.getByRole('button').click()
  const password = (await page.getByTestId('made-password').textContent()) ?? ''
  const users = page.getByTestId('users').getByRole('listitem')
  await expect.poll(() => users.count()).toBe(2)
  await expect.poll(() => axeProblems(page)).toEqual([])
  expect(await statusOfSignIn('grace@example.org', password)).toBe(200)
  await page.getByRole('button', { name: 'Disable Grace' }).click()
  await users.filter({ hasText: 'disabled' }).waitFor()
  expect(await statusOfSignIn('grace@example.org', password)).not.toBe(200)

  await page.goto(`${holdfast.url}/desk/`)
  await untilTurn(page, 'completed')
  await page.getByTestId('account-button').click()
  const ownPassword = page.getByTestId('password-form')
  await ownPassword.getByLabel('Current password').fill('correct horse battery')
  await ownPassword.getByLabel('New password').fill('another horse battery')
  await ownPassword.getByRole('button').click()
  await page.getByText('The password is changed.').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()

  const signIn = page.getByTestId('sign-in')
  await signIn.waitFor()
  await expect.poll(() => axeProblems(page)).toEqual([])
  await signIn.getByLabel('E-mail').fill('ada@example.org')
  await signIn.getByLabel('Password').fill('not the password')
  await signIn.getByRole('button').click()
  await signIn.getByRole('alert').filter({ hasText: 'do not belong together' }).waitFor()
  await signIn.getByLabel('Password').fill('another horse battery')
  await signIn.getByRole('button').click()
  await untilTurn(page, 'completed')
  expect(unexpected(offences)).toEqual([])
})

test('[SEC1] a session that is ended elsewhere leaves the page for the sign-in', async () => {
  const first = (await openPage(context, holdfast.link)).page
  await first.getByLabel('Name').fill('Ada')
  await first.getByLabel('E-mail').fill('ada@example.org')
  await first.getByLabel('Password').fill('correct horse battery')
  await first.getByRole('button').click()
  await first.getByTestId('composer-input').waitFor()

  const elsewhere = await thriftyContext(browser, {})
  elsewhere.setDefaultTimeout(15_000)
  const second = (await openPage(elsewhere, `${holdfast.url}/desk/`)).page
  await second.getByLabel('E-mail').fill('ada@example.org')
  await second.getByLabel('Password').fill('correct horse battery')
  await second.getByRole('button').click()
  await second.getByTestId('composer-input').waitFor()

  await first.getByTestId('account-button').click()
  await first.getByTestId('sessions').getByRole('button', { name: 'End' }).click()
  await second.getByTestId('sign-in').waitFor()
  await expect.poll(() => first.getByTestId('sessions').getByRole('listitem').count()).toBe(1)
  await elsewhere.close()
})

test('[COST7] an admin sets what someone may spend, and it stands in their account', async () => {
  const { page } = await openPage(context, holdfast.link)
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('E-mail').fill('ada@example.org')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button').click()
  await page.getByTestId('composer-input').waitFor()
  await page.getByTestId('account-button').click()
  await page.getByRole('link', { name: 'Administration' }).click()
  const ada = page.getByTestId('users').getByRole('listitem').filter({ hasText: 'ada@example.org' })
  await ada.getByText('No budget').click()
  await ada.getByLabel('US dollars').fill('7.5')
  await ada.getByRole('button', { name: 'Set' }).click()
  await ada.getByText('Budget $7.50 a month').waitFor()
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.goto(`${holdfast.url}/desk/`)
  await page.getByTestId('account-button').click()
  await page.getByTestId('own-budget').getByText('$0 of $7.50 used this month').waitFor()
  await page.getByRole('link', { name: 'Administration' }).click()
  await ada.getByText('Budget $7.50 a month').click()
  await ada.getByRole('button', { name: 'Remove' }).click()
  await ada.getByText('No budget').waitFor()
})

test('[UI6] under a base path the page is installed and opens without its server there too', async () => {
  await context.close()
  context = await browser.newContext({ viewport: { width: 1200, height: 800 } })
  const { page } = await openPage(context, `${holdfast.url}/desk/`)
  await page.getByText('Holdfast').first().waitFor()
  const manifest = await page.evaluate(`(async () => {
    const link = document.querySelector('link[rel=manifest]')
    const told = await (await fetch(link.href)).json()
    return [told.start_url, told.scope, told.icons[0].src].map((path) => new URL(path, link.href).pathname)
  })()`)
  expect(manifest).toEqual(['/desk/', '/desk/', '/desk/icon-192.png'])
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  await page.reload()
  await expect.poll(() => page.evaluate(KEPT)).toContain('/desk/')
  await holdfast.end()
  await page.goto(`${holdfast.url}/desk/c/somewhere`)
  await expect.poll(() => page.locator('#root > *').count()).toBeGreaterThan(0)
  expect(await page.evaluate(KEPT)).not.toContain('/')
})

/** The paths that the shell has kept. */
const KEPT = `(async () => {
  const shell = await caches.open('holdfast-shell-1/desk')
  return (await shell.keys()).map(({ url }) => new URL(url).pathname)
})()`
