import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({})

/** Says something in a conversation of its own. */
async function begin(page: Page, words: string): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await say(page, words)
  await untilTurn(page, 'completed')
}

/** Calls a route as a program does. */
async function call(path: string, body: object): Promise<number> {
  const { url, token } = scene.holdfast
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.status
}

test('[UI20] an at sign names a conversation, which goes along as a chip and is sent with what was said in it', async () => {
  const page = await scene.enter()
  await say(page, 'About walnuts and hedgehogs')
  await untilTurn(page, 'completed')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByLabel('Title').fill('Walnut notes')
  await page.getByLabel('Title').press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Walnut notes' }).waitFor()
  await begin(page, 'Hello')

  const input = page.getByTestId('composer-input')
  await input.pressSequentially('Compare with @walnut')
  await page
    .getByTestId('mention-menu')
    .getByRole('option', { name: /Walnut notes/ })
    .click()
  const chip = page.getByTestId('along-chip')
  await expect.poll(() => chip.innerText()).toContain('Walnut notes')
  await expect.poll(() => input.inputValue()).toBe('Compare with @"Walnut notes" ')
  await expect.poll(() => axeProblems(page)).toEqual([])

  await page.reload()
  await chip.waitFor()
  await page.getByRole('button', { name: 'Remove Walnut notes' }).click()
  await chip.waitFor({ state: 'detached' })
  await input.fill('Compare @walnut')
  await page
    .getByTestId('mention-menu')
    .getByRole('option', { name: /Walnut notes/ })
    .click()
  await chip.waitFor()
  await input.press('Enter')
  const sent = page.getByTestId('sent-along')
  await sent.waitFor()
  await chip.waitFor({ state: 'detached' })
  await sent.locator('summary').click()
  await expect.poll(() => sent.innerText()).toContain('User: About walnuts and hedgehogs')
  await untilTurn(page, 'completed')
  await sent.getByRole('link', { name: 'Open' }).click()
  await page.getByRole('heading', { level: 1, name: 'Walnut notes' }).waitFor()
}, 90_000)

test('[CANVAS7] an element of the canvas goes along with what it shows, also when the message is written anew', async () => {
  const page = await scene.enter()
  await say(page, '/demo canvas-dashboard')
  await untilTurn(page, 'completed')
  const element = page.locator('[data-testid=canvas-el][data-type=table]').first()
  await element.waitFor()
  await element.getByRole('button', { name: /^More about/ }).click()
  await page.getByRole('menuitem', { name: 'Ask about this' }).click()
  const chip = page.getByTestId('along-chip')
  await chip.waitFor()
  const name = await element.getByRole('heading').innerText()
  await expect.poll(() => chip.innerText()).toContain(name)
  await page.getByTestId('composer-input').fill('What is this?')
  await page.getByTestId('composer-input').press('Enter')
  const reference = page.getByTestId('canvas-reference')
  await expect.poll(() => reference.innerText()).toContain(name)
  await reference.locator('summary').click()
  await expect.poll(() => reference.locator('pre').innerText()).toContain('"rows"')
  await untilTurn(page, 'completed')
  await page.getByTestId('msg-user').last().hover()
  await page.getByRole('button', { name: 'Edit message' }).last().click()
  await page.getByLabel('Edited message').fill('And what was it?')
  await page.getByRole('button', { name: 'Save and send' }).click()
  await page.getByTestId('branch').waitFor()
  await expect.poll(() => reference.innerText()).toContain(name)
  await untilTurn(page, 'completed')
}, 90_000)

test('[UI20, SYNC6] a suggestion of a program reaches every open tab at once, and typed words and the caret stay', async () => {
  const page = await scene.enter()
  await say(page, 'Hello')
  await untilTurn(page, 'completed')
  const other = await scene.openTab(page.url())
  const id = /\/c\/([^/?]+)/.exec(page.url())?.[1] ?? ''
  await page.bringToFront()
  const input = page.getByTestId('composer-input')
  const kept = page.waitForResponse(
    (answer) => answer.url().endsWith('/composer') && answer.request().method() === 'PUT',
  )
  await input.fill('half a thought')
  await kept
  await input.press('Home')
  const content = [
    { type: 'element', selector: 'input#email', html: '<input id="email">', url: 'http://localhost:5173/signup' },
    { type: 'error', text: 'TypeError: form is null', url: 'http://localhost:5173/signup' },
    { type: 'link', url: 'https://example.org/', title: 'The manual' },
    { type: 'text', text: 'Fix the form' },
  ]
  expect(await call(`/conversations/${id}/composer/append`, { content })).toBe(200)
  for (const tab of [page, other]) {
    const chips = tab.getByTestId('along-chip')
    await expect.poll(() => chips.allInnerTexts()).toHaveLength(3)
    await expect.poll(() => tab.getByTestId('composer-input').inputValue()).toBe('half a thought\n\nFix the form')
  }
  await expect.poll(() => page.getByTestId('along-chip').first().innerText()).toContain('input#email')
  await input.pressSequentially('Only ')
  await expect.poll(() => input.inputValue()).toBe('Only half a thought\n\nFix the form')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove The manual' }).click()
  await expect.poll(() => other.getByTestId('along-chip').count()).toBe(2)
  await input.press('Enter')
  await expect.poll(() => page.getByTestId('sent-along').count()).toBe(2)
  for (const tab of [page, other]) await expect.poll(() => tab.getByTestId('along-chip').count()).toBe(0)
  await untilTurn(page, 'completed')
}, 90_000)
