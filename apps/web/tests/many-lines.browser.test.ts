import type { NewEntry } from '@holdfast/conversation'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { shots } from './support/shots.ts'
import { askedWithCalls } from './support/told-turns.ts'

const scene = scriptedScene()

const lineTexts = (changed: boolean) =>
  Array.from({ length: 50_000 }, (_, at) => `${changed && at % 2 === 0 ? 'new' : 'old'} ${at}`).join('\n')

/** What stands behind the part of the change that is shown. */
const AFTER = '.diff + [data-testid="part-after"]'

function asked(input: Readonly<Record<string, string>>): NewEntry[] {
  const call = { callId: 'call_many', name: 'agent_edit', input }
  return [
    ...askedWithCalls({ asked: 'Do it', answered: 'I will.' }, [call]),
    {
      type: 'permission-requested',
      actor: { type: 'engine' },
      runId: 'run_1',
      stepId: 'step_1',
      requestId: `request_${input['path']}`,
      userId: 'local',
      callId: call.callId,
      tool: call.name,
      input: call.input,
      reason: 'No rule allows it yet',
      source: 'default-policy',
    },
  ]
}

/** How long the page takes to answer anything at all, in milliseconds. */
async function answerMs(page: Page): Promise<number> {
  const begun = Date.now()
  await page.evaluate(() => document.title)
  return Date.now() - begun
}

const elements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

test('[UI122, AGENT79] an edit of 50,000 lines is a bounded card that answers, truly counted, and read part by part', async () => {
  scene.line.append(asked({ path: 'huge.txt', oldText: lineTexts(false), newText: lineTexts(true) }))
  const page = await scene.open()
  const card = page.getByTestId('permission-card')
  await card.locator(AFTER).waitFor()
  expect(await answerMs(page)).toBeLessThan(2_000)
  expect(await elements(page)).toBeLessThan(20_000)
  expect(await card.locator('.diff-line').count()).toBe(400)
  await expect.poll(() => page.locator('.change-count').allTextContents()).toEqual(['+25000 −25000', '+25000 −25000'])
  expect(await card.getByTestId('unseen-note').textContent()).toMatch(/74,600 lines/)
  await shots(page, 'many-lines')
  await expect.poll(() => axeProblems(page)).toEqual([])

  const allow = card.getByRole('button', { name: 'Allow once' })
  const next = card.locator(AFTER).getByRole('button', { name: 'Show the next part' })
  await next.click()
  await expect.poll(() => card.getByTestId('unseen-note').textContent()).toMatch(/74,200 lines/)
  expect(await card.locator('.diff-line').count()).toBe(400)
  await card.locator('.diff').evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await page.waitForTimeout(900)
  await allow.click({ force: true })
  expect(scene.line.commands).toEqual([])

  await card.getByRole('button', { name: 'Show the end' }).click()
  await expect.poll(() => card.getAttribute('data-state')).toBe('armed')
  expect(await card.locator(AFTER).count()).toBe(0)
  expect(await card.getByTestId('unseen-note').textContent()).toMatch(/74,000 lines .*Allow holds for that, too/)
  await shots(page, 'many-lines-end')
  await expect.poll(() => axeProblems(page)).toEqual([])
  expect(await elements(page)).toBeLessThan(20_000)
  // The key says nothing of what is missing.
  await page.keyboard.press('Control+Alt+Enter')
  await page.waitForTimeout(300)
  expect(scene.line.commands).toEqual([])

  const begun = Date.now()
  await card.getByRole('button', { name: 'Deny…' }).click()
  await card.getByRole('button', { name: 'Deny', exact: true }).click()
  await expect.poll(() => scene.line.commands).toMatchObject([{ name: 'answer-permission', decision: 'deny' }])
  await page.getByTestId('stop').first().click()
  await expect.poll(() => scene.line.commands.at(-1)).toMatchObject({ name: 'stop-run' })
  expect(Date.now() - begun).toBeLessThan(5_000)
}, 90_000)

test('[UI122] a line of five megabytes is never laid out as a whole, in a change, a command or all arguments', async () => {
  const long = 'x'.repeat(5_000_000)
  scene.line.append(asked({ path: 'line.txt', oldText: 'short', newText: long }))
  const page = await scene.open()
  const card = page.getByTestId('permission-card')
  await card.locator(AFTER).waitFor()
  const shown = () => card.evaluate((one) => (one.textContent ?? '').length)
  expect(await shown()).toBeLessThan(200_000)
  await card.getByText('All arguments').click()
  await card.locator('.json').waitFor()
  expect(await shown()).toBeLessThan(200_000)
  expect(await answerMs(page)).toBeLessThan(2_000)
  await shots(page, 'long-line')
  await card.getByRole('button', { name: 'Show the end' }).click()
  await expect.poll(() => card.getAttribute('data-state')).toBe('armed')
  expect(await card.getByTestId('unseen-note').textContent()).toMatch(/1 line \(4,9\d\d,\d{3} characters\)/)
}, 90_000)
