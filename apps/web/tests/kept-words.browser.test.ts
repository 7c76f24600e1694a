import {
  conversationCreated,
  inputAdmitted,
  pathRewound,
  runStarted,
  userMessageSent,
  wholeTurn,
} from '@holdfast/conversation/testing'
import { problem } from '@holdfast/protocol'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilTurn } from './support/browser.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { answered, askedWithCalls, asking, begun } from './support/told-turns.ts'

const scene = scriptedScene()

const shell = { callId: 'call_1', name: 'shell', input: { command: 'sleep 20' } }

const focused = (page: Page) => page.evaluate('document.activeElement.id || document.activeElement.tagName')

/** A card that waits, with its buttons ready. */
async function openAsked(): Promise<Page> {
  scene.line.append([
    ...askedWithCalls({ asked: 'Wait a while.', answered: 'I wait.' }, [shell]),
    asking('request_1', { callId: shell.callId, tool: shell.name, input: shell.input }, 'it runs a command'),
  ])
  const page = await scene.open()
  await page.locator('[data-testid=permission-card][data-state=armed]').waitFor()
  return page
}

test('[UI30] after a permission was answered the focus goes on to the field, and Esc stops', async () => {
  const page = await openAsked()
  await page.getByRole('button', { name: 'Allow once' }).click()
  scene.line.append([answered('request_1', 'allowed', null), begun(shell.callId, shell.name)])
  await page.getByTestId('permission-card').waitFor({ state: 'detached' })
  expect(await focused(page)).toBe('composer-input')
  await page.keyboard.press('Escape')
  await expect.poll(() => scene.line.commands.map(({ name }) => name)).toContain('stop-run')
}, 60_000)

test('[UI30] Esc stops also where nothing has the focus', async () => {
  scene.line.append(askedWithCalls({ asked: 'Wait a while.', answered: 'I wait.' }, [shell]))
  scene.line.append([begun(shell.callId, shell.name)])
  const page = await scene.open()
  await untilTurn(page, 'tool_running')
  await page.evaluate('document.activeElement.blur()')
  expect(await focused(page)).toBe('BODY')
  await page.keyboard.press('Escape')
  await expect.poll(() => scene.line.commands.map(({ name }) => name)).toContain('stop-run')
}, 60_000)

async function openEdited(words: string): Promise<Page> {
  scene.line.append([conversationCreated('local'), ...wholeTurn(0, { asked: 'First?', answered: 'One.' })])
  const page = await scene.open()
  await page.getByTestId('msg-user').hover()
  await page.getByRole('button', { name: 'Edit message' }).click()
  await page.getByRole('textbox', { name: 'Edited message' }).fill(words)
  return page
}

test('[UI29] an edit that cannot be saved stays in its form, which says why', async () => {
  const page = await openEdited('First, from here?')
  await page.getByRole('button', { name: 'Save and send' }).click()
  await expect.poll(() => scene.line.commands.length).toBe(1)
  const { commandId = '' } = scene.line.commands[0] ?? {}
  scene.line.send({ type: 'refused', commandId, problem: problem(409, 'run-active', 'A run is open') })
  await page.locator('.edit-message [role=alert]').waitFor()
  expect(await page.getByRole('textbox', { name: 'Edited message' }).inputValue()).toBe('First, from here?')
}, 60_000)

test('[UI29] an edit of a message that another tab has written anew is put into the field', async () => {
  const page = await openEdited('First, from here?')
  scene.line.append([
    pathRewound(0),
    inputAdmitted('input_9', 'First, from there?'),
    runStarted('run_9', 'turn'),
    userMessageSent('run_9', 'input_9', 'First, from there?'),
  ])
  await page.getByText('First, from there?').waitFor()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('First, from here?')
}, 60_000)
