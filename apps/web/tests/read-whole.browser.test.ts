import type { NewEntry } from '@holdfast/conversation'
import { titleChanged } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { shots } from './support/shots.ts'
import { askedWithCalls } from './support/told-turns.ts'

const scene = scriptedScene()

function requested(command: string): NewEntry[] {
  return asked({ callId: 'call_long', name: 'shell', input: { command } })
}

function asked(call: { callId: string; name: string; input: Readonly<Record<string, string>> }): NewEntry[] {
  return [
    ...askedWithCalls({ asked: 'Do it', answered: 'I will.' }, [call]),
    {
      type: 'permission-requested',
      actor: { type: 'engine' },
      runId: 'run_1',
      stepId: 'step_1',
      requestId: 'request_long',
      userId: 'local',
      callId: call.callId,
      tool: call.name,
      input: call.input,
      reason: 'No rule allows it yet',
      source: 'default-policy',
    },
  ]
}

test('[UI31, UI32] a command shows what is not seen as marks, and is allowed only after its end was in sight', async () => {
  const steps = Array.from({ length: 400 }, (_, index) => `echo ${index};`).join(' ')
  scene.line.append(requested(`echo safe \u202e ; fr- mr\u200b; ${steps} rm -rf important`))
  const page = await scene.open()
  const card = page.getByTestId('permission-card')
  const box = card.locator('.read-whole')
  await box.waitFor()
  expect(await box.textContent()).toMatch(/^echo safe ‹U\+202E› ; fr- mr‹U\+200B›; echo 0;.*rm -rf important$/s)
  await card.getByText('Allow takes effect when the end has been in sight.').waitFor()
  await shots(page, 'read-whole')
  await expect.poll(() => axeProblems(page)).toEqual([])

  const allow = card.getByRole('button', { name: 'Allow once' })
  await page.waitForTimeout(900)
  await allow.click({ force: true })
  await page.keyboard.press('Control+Alt+Enter')
  expect(await card.getAttribute('data-state')).toBe('arming')
  expect(scene.line.commands).toEqual([])
  expect(await card.getByRole('button', { name: 'Deny…' }).getAttribute('aria-disabled')).toBe('false')

  await card.getByRole('button', { name: 'Show the end' }).click()
  await expect.poll(() => card.getAttribute('data-state')).toBe('armed')
  await allow.click()
  await expect.poll(() => scene.line.commands).toMatchObject([{ name: 'answer-permission', decision: 'allow' }])
})

test('[UI53] a long change is allowed only after its end was in sight, and may be denied before', async () => {
  const content = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n')
  scene.line.append(asked({ callId: 'call_long', name: 'write', input: { path: 'notes.txt', content } }))
  const page = await scene.open()
  const card = page.getByTestId('permission-card')
  await card.getByText('Allow takes effect when the end has been in sight.').waitFor()
  await card.getByText('300 lines').waitFor()
  await shots(page, 'read-diff')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.waitForTimeout(900)
  const allow = card.getByRole('button', { name: 'Allow once' })
  await allow.click({ force: true })
  expect(await card.getAttribute('data-state')).toBe('arming')
  expect(scene.line.commands).toEqual([])
  expect(await card.getByRole('button', { name: 'Deny…' }).getAttribute('aria-disabled')).toBe('false')
  await card.getByRole('button', { name: 'Show the end' }).click()
  await expect.poll(() => card.getAttribute('data-state')).toBe('armed')
  await allow.click()
  await expect.poll(() => scene.line.commands).toMatchObject([{ name: 'answer-permission', decision: 'allow' }])
})

test('[UI31] a title shows what is not seen as marks, in the bar and in the title of the tab', async () => {
  scene.line.append(askedWithCalls({ asked: 'Do it', answered: 'I will.' }, []))
  scene.line.append([titleChanged('safe \u202e gpj.exe', 'auto')])
  const page = await scene.open()
  await page.getByRole('heading', { level: 1, name: 'safe ‹U+202E› gpj.exe' }).waitFor()
  await expect.poll(() => page.title()).toContain('safe ‹U+202E› gpj.exe')
})
