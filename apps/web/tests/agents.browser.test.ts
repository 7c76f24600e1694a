import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const LONG = 'A line of words that is said once more. '.repeat(300)

const scene = liveScene({
  reply: { parts: [{ type: 'text', text: 'An answer of a few words.' }] },
  // The refused avatar.
  forgiven: /status of 400/,
})

/** How wide the picture of an agent is by itself, in pixels; null while there is none. */
async function drawnSidePx(place: Locator): Promise<number | null> {
  const picture = place.locator('[data-testid=agent-mark] img')
  return (await picture.count()) === 0
    ? null
    : picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : null))
}

test('[AGENT4] an agent is written, begins a conversation with its starter, is switched at a price that is told first, and deleted', async () => {
  const page = await scene.enter()
  await expect.poll(() => page.getByTestId('agent-picker').count()).toBe(0)

  await page.goto(`${scene.holdfast.url}/settings/agents`)
  await page.getByRole('button', { name: 'Show Holdfast' }).click()
  const view = page.getByTestId('agent-view')
  await expect.poll(() => view.innerText()).toMatch(/Answers with nothing set for it[\s\S]*As the conversation/)
  await view.getByRole('button', { name: 'Close' }).click()
  await view.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New agent' }).click()
  const editor = page.getByTestId('agent-editor')
  await editor.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await editor.getByLabel('Emoji or letters').fill('much too long')
  await editor.getByLabel('Instructions').fill(`You are Ada. ${LONG}`)
  await editor.getByLabel('Starters, one a line').fill('Explain the engine\nCheck my proof')
  await editor.getByLabel('Permissions').selectOption('plan')
  await editor.getByRole('combobox', { name: /^Tools/ }).selectOption('manual')
  const chooser = editor.getByTestId('tool-chooser')
  await chooser.getByLabel('Search tools').fill('tasks')
  await chooser.getByText('todo', { exact: true }).click()
  await chooser.getByLabel('Search tools').fill('')
  await chooser.getByText('memory_list', { exact: true }).click()
  await expect.poll(() => chooser.getByRole('status').innerText()).toMatch(/^2 chosen · ≈ \d+ tokens in every request$/)
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => editor.getByRole('alert').innerText()).toContain('one emoji, or up to three letters')
  await editor.getByLabel('Emoji or letters').fill('🦉')
  await shots(page, 'agent-editor')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => page.getByTestId('agent-row').allInnerTexts())
    .toEqual([
      expect.stringContaining('Holdfast'),
      expect.stringMatching(/Ada Lovelace[\s\S]*2 tools · permissions: plan/),
    ])

  await page.getByRole('button', { name: 'Back to the conversation' }).click()
  const picker = page.getByTestId('agent-picker')
  await picker.selectOption({ label: '🦉 Ada Lovelace' })
  await page.getByTestId('composer-input').fill('What would this cost?')
  await expect.poll(() => page.getByTestId('next-price').innerText()).toMatch(/^Next message: ≈ \$/)
  await page.getByTestId('composer-input').fill('')
  const starters = page.getByTestId('agent-welcome')
  await shots(page, 'agent-welcome')
  await starters.getByRole('button', { name: 'Explain the engine' }).click()
  await untilTurn(page, 'completed')
  const reply = page.getByTestId('msg-assistant').first()
  await expect.poll(() => reply.getByTestId('agent-mark').innerText()).toBe('🦉')
  await expect.poll(() => reply.getByRole('heading').first().innerText()).toMatch(/^Ada Lovelace, /)
  await expect.poll(() => page.getByTestId('mode-picker').getAttribute('data-state')).toBe('plan')
  await say(page, LONG)
  await expect.poll(() => page.locator('[data-testid=turn][data-state=completed]').count()).toBe(2)

  await picker.selectOption({ label: 'Holdfast' })
  const asked = page.getByTestId('switch-price')
  await expect.poll(() => asked.innerText()).toMatch(/Switch to Holdfast: .*tokens of the prompt cache are lost/)
  await shots(page, 'agent-switch')
  await asked.getByRole('button', { name: 'Switch' }).click()
  await expect.poll(() => page.getByTestId('notice').allInnerTexts()).toContain('Holdfast answers from here on')
  await say(page, 'And who are you?')
  await expect.poll(() => page.locator('[data-testid=turn][data-state=completed]').count()).toBe(3)
  const sent = JSON.stringify(scene.provider.requests.at(-1)?.body)
  expect(sent).toContain('written by another agent, not by the user')
  expect(sent).not.toContain('You are Ada.')

  await picker.selectOption({ label: '🦉 Ada Lovelace' })
  await page.getByTestId('switch-price').getByRole('button', { name: 'Switch' }).click()
  await expect.poll(() => picker.getAttribute('data-state')).not.toBe('default')
  const address = page.url()
  await page.goto(`${scene.holdfast.url}/settings/agents`)
  await page.getByRole('button', { name: 'Edit Ada Lovelace' }).click()
  await editor
    .getByLabel('Choose a picture…')
    .setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no') })
  await editor.getByText('no.png is no picture that this browser can draw').waitFor()
  await editor.getByLabel('Choose a picture…').setInputFiles(join(import.meta.dirname, '..', 'public', 'icon-192.png'))
  await editor.getByTestId('picture-shown').locator('img').waitFor()
  await shots(page, 'agent-picture')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => drawnSidePx(page.getByTestId('agent-row').last())).toBe(256)
  await page.goto(address)
  await expect.poll(() => drawnSidePx(page.getByTestId('msg-assistant').first())).toBe(256)
  await page.goto(`${scene.holdfast.url}/settings/agents`)
  await page.getByRole('button', { name: 'Delete Ada Lovelace' }).click()
  await expect
    .poll(() => page.getByTestId('agent-use').innerText())
    .toBe('1 of your conversations uses it and goes on as it was set.')
  await page.getByRole('button', { name: 'Really delete Ada Lovelace' }).click()
  await expect.poll(() => page.getByTestId('agent-row').count()).toBe(1)
  await page.goto(address)
  await expect.poll(() => page.getByTestId('agent-line').getAttribute('data-state')).toBe('gone')
  await expect.poll(() => reply.getByTestId('agent-mark').innerText()).toBe('🦉')
  await shots(page, 'agent-gone')
  await say(page, 'Still there?')
  await expect.poll(() => page.locator('[data-testid=turn][data-state=completed]').count()).toBe(4)
  expect(JSON.stringify(scene.provider.requests.at(-1)?.body)).toContain('You are Ada.')
}, 120_000)
