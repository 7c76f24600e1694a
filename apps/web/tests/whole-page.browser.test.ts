import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { replyText, say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({})

/** Says something and waits for the whole reply. */
async function ask(page: Page, words: string): Promise<void> {
  const before = await page.getByTestId('turn').count()
  await say(page, words)
  await expect.poll(() => page.getByTestId('turn').count()).toBe(before + 1)
  await untilTurn(page, 'completed')
}

test('[PRJ6] an edited message becomes a branch, and both are there to be read', async () => {
  const page = await scene.enter()
  await ask(page, 'First words')
  await ask(page, 'Second words')
  await page.getByTestId('msg-user').last().hover()
  const edited = page.getByLabel('Edited message')
  await expect
    .poll(async () => {
      if (!(await edited.isVisible())) await page.getByRole('button', { name: 'Edit message' }).last().click()
      return edited.isVisible()
    })
    .toBe(true)
  await edited.fill('Other words')
  await page.getByRole('button', { name: 'Save and send' }).click()
  await page.getByTestId('branch').waitFor()
  await untilTurn(page, 'completed')
  await expect.poll(() => page.getByTestId('branch').getAttribute('data-state')).toBe('2/2')
  await expect.poll(() => page.getByTestId('msg-user').allInnerTexts()).toHaveLength(2)
  await expect
    .poll(() => page.getByTestId('accounting-line').innerText())
    .toContain('Message edited · 2 messages set aside')
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await page.locator('[data-testid=branch][data-state="1/2"]').waitFor()
  await expect.poll(() => page.getByTestId('msg-user').last().innerText()).toContain('Second words')
  await page.getByRole('button', { name: 'Retry reply' }).last().click()
  await page.locator('[data-testid=branch][data-state="3/3"]').waitFor()
  await untilTurn(page, 'completed')
  await page.reload()
  await page.locator('[data-testid=branch][data-state="3/3"]').waitFor()
  const address = page.url()
  await page.getByRole('button', { name: 'Branch from here' }).last().click()
  await page.waitForURL((url) => url.href !== address)
  await expect.poll(() => page.getByTestId('turn').count()).toBe(2)
  await expect.poll(() => page.getByTestId('conv-row').count()).toBe(2)
}, 60_000)

test('[REQ1] the inspector shows what will be sent and what was sent', async () => {
  const page = await scene.enter()
  await ask(page, 'Words of the first message')
  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  await page.getByRole('button', { name: 'Show the exact request' }).click()
  const next = page.getByTestId('inspector-request').getByTestId('request-view')
  await next.getByText('Words of the first message').first().waitFor()
  await page.getByRole('button', { name: 'Receipt' }).click()
  const receipt = page.getByTestId('receipt')
  await receipt.waitFor()
  await expect.poll(() => receipt.getAttribute('data-state')).toBe('exact')
  await expect.poll(() => receipt.innerText()).toContain('Words of the first message')
  await expect.poll(() => page.getByTestId('inspector-cost').innerText()).toContain('demo')
  await page.goBack()
  await expect.poll(() => page.getByTestId('inspector').count()).toBe(0)
})

test('[SYNC4] a conversation is named, found, archived, and brought back', async () => {
  const page = await scene.enter()
  await ask(page, 'About walnuts and hedgehogs')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByLabel('Title').fill('A walk in autumn')
  await page.getByLabel('Title').press('Enter')
  await page.getByRole('heading', { level: 1, name: 'A walk in autumn' }).waitFor()
  const row = page.getByTestId('conv-row')
  await expect.poll(() => row.innerText()).toContain('A walk in autumn')
  await row.focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Title' }).fill('Two walks')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Two walks' }).waitFor()
  await page.getByPlaceholder('Search').fill('hedgehogs')
  await page.getByTestId('search-hit').first().waitFor()
  await expect.poll(() => page.getByTestId('search-hit').first().locator('mark').first().innerText()).toBe('hedgehogs')
  await page.getByPlaceholder('Search').fill('')
  await row.focus()
  await page.keyboard.press('Delete')
  await page.getByText('Archived “Two walks”').waitFor()
  await expect.poll(() => row.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { level: 1, name: 'Two walks' }).waitFor()
  await row.waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the main states, ${colorScheme}`, async () => {
    const page = await scene.enter()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
    await ask(page, '/demo markdown-torture')
    await expect.poll(() => replyText(page)).not.toBe('')
    await page.getByRole('button', { name: 'Inspector', exact: true }).click()
    await page.getByRole('button', { name: 'Show the exact request' }).click()
    await page.getByTestId('request-view').waitFor()
    await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
    await page.getByRole('button', { name: 'Close inspector' }).click()
    await say(page, '/demo stream-long')
    await untilTurn(page, 'streaming')
    await page.getByTestId('stop').press('Enter')
    await untilTurn(page, 'stopped')
    await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  }, 60_000)
}
