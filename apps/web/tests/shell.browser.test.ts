import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { palette } from './support/palette.ts'
import { toSection } from './support/settings-section.ts'

const scene = liveScene({})

/** What has the focus: its test id, its label or its words. */
const FOCUSED = `(() => {
  const { activeElement: e } = document
  return e.dataset.testid ?? e.getAttribute('aria-label') ?? e.textContent.trim()
})()`

const WIDER = 'document.documentElement.scrollWidth - innerWidth'

test('[UI1] by the keyboard alone one writes, stops, renames, searches, pins, archives, and takes that back', async () => {
  const page = await scene.enter()
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('composer-input')
  await page.keyboard.type('/demo stream-long')
  await page.keyboard.press('Enter')
  await untilTurn(page, 'streaming')
  await palette(page, 'stop')
  await page.keyboard.press('Enter')
  await untilTurn(page, 'stopped')
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('composer-input')

  await palette(page, 'rename')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Title')
  await page.keyboard.type('Kept by keys')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Kept by keys')

  await palette(page, 'pin this')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pinned' }).waitFor()
  await page.keyboard.press('Control+Shift+f')
  await expect.poll(() => page.locator(':focus').getAttribute('type')).toBe('search')
  await page.keyboard.type('Kept')
  await expect.poll(() => page.getByTestId('conv-row').count()).toBe(1)

  await palette(page, 'archive this')
  await page.keyboard.press('Enter')
  await page.getByTestId('toast').waitFor()
  await expect.poll(() => page.getByTestId('conv-row').count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await page.getByTestId('turn').first().waitFor()
  await page.getByRole('heading', { name: 'Pinned' }).waitFor()
}, 60_000)

test('[UI1] F6 goes from part to part and back to where one was, and the palette gives the focus back', async () => {
  const page = await scene.enter()
  await say(page, '/demo cjk')
  await untilTurn(page, 'completed')
  await page.keyboard.press('Control+j')
  await page.getByTestId('inspector').waitFor()
  await page.getByTestId('composer-input').focus()
  const parts: unknown[] = []
  for (let press = 0; press < 4; press += 1) {
    await page.keyboard.press('F6')
    parts.push(
      await page.evaluate("document.activeElement.closest('nav, [role=log], form, aside').getAttribute('aria-label')"),
    )
  }
  expect(parts).toEqual(['Workspace dock', 'Conversations', 'Conversation', 'Composer'])
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('composer-input')
  await page.getByTestId('conv-row').first().focus()
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette').waitFor()
  await page.keyboard.press('Escape')
  await page.getByTestId('palette').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('conv-row')
})

test('[UI2] Esc takes one step at a time: it closes, then stops, and never touches what was written', async () => {
  const page = await scene.enter()
  await say(page, '/demo stream-long')
  await untilTurn(page, 'streaming')
  await page.getByTestId('composer-input').fill('a draft')
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette').waitFor()
  await page.keyboard.press('Escape')
  await page.getByTestId('palette').waitFor({ state: 'detached' })
  await untilTurn(page, 'streaming')
  await page.keyboard.press('Escape')
  await untilTurn(page, 'stopped')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('a draft')
})

test('[UI4] a theme, a size and keys are chosen, hold in every tab, and are there before the first paint', async () => {
  const page = await scene.enter()
  await page.keyboard.press('Control+,')
  await page.getByTestId('settings').waitFor()
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Appearance')
  const other = await scene.openTab(scene.holdfast.url)
  await page.getByLabel('Theme').selectOption('high-contrast')
  await page.getByLabel('Text size').selectOption('20')
  await page.getByLabel('Motion').selectOption('reduced')
  await expect.poll(() => other.locator('html').getAttribute('data-theme')).toBe('high-contrast')
  await expect
    .poll(() =>
      other.evaluate('getComputedStyle(document.body).color + getComputedStyle(document.documentElement).fontSize'),
    )
    .toBe('rgb(0, 0, 0)20px')
  await expect.poll(() => axeProblems(page)).toEqual([])

  // The page's own script is kept away: what is seen now is what is seen first.
  await other.route(/\/assets\/index-.*\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await other.reload({ waitUntil: 'commit' })
  await expect
    .poll(() => other.evaluate('document.documentElement.dataset.theme + document.documentElement.style.fontSize'))
    .toBe('high-contrast125%')

  await page.getByRole('link', { name: 'Keyboard' }).click()
  await page.getByRole('button', { name: 'Change the keys for Command palette' }).click()
  await page.keyboard.press('Control+b')
  await page.getByText('Ctrl + B is taken by').waitFor()
  await page.getByRole('button', { name: 'Change the keys for Command palette' }).click()
  await page.keyboard.press('Control+Shift+p')
  await expect.poll(() => page.getByRole('row', { name: /^Command palette/ }).innerText()).toContain('Ctrl + Shift + P')
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+Shift+p')
  await page.getByTestId('palette').waitFor()
  await expect.poll(() => axeProblems(page)).toEqual([])
})

test('[UI4] what was reset and archived is brought back, and what is deleted is asked for twice', async () => {
  const page = await scene.enter()
  await say(page, '/demo cjk')
  await untilTurn(page, 'completed')
  await page.getByTestId('conv-row').focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => page.getByTestId('conv-row').count()).toBe(0)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByRole('button', { name: 'Reset appearance' }).click()
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('system')
  await page.getByTestId('toast').filter({ hasText: 'as usual' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.getByRole('link', { name: 'Data' }).click()
  await page
    .getByTestId('archived-row')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByTestId('archived-row').getByRole('button', { name: 'Keep' }).click()
  await page
    .getByTestId('archived-row')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page
    .getByTestId('archived-row')
    .getByRole('button', { name: /^Really delete/ })
    .click({ force: true })
  await expect.poll(() => page.getByTestId('archived-row').count()).toBe(1)
  await page.getByLabel('Write “delete”').fill('delete')
  await page.getByLabel('Write “delete”').press('Enter')
  await page.getByText('Nothing is archived.').waitFor()
})

test('[UI5] from right to left and in wide scripts nothing is wider than the screen, and nothing is cut off', async () => {
  const page = await scene.enter()
  await say(page, '/demo cjk')
  await untilTurn(page, 'completed')
  await say(page, '/demo rtl')
  await untilTurn(page, 'completed')
  await page.evaluate(`localStorage.setItem('holdfast.preferences', JSON.stringify({ direction: 'rtl' }))`)
  for (const width of [1440, 640, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await page.reload()
    await page.getByTestId('turn').first().waitFor()
    await expect.poll(() => page.evaluate(WIDER)).toBe(0)
    const words = page.getByTestId('msg-assistant').first().locator('.words')
    await expect
      .poll(() => words.evaluate((element) => element.scrollWidth - element.clientWidth))
      .toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1440, height: 800 })
  // The list comes in from its side.
  await expect.poll(async () => (await page.locator('.sidebar').boundingBox())?.x ?? 0).toBeGreaterThan(1_000)
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.goto(`${scene.holdfast.url}/settings/appearance`)
  for (const section of ['appearance', 'models', 'permissions', 'keyboard', 'data']) {
    await toSection(page, section)
    await expect.poll(() => page.evaluate(WIDER)).toBe(0)
  }
}, 60_000)

test('[SYNC4] what was found leads to its message, and what was written behind one’s back is marked as unread', async () => {
  const page = await scene.enter()
  await say(page, 'the heron by the weir')
  await untilTurn(page, 'completed')
  await say(page, '/demo stream-fast')
  await untilTurn(page, 'completed')
  await expect.poll(() => page.locator('[data-unread]').count()).toBe(0)
  await say(page, '/demo thinking')
  await untilTurn(page, 'streaming')
  await page.getByRole('button', { name: 'New conversation' }).click()
  await expect.poll(() => page.locator('[data-unread]').count()).toBe(1)
  await page.keyboard.press('Control+Shift+f')
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
  await page.keyboard.type('heron weir')
  await page.getByTestId('search-hit').first().waitFor()
  const places = await page
    .getByTestId('search-hit')
    .evaluateAll((hits) => hits.map((hit) => Number(hit.getAttribute('href')?.split('m=')[1])))
  await page
    .getByTestId('search-hit')
    .nth(places.indexOf(Math.min(...places)))
    .click()
  const found = page.getByTestId('msg-user').filter({ hasText: 'the heron by the weir' })
  await expect.poll(() => found.evaluate((element) => element === document.activeElement)).toBe(true)
  await expect.poll(() => found.evaluate((element) => element.getBoundingClientRect().top > 0)).toBe(true)
  await expect.poll(() => page.url()).toMatch(/\?m=\d+/)
  await expect.poll(() => page.locator('[data-unread]').count()).toBe(0)
}, 60_000)

test('[SEC4] a provider is connected, tested and removed, and its key is shown to nobody again', async () => {
  const seen: string[] = []
  const vendor = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'little-heron', object: 'model' }] }))
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const address = vendor.address()
  const port = typeof address === 'object' && address ? address.port : 0
  try {
    const page = await scene.enter()
    await page.keyboard.press('Control+,')
    await page.getByRole('link', { name: 'Models and providers' }).click()
    await page.getByRole('button', { name: 'Connect a provider' }).click()
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('other')
    await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/v1`)
    await page.getByLabel('Key, if it needs one').fill('secret-heron-9f2c')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const row = page.getByTestId('provider-row').filter({ hasText: `127.0.0.1:${port}` })
    await expect.poll(() => row.innerText()).toContain('key ending …9f2c')
    await page.getByText('little-heron').first().waitFor()
    await row.getByRole('button', { name: /^Test/ }).click()
    await expect.poll(() => row.getAttribute('data-state')).toBe('failed')
    expect(seen.some((line) => line.includes('/v1/models') && line.includes('secret-heron-9f2c'))).toBe(true)
    await expect.poll(() => page.content()).not.toContain('secret-heron')
    await expect.poll(() => axeProblems(page)).toEqual([])
    await row.getByRole('button', { name: /^Remove/ }).click()
    await row.waitFor({ state: 'detached' })
  } finally {
    vendor.close()
  }
})
