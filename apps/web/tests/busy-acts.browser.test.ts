import type { NewEntry } from '@holdfast/conversation'
import {
  conversationCreated,
  inputAdmitted,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  userMessageSent,
  wholeTurn,
} from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { scriptedScene } from './support/scripted-scene.ts'

const scene = scriptedScene()

const OPEN_RUN: readonly NewEntry[] = [
  inputAdmitted('input_open', 'Second?'),
  runStarted('run_open', 'turn'),
  userMessageSent('run_open', 'input_open', 'Second?'),
  stepStarted('run_open', 'step_open', 'turn'),
]

test('[PRJ6] a message can be written anew while a reply streams, and whatever has to wait for its end says so', async () => {
  scene.line.append([conversationCreated('local'), ...wholeTurn(1, { asked: 'First?', answered: 'Yes.' }), ...OPEN_RUN])
  const page = await scene.open()
  await page.locator('[data-testid=turn][data-state=streaming]').waitFor()
  const asked = page.getByTestId('msg-user').first()
  await asked.hover()
  await asked.getByRole('button', { name: 'Edit message' }).click()
  await page.getByLabel('Edited message').fill('First, once more?')
  await page.getByText('It can be sent once the reply has ended').waitFor()
  await page.getByRole('button', { name: 'Save and send' }).press('Enter')
  const said = page.getByTestId('toast').filter({ hasText: 'Wait until the reply has ended, or stop it' })
  await said.waitFor()
  await said.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByTestId('msg-assistant').first().hover()
  await page.getByRole('button', { name: 'Retry reply' }).first().press('Enter')
  await said.waitFor()
  expect(scene.line.commands).toEqual([])

  scene.line.append([stepFinished('run_open', 'step_open', [textBlock('Done.')]), runFinished('run_open', 'completed')])
  await page.getByText('The message and its replies stay as a branch.').waitFor()
  await page.getByRole('button', { name: 'Save and send' }).click()
  await expect
    .poll(() => scene.line.commands)
    .toMatchObject([{ name: 'rewind', toSeq: 0, reason: 'edit', content: [{ text: 'First, once more?' }] }])
})
