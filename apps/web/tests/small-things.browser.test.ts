import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({ reply: { parts: [{ type: 'text', text: 'An answer.' }] } })

test('[UI36] a canvas closes with its conversation, and the inspector stays open beside the next one', async () => {
  const page = await scene.enter()
  const dock = page.locator('[data-region=dock]')
  const fresh = page
    .getByRole('link', { name: 'New conversation' })
    .or(page.getByRole('button', { name: 'New conversation' }))
  for (const [tab, isKept] of [
    ['canvas', false],
    ['inspector', true],
  ] as const) {
    await fresh.first().click()
    await say(page, `Beside the ${tab}`)
    await untilTurn(page, 'completed')
    const address = new URL(page.url())
    address.searchParams.set('dock', tab)
    await page.goto(address.href)
    await expect.poll(() => dock.getAttribute('data-tab')).toBe(tab)
    await page.getByTestId('conv-row').last().click()
    if (tab === 'canvas') {
      // The same conversation: nothing is left.
      await expect.poll(() => dock.getAttribute('data-tab')).toBe(tab)
    }
    await fresh.first().click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('New conversation')
    await say(page, 'The next one')
    await untilTurn(page, 'completed')
    await expect.poll(() => dock.count()).toBe(isKept ? 1 : 0)
  }
}, 90_000)

test('[UI36] the list of keys is opened where the slash is written with Shift too', async () => {
  const page = await scene.enter()
  await page.getByTestId('composer-input').waitFor()
  await page.evaluate(() => {
    const pressed = { key: '/', code: 'Digit7', ctrlKey: true, shiftKey: true, bubbles: true, cancelable: true }
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', pressed))
  })
  await expect.poll(() => page.getByTestId('settings').getAttribute('data-state')).toBe('keyboard')
  await shots(page, 'keys-by-shift')
}, 60_000)
