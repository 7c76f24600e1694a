import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { openPage, say, thriftyContext, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { ROOT } from './support/root.ts'
import { shots } from './support/shots.ts'

/** A line that breaks; and a tab that wrote before it heard of another tab's words, which it reads then. [SYNC6] */
const scene = liveScene({ forgiven: /ERR_FAILED|status of 40[19]|WebSocket/ })

const others: Server[] = []

afterEach(async () => {
  for (const server of others.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** A program of the same host on another port, such as a development server, which keeps the cookies that it is sent. */
async function otherPort(): Promise<{ readonly url: string; readonly cookies: string[] }> {
  const cookies: string[] = []
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? '')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>another program</title>')
  })
  others.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cookies }
}

/** What the page does with the server over HTTP and over the socket: it shows the conversation that is open. */
async function isIn(page: Page): Promise<void> {
  await page.getByTestId('composer-input').waitFor()
  expect(
    await page
      .getByTestId('conn-state')
      .filter({ hasText: /not signed in/ })
      .count(),
  ).toBe(0)
}

test('[SEC19] what another port of the host gets of a browser opens nothing', async () => {
  const page = await scene.enter()
  await isIn(page)
  expect(page.url()).not.toContain('page-key')
  const { url, cookies } = await otherPort()
  const visit = await scene.context.newPage()
  await visit.goto(url)
  const cookie = cookies[0] ?? ''
  expect(cookie).toMatch(/^holdfast_/)
  expect(await visit.evaluate('Object.keys(localStorage)')).toEqual([])
  await visit.close()
  const api = `${scene.holdfast.url}/api/v1`
  const headers = { cookie, origin: scene.holdfast.url, 'content-type': 'application/json' }
  expect((await fetch(`${api}/conversations`, { headers })).status).toBe(401)
  const body = JSON.stringify({ commandId: 'command_of_a_thief' })
  expect((await fetch(`${api}/conversations`, { method: 'POST', headers, body })).status).toBe(401)
})

test('[SEC19] a reload, another tab, a link in both and another start of the server go on without a sign-in', async () => {
  const page = await scene.enter()
  await isIn(page)
  await say(page, 'Hello')
  await untilTurn(page, 'completed')
  await page.reload()
  await untilTurn(page, 'completed')
  const second = await scene.openTab(`${scene.holdfast.url}/`)
  await untilTurn(second, 'completed')
  const third = await scene.openTab(`${scene.holdfast.url}/?token=${scene.holdfast.token}`)
  await untilTurn(third, 'completed')
  for (const tab of [page, second]) {
    await tab.reload()
    await untilTurn(tab, 'completed')
  }
  await scene.restart(async () => {})
  for (const tab of [page, second, third]) {
    await say(tab, 'And again')
    await untilTurn(tab, 'completed')
  }
})

test('[UI116] a page whose token was rotated shows nothing of what it showed, and neither does its tab', async () => {
  const page = await scene.enter()
  await say(page, 'Tell me of the secret garden')
  await untilTurn(page, 'completed')
  await expect.poll(() => page.title()).toMatch(/garden|demo/i)
  const shown = await page.locator('body').innerText()
  expect(shown).toContain('secret garden')
  const args = [join(ROOT, 'apps', 'holdfast', 'bin', 'holdfast.js'), 'token', 'rotate', '--data-dir', scene.dataDir]
  const code = await new Promise<number | null>((resolve) => {
    const child = execFile(process.execPath, args, { timeout: 60_000 }, () => resolve(child.exitCode))
  })
  expect(code).toBe(0)
  await page.locator('main[data-testid=conn-state][data-state=signed-out]').waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/secret garden|Settings|New conversation/)
  expect(await page.locator('nav, .sidebar, .bar').count()).toBe(0)
  expect(await page.title()).toContain('This browser is not signed in')
  await shots(page, 'signed-out')
  await page.goto(`${scene.holdfast.url}/settings/inbox`)
  await page.locator('main[data-state=signed-out]').waitFor()
  expect(await page.locator('body').innerText()).not.toContain('secret garden')
})

test('[SEC19] a tab that is signed out goes on when the browser comes in by another one', async () => {
  const browser = await thriftyContext(scene.browser, {})
  const { page } = await openPage(browser, `${scene.holdfast.url}/`)
  await page.locator('[data-testid=conn-state][data-state=signed-out]').waitFor()
  const entered = await browser.newPage()
  await entered.goto(`${scene.holdfast.url}/?token=${scene.holdfast.token}`)
  await isIn(entered)
  await isIn(page)
  await browser.close()
})

test('[SEC19] files are saved and pictures of agents are shown on a phone too', async () => {
  const phone = await thriftyContext(scene.browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const { page, offences } = await openPage(phone, `${scene.holdfast.url}/?token=${scene.holdfast.token}`)
  await isIn(page)
  // Where there is no keyboard, Enter begins a line.
  await page.getByTestId('composer-input').fill('Hello')
  await page.getByTestId('send').tap()
  await untilTurn(page, 'completed')
  await page.goto(`${scene.holdfast.url}/settings/data`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Markdown' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.md$/)
  expect(await readFile(await download.path(), 'utf8')).toContain('Hello')
  await page.goto(`${scene.holdfast.url}/settings/agents`)
  await page.getByRole('button', { name: 'New agent' }).click()
  const editor = page.getByTestId('agent-editor')
  await editor.getByLabel('Name', { exact: true }).fill('Ada')
  const icon = join(import.meta.dirname, '..', 'public', 'icon-192.png')
  await editor.getByLabel('Choose a picture…').setInputFiles(icon)
  await editor.getByTestId('picture-shown').locator('img').waitFor()
  await editor.getByRole('button', { name: 'Save' }).click()
  const picture = page.getByTestId('agent-row').locator('img')
  await picture.waitFor()
  await expect
    .poll(() => page.evaluate(`document.querySelector('[data-testid=agent-row] img').naturalWidth`))
    .toBeGreaterThan(0)
  await page.reload()
  await picture.waitFor()
  expect(offences).toEqual([])
  await phone.close()
})
