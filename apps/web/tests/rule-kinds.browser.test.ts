import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({ reply: { parts: [{ type: 'text', text: 'An answer.' }] } })

test('[PERM10, PERM11] a rule for kinds of tools is chosen, tried, added and shown in words in the settings', async () => {
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/permissions`)
  const form = page.getByTestId('rule-form')
  const add = form.getByRole('button', { name: 'Add for all conversations' })
  await form.waitFor()
  expect(await add.isDisabled()).toBe(true)
  await form.getByRole('checkbox', { name: 'reading' }).check()
  await form.getByRole('checkbox', { name: 'editing' }).check()
  const destroys = form.getByRole('combobox', { name: 'may destroy something' })
  expect([await destroys.inputValue(), await destroys.isDisabled()]).toEqual(['no', true])
  await form.getByRole('combobox', { name: 'reaches beyond this machine' }).selectOption('no')
  await form.getByRole('button', { name: 'Try on past calls' }).click()
  await form.getByTestId('rule-trial').and(page.locator('[data-state=here]')).waitFor()
  await shots(page, 'rule-kinds')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await add.click()
  const rule = page.getByTestId('always-rule')
  await expect
    .poll(() => rule.innerText())
    .toMatch(
      /every tool \(kind: editing, reading, destroys nothing, stays on this machine\)[\s\S]*Everything[\s\S]*Allowed/i,
    )
  await rule.getByRole('button', { name: /Revoke/ }).click()
  await expect.poll(() => rule.count()).toBe(0)
}, 60_000)
