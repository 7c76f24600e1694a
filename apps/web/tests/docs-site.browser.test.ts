import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

// Pages are asked for that are not there.
const scene = liveScene({ forgiven: /status of 404/ })

test('[PACK4] the documentation is served under /docs without signing in, and each of its links leads somewhere', async () => {
  const { url } = scene.holdfast
  const first = await fetch(`${url}/docs`)
  expect(first.url).toBe(`${url}/docs/`)
  expect(first.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  const waiting = [first.url]
  const known = new Map<string, string>()
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (known.has(at)) continue
    const response = await fetch(at)
    expect({ at, status: response.status }).toEqual({ at, status: 200 })
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
    const text = isPage ? await response.text() : ''
    known.set(at, text)
    for (const [, href = ''] of text.matchAll(/(?:href|src|srcset)="([^"]+)"/g)) {
      const to = new URL(href.replaceAll('&amp;', '&'), at)
      to.hash = ''
      if (to.href.startsWith(`${url}/docs/`) && to.pathname !== '/docs/api') waiting.push(to.href)
    }
  }
  const pages = [...known].filter(([, text]) => text !== '')
  expect(pages.length).toBeGreaterThan(100)
  for (const [at, text] of pages) {
    expect({ at, inline: /<style|<script(?! src=)|\sstyle="|\son\w+="/.test(text) }).toEqual({ at, inline: false })
    for (const [, href = ''] of text.matchAll(/href="([^"]*#[^"]+)"/g)) {
      const to = new URL(href, at)
      if (to.origin !== url) continue
      const [page = '', id = ''] = to.href.split('#')
      const isThere = known.get(page)?.includes(`id="${decodeURIComponent(id)}"`)
      expect({ at, href, isThere }).toEqual({ at, href, isThere: true })
    }
  }
}, 60_000)

test('[PACK5] a word is found in every page, from the keyboard, and nothing is asked of anybody else', async () => {
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/docs/`)
  await shots(page, 'docs-tour')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.keyboard.press('/')
  await page.keyboard.type('bubblewrap')
  const first = page.locator('#found a').first()
  await first.waitFor()
  await shots(page, 'docs-found')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\.html/)
  await expect.poll(() => page.locator('article').innerText()).toContain('bubblewrap')
  await page.getByRole('searchbox').fill('zzz-nothing')
  await page.getByText('Nothing has zzz-nothing.').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator('article').isVisible()).toBe(true)
  await page.getByRole('searchbox').fill('schedule')
  await expect.poll(() => page.locator('#found a').first().getAttribute('href')).toMatch(/^schedules\.html/)
  for (const asked of ['E_PORT_IN_USE', 'uninstall', 'How do I install it?']) {
    await page.getByRole('searchbox').fill(asked)
    const href = () => page.locator('#found a').first().getAttribute('href')
    await expect.poll(href, { message: asked }).toMatch(/install\.html/)
  }
  await page.setViewportSize({ width: 390, height: 800 })
  for (const name of ['config.html', 'SPEC.html', 'permissions.html', 'packages/client.html', 'api']) {
    await page.goto(`${scene.holdfast.url}/docs/${name}`)
    expect({ name, width: await page.evaluate(() => document.documentElement.scrollWidth) }).toEqual({
      name,
      width: 390,
    })
  }
}, 60_000)

test('[PACK4] where there is no page stands one that leads to the beginning, however deep it was looked for', async () => {
  const page = await scene.enter()
  for (const name of ['no-such.html', 'packages/no-such.html', 'a/b/c?d=/docs/e']) {
    const answer = await page.goto(`${scene.holdfast.url}/docs/${name}`)
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    expect(await page.evaluate(() => document.styleSheets[0]?.cssRules.length ?? 0)).toBeGreaterThan(0)
    await expect.poll(() => axeProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'To the beginning' }).click()
    await page.waitForURL(`${scene.holdfast.url}/docs/index.html`)
  }
}, 60_000)

test('[PACK4] a page is found without an ending and with that of its source, at its heading', async () => {
  const page = await scene.enter()
  for (const name of ['install', 'install/', 'install.md', 'decisions/0088-the-program-is-a-bundle.md']) {
    await page.goto(`${scene.holdfast.url}/docs/${name}#later-versions`)
    const html = `${name.replace(/(\.md|\/)$/, '')}.html`
    expect(page.url()).toBe(`${scene.holdfast.url}/docs/${html}#later-versions`)
  }
}, 60_000)
