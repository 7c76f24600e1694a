import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { ROOT } from './support/root.ts'
import { shots } from './support/shots.ts'

const FAKE = join(ROOT, 'packages', 'external-agent', 'tests', 'support', 'fake-agent.mjs')
const CANARY = 'canary-of-a-variable-7f3e'
const fake = (id: string, ...flags: readonly string[]) => ({
  id,
  name: `Agent ${id}`,
  command: process.execPath,
  args: [FAKE, ...flags],
})

const scene = liveScene({
  workspace: { 'a.txt': 'one\n' },
  config: {
    externalAgents: [fake('good'), fake('signed-out', '--sign-in'), fake('mortal'), fake('chooser', '--options')],
  },
})

async function openSettings(page: Page): Promise<void> {
  await page.goto(`${scene.holdfast.url}/settings/agents`)
  await page.getByTestId('external-row').first().waitFor()
}

const rowOf = (page: Page, name: string) => page.getByTestId('external-row').filter({ hasText: name })

/** A new conversation that an agent answers. */
async function beginWith(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await page.getByTestId('agent-picker').selectOption({ label })
}

test('[UI106] the settings list external agents: installed or how to install them; added, tested, edited and removed there', async () => {
  const page = await scene.enter()
  await openSettings(page)
  const opencode = rowOf(page, 'opencode')
  expect(await opencode.getAttribute('data-state')).toBe('missing')
  expect(await opencode.textContent()).toContain('npm install -g opencode-ai')
  await opencode.getByRole('button', { name: 'Copy the command' }).waitFor()
  expect(await opencode.getByRole('button', { name: 'Test opencode' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Add an agent' }).click()
  const form = page.getByTestId('external-form')
  await form.getByLabel('Name', { exact: true }).fill('My agent')
  await form.getByLabel('Command').fill(`"${process.execPath}" "${FAKE}`)
  await form.getByText('This is no command yet').waitFor()
  expect(await form.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
  await form.getByLabel('Command').fill(`"${process.execPath}" "${FAKE}"`)
  await form.getByRole('textbox', { name: /^Variables/ }).fill('nothing')
  await form.getByText('Line 1 is not NAME=value.').waitFor()
  await form.getByRole('textbox', { name: /^Variables/ }).fill(`TOKEN=${CANARY}\nSHORT=1`)
  await shots(page, 'external-form')
  await form.getByRole('button', { name: 'Save' }).click()
  const mine = rowOf(page, 'My agent')
  await mine.getByText('TOKEN, SHORT').waitFor()

  await mine.getByRole('button', { name: 'Test My agent' }).click()
  await mine.getByText('Works: version 1.2.3, protocol 1').waitFor()
  await mine.getByText('Conversations are held in Ask').waitFor()
  const signedOut = rowOf(page, 'Agent signed-out')
  await signedOut.getByRole('button', { name: /^Test/ }).click()
  await signedOut.getByText('wants you to sign in first').waitFor()
  await signedOut.getByText('Log in: Run `fake login` in a terminal').waitFor()
  await shots(page, 'external-settings')
  await expect.poll(() => axeProblems(page)).toEqual([])

  await mine.getByRole('button', { name: 'Edit My agent' }).click()
  await form.getByLabel('Name', { exact: true }).fill('Their agent')
  await form.getByRole('button', { name: 'Remove SHORT' }).click()
  expect(await page.content()).not.toContain(CANARY)
  await form.getByRole('button', { name: 'Save' }).click()
  const theirs = rowOf(page, 'Their agent')
  await theirs.getByText(/TOKEN$/).waitFor()
  await theirs.getByRole('button', { name: 'Remove Their agent' }).click()
  await theirs.getByRole('button', { name: 'Keep' }).click()
  await theirs.getByRole('button', { name: 'Remove Their agent' }).click()
  await theirs.getByRole('button', { name: 'Really remove Their agent' }).click()
  await theirs.waitFor({ state: 'detached' })
}, 90_000)

test('[UI107] an installed agent is chosen beside the others and answers, asks here before it acts, and is stopped', async () => {
  const page = await scene.enter()
  await beginWith(page, 'Agent good')
  await shots(page, 'external-new')
  await say(
    page,
    'think how to do it\nsay I look at it first.\nask 1 edit b.txt\nwrite b.txt hello\ndone 1 written\nsay Done.',
  )
  const card = page.getByTestId('permission-card')
  await card.waitFor()
  await shots(page, 'external-permission')
  await card
    .getByRole('button', { name: /^Allow/ })
    .first()
    .click()
  await untilTurn(page, 'completed')
  await page.getByTestId('msg-assistant').getByText('Done.').waitFor()
  await shots(page, 'external-answer')
  await say(page, 'say Now I wait.\nhang')
  await page.getByTestId('msg-assistant').last().getByText('Now I wait.').waitFor()
  await page.keyboard.press('Escape')
  await untilTurn(page, 'stopped')
}, 90_000)

test('[UI108] of a conversation that an external agent answers nothing is shown that holds for models alone', async () => {
  const page = await scene.enter()
  await beginWith(page, 'Agent good')
  for (const id of ['model-picker', 'thinking-picker', 'preset-picker'])
    expect(await page.getByTestId(id).count(), id).toBe(0)
  await page.getByTestId('mode-picker').waitFor()
  await say(page, 'say Hello.')
  await untilTurn(page, 'completed')
  for (const id of ['model-picker', 'thinking-picker', 'context-meter'])
    expect(await page.getByTestId(id).count(), id).toBe(0)
  await page.getByTestId('mode-picker').waitFor()
  await page
    .getByRole('button', { name: /inspector/i })
    .first()
    .click()
  await page.getByTestId('inspector-external').getByText('Agent good keeps its own memory').waitFor()
  expect(await page.getByTestId('inspector-request').count()).toBe(0)
  expect(await page.getByTestId('inspector-context').count()).toBe(0)
  await shots(page, 'external-inspector')
  await expect.poll(() => axeProblems(page)).toEqual([])
  // Back at a model all of it is there again.
  await page.getByTestId('agent-picker').selectOption({ label: 'Holdfast' })
  await page.getByTestId('model-picker').waitFor()
}, 90_000)

test('[UI109] an agent that wants a sign-in, dies or is not there says what to do, and Retry goes on', async () => {
  const page = await scene.enter()
  await beginWith(page, 'Agent signed-out')
  await say(page, 'say Hello.')
  const card = page.getByTestId('error-card')
  await card.getByText('Agent signed-out wants a sign-in').waitFor()
  await shots(page, 'external-sign-in')
  await card.getByRole('button', { name: 'Open its settings' }).click()
  await page.getByTestId('external-section').waitFor()
  await page.goto(scene.holdfast.url)

  await beginWith(page, 'Agent mortal')
  await say(page, 'say One moment.\ndie 3')
  await page.getByTestId('error-card').getByText('Agent mortal did not go on').waitFor()
  await page.getByText('Technical details').click()
  await page.getByText('ended with exit code 3').waitFor()
  await shots(page, 'external-died')
  expect(await page.getByTestId('msg-assistant').getByText('One moment.').count()).toBe(1)
  await say(page, 'say Here again.')
  await untilTurn(page, 'completed')
  await page.getByTestId('msg-assistant').last().getByText('Here again.').waitFor()
}, 90_000)

test('[AGENT50, AGENT55, AGENT56] the mode, the model and the payer of an agent are chosen in the composer, and it says what the agent does not take', async () => {
  const page = await scene.enter()
  await beginWith(page, 'Agent chooser')
  const [mode, model, payer] = ['external-mode', 'external-model', 'external-payer'].map((id) => page.getByTestId(id))
  if (!mode || !model || !payer) throw new Error('There are three')
  await mode.waitFor()
  expect(await mode.inputValue()).toBe('default')
  expect(await mode.locator('option').allTextContents()).toEqual([
    'AUTO (may act without asking): About auto',
    'DEFAULT: About default',
    'WILD (may act without asking): About wild',
  ])
  expect(await payer.inputValue()).toBe('own')
  await mode.selectOption('wild')
  await model.selectOption('large')
  await page.getByTestId('attach-input').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: DOT })
  await page.getByTestId('external-no-pictures').getByText('Agent chooser takes no pictures here').waitFor()
  await shots(page, 'external-choices')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await say(page, 'chosen\nblocks')
  await untilTurn(page, 'completed')
  await page.getByTestId('msg-assistant').getByText('works in wild with large').waitFor()
  expect(await page.getByTestId('msg-assistant').textContent()).toContain('shown=')
  expect(await page.getByTestId('external-no-pictures').count()).toBe(0)

  await model.selectOption('small')
  await say(page, 'chosen')
  await page.getByTestId('msg-assistant').last().getByText('works in wild with small').waitFor()
  await page.reload()
  await expect.poll(() => mode.inputValue()).toBe('wild')
  expect(await model.inputValue()).toBe('small')

  await page.goto(`${scene.holdfast.url}/settings/usage`)
  await page.getByText('By who paid').click()
  await page.getByTestId('usage-table').getByText('Agent chooser, by its own sign-in').waitFor()
  await shots(page, 'usage-by-payer')
  // Back at a model nothing of it is there.
  await page.goto(scene.holdfast.url)
  expect(await mode.count()).toBe(0)
}, 90_000)

/** A picture of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
