import { expect, test } from 'vitest'
import { untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({ workspace: { 'harbour.txt': 'boats', 'notes.md': '# Notes' } })

test('[UI1] a slash lists what the page can do, and Enter does it', async () => {
  const page = await scene.enter()
  const input = page.getByTestId('composer-input')
  const menu = page.getByTestId('mention-menu')
  await input.pressSequentially('/')
  await menu.getByRole('option', { name: /^new/ }).waitFor()
  await expect.poll(() => menu.innerText()).toContain('Show something with the demo model')
  await shots(page, 'commands')
  await input.fill('')
  await input.pressSequentially('/theme dark')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await input.inputValue()).toBe('')
  expect(await page.getByTestId('turn').count()).toBe(0)

  await input.pressSequentially('/demo thi')
  await menu.getByRole('option', { name: /demo thinking/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => input.inputValue()).toBe('/demo thinking')
  await page.keyboard.press('Enter')
  await untilTurn(page, 'completed')

  await input.fill('/context')
  await page.keyboard.press('Enter')
  await page.getByTestId('inspector').waitFor()
}, 60_000)

test('[UI1] a command that there is not is sent as a message only after a second press', async () => {
  const page = await scene.enter()
  const input = page.getByTestId('composer-input')
  await input.fill('/frobnicate the boats')
  await input.press('Enter')
  await page.getByText('There is no command /frobnicate.').waitFor()
  expect(await page.getByTestId('turn').count()).toBe(0)
  await page.getByRole('button', { name: 'Send as message' }).click()
  await untilTurn(page, 'completed')
  await expect.poll(() => page.getByTestId('msg-user').innerText()).toContain('/frobnicate the boats')
}, 60_000)

test('[UI1] an at sign names files of the workspace, agents and conversations', async () => {
  const page = await scene.enter()
  const input = page.getByTestId('composer-input')
  await input.pressSequentially('Look at @harb')
  const menu = page.getByTestId('mention-menu')
  await menu.getByRole('option', { name: /harbour\.txt/ }).waitFor()
  await shots(page, 'mentions')
  await page.keyboard.press('Enter')
  await expect.poll(() => input.inputValue()).toBe('Look at @harbour.txt ')
  await input.pressSequentially('and @Hold')
  await menu.getByRole('option', { name: /Holdfast/ }).waitFor()
}, 60_000)
