import type { ReplyPart, SeenRequest } from '@holdfast/conformance'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const LONG = 'A line of words that is said once more. '.repeat(300)

const scene = liveScene({ reply: (request) => ({ parts: [partFor(request)] }) })

/** The first turn calls a tool; what is asked after its result does not. */
function partFor({ body }: SeenRequest): ReplyPart {
  const words = JSON.stringify(body)
  if (!/"tools":\[\{/.test(words) || words.includes('tool_result'))
    return { type: 'text', text: 'An answer of a few words.' }
  return { type: 'tool-call', name: 'todo', input: { tasks: [{ text: 'Write the list', state: 'open' }] } }
}

/** Where the field stands. */
function fieldTop(page: Page): Promise<number | undefined> {
  return page
    .getByTestId('composer-input')
    .boundingBox()
    .then((box) => box?.y)
}

test('[COST3, CACHE4, REQ5, CHK4, TOOL10] the composer says what the next message costs while it is written, and what a switch of model or tools or an edit would break', async () => {
  const page = await scene.enter()
  await say(page, `First: ${LONG}`)
  await untilTurn(page, 'completed')
  await say(page, `Second: ${LONG}`)
  await expect.poll(() => page.locator('[data-testid=turn][data-state=completed]').count()).toBe(2)

  const price = page.getByTestId('next-price')
  await expect.poll(() => price.getAttribute('data-state')).toBe('warm')
  await expect.poll(() => price.innerText()).toMatch(/Next message: ≈ .*\$0\.\d+.* estimated/)
  await expect.poll(() => price.innerText()).toMatch(/cache warm [0-4]:\d\d/)
  const before = await price.locator('span').first().getAttribute('title')
  const top = await fieldTop(page)
  await page.getByTestId('composer-input').fill('One line more, of words.')
  await expect.poll(() => price.locator('span').first().getAttribute('title')).not.toBe(before)
  await expect.poll(() => fieldTop(page)).toBe(top)

  const picker = page.getByTestId('model-picker')
  const chosen = await picker.inputValue()
  const other = 'anthropic/claude-sonnet-4-5'
  await picker.selectOption(other)
  const asked = page.getByTestId('switch-price')
  await expect.poll(() => asked.innerText()).toMatch(/tokens of the prompt cache are lost, ≈ .* more \(estimated\)/)
  await asked.getByRole('button', { name: 'Keep' }).click()
  await expect.poll(() => picker.inputValue()).toBe(chosen)

  await page.getByTestId('msg-user').first().hover()
  await page.getByTestId('msg-user').first().getByRole('button', { name: 'Edit message' }).click()
  await expect.poll(() => page.getByTestId('edit-price').innerText()).toMatch(/Asked anew:? ≈ .*lost/)
  await page.getByRole('button', { name: 'Cancel' }).click()

  const pin = page.getByTestId('msg-user').first().getByTestId('pin')
  await pin.click()
  await expect.poll(() => pin.getAttribute('aria-pressed')).toBe('true')

  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  await page.getByRole('button', { name: 'Show the exact request' }).click()
  await expect.poll(() => page.getByTestId('cache-boundary').innerText()).toContain('are read from the cache')
  await expect.poll(() => page.getByTestId('request-view').innerText()).toContain('all of the conversation')
  await expect.poll(() => page.getByTestId('left-out').innerText()).toContain('never of a request')

  // A result that is left out is a mark in the next request, after its price, and comes back as it was.
  const card = page.getByTestId('tool-card')
  await card.locator('.tool-head').click()
  const exclusion = card.getByTestId('exclude-result')
  await exclusion.getByRole('button', { name: 'Leave out of what is sent' }).click()
  await expect.poll(() => exclusion.getByRole('alert').innerText()).toMatch(/tokens of the prompt cache are lost/)
  await shots(page, 'exclusion-price')
  await exclusion.getByRole('button', { name: 'Leave out of what is sent' }).last().click()
  await expect.poll(() => exclusion.getAttribute('data-state')).toBe('excluded')
  await expect.poll(() => card.getByTestId('excluded-mark').innerText()).toBe('left out')
  await expect.poll(() => page.getByTestId('request-view').textContent()).toContain('left this result out')
  await expect.poll(() => page.getByTestId('left-out').innerText()).toContain('1 result: left out by you')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'exclusion')
  const row = page.getByTestId('request-view').locator('details').filter({ hasText: 'result · todo' })
  await row.locator('summary').click()
  await row.getByRole('button', { name: 'Send it again' }).click()
  await expect.poll(() => exclusion.getAttribute('data-state')).toBe('sent')
  await expect.poll(() => page.getByTestId('request-view').textContent()).not.toContain('left this result out')

  await picker.selectOption(other)
  await asked.getByRole('button', { name: 'Switch' }).click()
  await expect.poll(() => picker.inputValue()).toBe(other)
  await say(page, 'And now?')
  await expect.poll(() => page.locator('[data-testid=turn][data-state=completed]').count()).toBe(3)
  await expect.poll(() => page.getByTestId('cache-breaks').innerText()).toContain('Another model')
  await expect.poll(() => page.getByTestId('cache-bars').getByRole('listitem').count()).toBeGreaterThan(1)
  await expect
    .poll(() => page.getByTestId('cache-bars').getByRole('listitem').last().textContent())
    .toMatch(/: \d+ % of /)

  // Turning the tools off changes what is sent, and says what that costs first; the same tools chosen by hand do not.
  await page.getByTestId('dock-tab-tools').click()
  const toolMode = page.getByTestId('tool-mode')
  const toolPrice = page.getByTestId('tool-panel').getByTestId('switch-price')
  await toolMode.getByText('all off', { exact: true }).click()
  await expect
    .poll(() => toolPrice.innerText())
    .toMatch(/^all off: ≈ \S+ tokens of the prompt cache are lost, ≈ .*\$\d.* more \(estimated\)/)
  await shots(page, 'tool-price')
  await toolPrice.getByRole('button', { name: 'Keep' }).click()
  await expect.poll(() => toolMode.getAttribute('data-state')).toBe('cached')
  await toolMode.getByText('manual', { exact: true }).click()
  await expect.poll(() => toolMode.getAttribute('data-state')).toBe('manual')
  const todo = page.getByTestId('tool-line').filter({ hasText: 'todo' })
  await todo.getByRole('checkbox').click()
  await expect.poll(() => toolPrice.innerText()).toMatch(/not shown: ≈ \S+ tokens of the prompt cache are lost/)
  await toolPrice.getByRole('button', { name: 'Switch' }).click()
  await expect.poll(() => todo.getAttribute('data-state')).toBe('left-out')
  await page.getByTestId('dock-tab-inspector').click()

  await page.getByLabel('Budget in US dollars').fill('0.0001')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await expect.poll(() => page.getByTestId('budget').innerText()).toContain('Budget')
  await say(page, 'Go on')
  const end = page.getByTestId('end-caption').last()
  await expect.poll(() => end.innerText()).toContain('Raise it to go on')
  const { length } = scene.provider.requests
  await end.getByRole('button', { name: 'Add $1 and go on' }).click()
  await expect.poll(() => page.locator('[data-testid=turn][data-state=completed]').count()).toBe(4)
  expect(scene.provider.requests.length).toBeGreaterThan(length)
  await shots(page, 'price')
})
