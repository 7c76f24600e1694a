import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({ workspace: {} })

async function ask(page: Page, words: string): Promise<void> {
  const before = await page.getByTestId('turn').count()
  await say(page, words)
  await expect.poll(() => page.getByTestId('turn').count()).toBe(before + 1)
  await untilTurn(page, 'completed')
}

test('[UI1] Up in the empty field brings the last message back, and an edit begins at the end of its words', async () => {
  const page = await scene.enter()
  await ask(page, 'First words')
  await ask(page, 'Second words')
  const field = page.getByTestId('composer-input')
  await field.press('ArrowUp')
  await expect.poll(() => field.inputValue()).toBe('Second words')
  await field.fill('')
  await page.getByTestId('msg-user').last().hover()
  await page.getByRole('button', { name: 'Edit message' }).last().click()
  const edited = page.getByLabel('Edited message')
  await expect.poll(() => edited.evaluate((area) => 'selectionStart' in area && area.selectionStart)).toBe(12)
  await page.keyboard.type(', changed')
  await expect.poll(() => edited.inputValue()).toBe('Second words, changed')
  await page.keyboard.press('Enter')
  await page
    .getByTestId('accounting-line')
    .getByText(/in · .* out · .* cache read · .* cache write/)
    .waitFor()
}, 60_000)

test('[UI1] a copied reply has its form beside its text', async () => {
  await scene.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await scene.enter()
  await ask(page, '/demo markdown-torture')
  await page.getByTestId('msg-assistant').last().hover()
  await page.getByRole('button', { name: 'Copy reply' }).last().click()
  const copied = (type: string) =>
    page.evaluate(`navigator.clipboard.read().then(async ([item]) => (await item.getType('${type}')).text())`)
  await expect
    .poll(() => copied('text/html'))
    .toMatch(/<h3>Heading<\/h3>.*<strong>strong<\/strong>.*<ol start="1"><li>.*<pre>/s)
  await expect.poll(() => copied('text/html')).not.toContain('Copy code')
  await expect.poll(() => copied('text/plain')).toContain('```')
}, 60_000)

test('[UI1] every tab says in its title when a conversation waits for the person', async () => {
  const page = await scene.enter()
  const other = await scene.openTab(`${scene.holdfast.url}/`)
  await say(page, '/demo permission')
  await page.getByTestId('permission-card').first().waitFor()
  await expect.poll(() => other.title()).toContain('Needs you')
}, 60_000)

test('[UI1] the palette is there within 50 ms, the first time too', async () => {
  const page = await scene.enter()
  await page.waitForTimeout(500)
  const tookMs: number = await page.evaluate(`new Promise((resolve) => {
    const from = performance.now()
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[data-testid=palette]')) return
      observer.disconnect()
      resolve(performance.now() - from)
    }).observe(document.body, { childList: true, subtree: true })
    const chord = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }
    document.querySelector('#composer-input').dispatchEvent(new KeyboardEvent('keydown', chord))
  })`)
  expect(tookMs).toBeLessThan(50)
}, 60_000)
