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
import { axeProblems } from './support/axe.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { askedWithCalls } from './support/told-turns.ts'

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

test('[STOP9] what waits is sent at once, taken out, put elsewhere, or sent on from a held queue, by the person', async () => {
  scene.line.append([
    ...askedWithCalls({ asked: 'Look at it', answered: 'I will read it first.' }, []),
    inputAdmitted('input_2', 'also a test'),
    inputAdmitted('input_3', 'docs'),
  ])
  const page = await scene.open()
  const rows = page.getByTestId('queue-item')
  await expect.poll(() => rows.count()).toBe(2)
  await rows.first().getByRole('button', { name: 'Send now' }).click()
  await rows.nth(1).getByRole('button', { name: 'Remove' }).click()
  await rows.first().getByRole('button', { name: 'Move down' }).press('Enter')
  await expect
    .poll(() => scene.line.commands)
    .toMatchObject([
      { name: 'send-input-now', inputId: 'input_2' },
      { name: 'remove-input', inputId: 'input_3' },
      { name: 'change-input', inputId: 'input_2', position: 1 },
    ])
  await expect.poll(() => rows.first().innerText()).toContain('docs')
  await expect.poll(() => page.getByTestId('queue-told').innerText()).toBe('Moved to place 2 of 2')
  const focused = 'document.activeElement?.closest("li")?.dataset.input + document.activeElement?.ariaLabel'
  await expect.poll(() => page.evaluate(focused)).toBe('input_2Move down')

  scene.line.append([moved('input_2', 1), runFinished('run_1', 'stopped'), held])
  scene.line.append([inputAdmitted('input_4', 'four'), inputAdmitted('input_5', 'five')])
  const toggle = page.getByTestId('queue-toggle')
  await expect.poll(() => toggle.innerText()).toContain('Queued 4')
  await expect.poll(() => rows.count()).toBe(0)
  await toggle.click()
  await expect.poll(() => rows.count()).toBe(4)
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  await page.getByRole('button', { name: 'Send next' }).click()
  const clear = page.getByRole('button', { name: 'Clear', exact: true })
  await clear.click()
  await expect.poll(() => rows.count()).toBe(0)
  await page.getByText('4 queued messages removed').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => rows.count()).toBe(4)
  await clear.click()
  await expect.poll(() => rows.count()).toBe(0)
  const all = ['input_3', 'input_2', 'input_4', 'input_5']
  const changed = (locked: boolean) => all.map((inputId) => ({ name: 'change-input', inputId, locked }))
  const asked = () => scene.line.commands.slice(5)
  await expect.poll(asked).toMatchObject([...changed(true), ...changed(false), ...changed(true)])
  await expect
    .poll(asked, { timeout: 15_000 })
    .toMatchObject([
      ...changed(true),
      ...changed(false),
      ...changed(true),
      ...all.map((inputId) => ({ name: 'remove-input', inputId })),
    ])
}, 60_000)

test('[STOP9] what waits is locked while its words are written anew, and words for what was sent are kept', async () => {
  scene.line.append([
    ...askedWithCalls({ asked: 'Look at it', answered: 'I will read it first.' }, []),
    inputAdmitted('input_2', 'also a test'),
    inputAdmitted('input_3', 'docs'),
    locked('input_2', 'local'),
  ])
  const page = await scene.open()
  const rows = page.getByTestId('queue-item')
  const field = page.getByLabel('Queued message')
  const input = page.getByTestId('composer-input')
  await rows.first().getByText('being edited').waitFor()
  await expect.poll(() => rows.first().getByRole('button', { name: 'Edit' }).count()).toBe(0)
  scene.line.append([locked('input_2', null)])
  await rows.first().getByRole('button', { name: 'Edit' }).waitFor()

  await input.press('ArrowUp')
  await expect.poll(() => field.inputValue()).toBe('docs')
  await expect.poll(() => scene.line.commands).toMatchObject([{ inputId: 'input_3', locked: true }])
  scene.line.append([locked('input_3', 'local')])
  await field.press('Escape')
  await expect.poll(() => field.count()).toBe(0)
  await expect.poll(() => scene.line.commands.slice(1)).toMatchObject([{ inputId: 'input_3', locked: false }])
  scene.line.append([locked('input_3', null)])

  await rows.nth(1).getByRole('button', { name: 'Edit' }).click()
  await field.fill('docs, in German')
  scene.line.append([locked('input_3', 'local')])
  await field.press('Enter')
  const content = [{ type: 'text', text: 'docs, in German' }]
  await expect
    .poll(() => scene.line.commands.slice(2))
    .toMatchObject([
      { name: 'change-input', inputId: 'input_3', locked: true },
      { name: 'change-input', inputId: 'input_3', locked: false, content },
    ])
  scene.line.append([{ ...locked('input_3', null), content: [{ type: 'text', text: 'docs, in German' }] }])
  await expect.poll(() => rows.nth(1).innerText()).toContain('docs, in German')

  await rows.first().getByRole('button', { name: 'Edit' }).click()
  await field.fill('a test of the form')
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  scene.line.append([locked('input_2', 'local'), runFinished('run_1', 'completed')])
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe('a test of the form')
  await rows.first().getByText('Not sent while you edit it').waitFor()
  await expect.poll(() => page.getByTestId('stop').count()).toBe(1)
  scene.line.append([{ type: 'input-removed', actor: { type: 'person', userId: 'local' }, inputId: 'input_2' }])
  await page.getByText('Already sent or removed.').waitFor()
  await page.getByRole('button', { name: 'Back to the field' }).click()
  await expect.poll(() => input.inputValue()).toBe('a test of the form')
  await expect.poll(() => scene.line.commands.some(({ name }) => name === 'stop-run')).toBe(false)
})

test('[STOP9] while all that waits is edited nothing runs: there is Send in the place of Stop', async () => {
  scene.line.append([
    ...askedWithCalls({ asked: 'Look at it', answered: 'I will read it first.' }, []),
    inputAdmitted('input_2', 'also a test'),
    locked('input_2', 'local'),
    runFinished('run_1', 'completed'),
  ])
  const page = await scene.open()
  await page.getByTestId('queue-item').getByText('being edited').waitFor()
  await expect.poll(() => page.getByTestId('stop').count()).toBe(0)
  await page.getByTestId('composer-input').fill('meanwhile')
  await page.getByRole('button', { name: 'Send message' }).waitFor()
})

const held = { type: 'queue-held', actor: { type: 'engine' }, reason: 'stopped' } as const

function locked(inputId: string, lockedBy: string | null) {
  return { type: 'input-changed' as const, actor: { type: 'person' as const, userId: 'local' }, inputId, lockedBy }
}

function moved(inputId: string, position: number) {
  return { type: 'input-changed' as const, actor: { type: 'person' as const, userId: 'local' }, inputId, position }
}
