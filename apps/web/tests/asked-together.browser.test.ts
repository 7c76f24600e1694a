import type { NewEntry } from '@holdfast/conversation'
import { runFinished } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { scriptedScene } from './support/scripted-scene.ts'
import { shots } from './support/shots.ts'
import { askedWithCalls, begun, ended } from './support/told-turns.ts'

const scene = scriptedScene()

const engine = { type: 'engine' } as const
const person = { type: 'person', userId: 'local' } as const

const CALLS = ['one', 'two', 'three'].map((name) => ({
  callId: `call_${name}`,
  name: `tool_${name}`,
  input: { path: name },
}))

function requested(callId: string, more: Partial<Extract<NewEntry, { type: 'permission-requested' }>>): NewEntry {
  return {
    type: 'permission-requested',
    actor: engine,
    runId: 'run_1',
    stepId: 'step_1',
    requestId: `request_${callId}`,
    userId: 'local',
    callId,
    tool: callId.replace('call', 'tool'),
    input: { path: callId },
    reason: 'No rule allows it yet',
    source: 'default-policy',
    ...more,
  }
}

const allowed = (callId: string, scope: 'call' | 'conversation'): NewEntry => ({
  type: 'permission-settled',
  actor: person,
  requestId: `request_${callId}`,
  outcome: 'allowed',
  by: 'person',
  scope,
})

const done = { text: 'done', durationMs: 40 }

test('[UI19, PERM5] cards of one step are allowed together, and their receipts stay with what takes the rule back', async () => {
  scene.line.append([
    ...askedWithCalls({ asked: 'Do it', answered: 'I will.' }, CALLS),
    ...CALLS.map(({ callId }) => requested(callId, {})),
  ])
  const page = await scene.open()
  const together = page.getByTestId('allow-together')
  const button = together.getByRole('button', { name: 'Allow these 3 once' })
  await button.waitFor()
  await expect.poll(() => together.getAttribute('data-armed')).toBe('true')
  await shots(page, 'asked-together')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await button.click()
  await expect
    .poll(() => scene.line.commands)
    .toMatchObject(
      CALLS.map(({ callId }) => ({
        name: 'answer-permission',
        requestId: `request_${callId}`,
        decision: 'allow',
        scope: 'call',
      })),
    )

  const rule = { effect: 'allow', tool: 'tool_one' } as const
  scene.line.append([
    allowed('call_one', 'conversation'),
    { type: 'permission-rule-changed', actor: person, ruleId: 'rule_1', rule },
  ])
  scene.line.append([allowed('call_two', 'call'), allowed('call_three', 'call')])
  for (const { callId, name } of CALLS) scene.line.append([begun(callId, name), ended({ callId, name }, 'ok', done)])
  scene.line.append([runFinished('run_1', 'completed')])
  const receipts = page.getByTestId('permission-receipt')
  // The calls went well and are folded into one line; what was allowed is said below it.
  await page.getByText('3 tools').waitFor()
  await expect.poll(() => receipts.count()).toBe(3)
  await expect.poll(() => receipts.first().innerText()).toMatch(/one[\s\S]*Allowed for this conversation[\s\S]*Revoke/)
  expect(await page.getByRole('button', { name: /Take back/ }).count()).toBe(1)
  await shots(page, 'receipts-folded')
  await receipts.first().getByRole('button').click()
  await expect.poll(() => scene.line.commands.at(-1)).toMatchObject({ name: 'revoke-rule', ruleId: 'rule_1' })
  scene.line.append([{ type: 'permission-rule-changed', actor: person, ruleId: 'rule_1', rule: null }])
  await expect.poll(() => page.getByRole('button', { name: /Take back/ }).count()).toBe(0)
  await expect.poll(() => receipts.count()).toBe(3)
}, 60_000)

test('[UI19, UI32] calls are allowed together when each was read to its end: all of them, or none', async () => {
  const content = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n')
  scene.line.append([
    ...askedWithCalls({ asked: 'Do it', answered: 'I will.' }, CALLS.slice(0, 2)),
    requested('call_one', {}),
    requested('call_two', { tool: 'write', input: { path: 'notes.txt', content } }),
  ])
  const page = await scene.open()
  const together = page.getByTestId('allow-together')
  const button = together.getByRole('button', { name: 'Allow these 2 once' })
  await together.getByText('Allow takes effect when the end has been in sight.').waitFor()
  const cards = page.getByTestId('permission-card')
  await expect.poll(() => cards.first().getAttribute('data-state')).toBe('armed')
  await shots(page, 'asked-together-unread')
  await button.click({ force: true })
  expect(await cards.first().getAttribute('data-state')).toBe('armed')
  expect(scene.line.commands).toEqual([])

  await cards.last().getByRole('button', { name: 'Show the end' }).click()
  await expect.poll(() => together.getAttribute('data-armed')).toBe('true')
  await button.click()
  await expect
    .poll(() => scene.line.commands)
    .toMatchObject([{ requestId: 'request_call_one' }, { requestId: 'request_call_two' }])
}, 60_000)

test('[UI19] what a guard asks about is allowed by itself, for a reason in the language of the page', async () => {
  scene.line.append([
    ...askedWithCalls({ asked: 'Do it', answered: 'I will.' }, CALLS.slice(0, 2)),
    requested('call_one', {}),
    requested('call_two', { source: 'guard', guard: 'destructive-command', reason: 'rm -rf x: deletes files' }),
  ])
  const page = await scene.open()
  const card = page.getByTestId('permission-card').nth(1)
  await expect.poll(() => card.innerText()).toContain('You are asked because this command may destroy something.')
  expect(await page.getByTestId('allow-together').count()).toBe(0)
  await page.evaluate(`localStorage.setItem('holdfast.preferences', JSON.stringify({ language: 'de' }))`)
  await page.reload()
  await expect.poll(() => card.innerText()).toContain('Sie werden gefragt, weil dieser Befehl etwas zerstören kann.')
  await expect.poll(() => card.innerText()).not.toContain('deletes files')
}, 60_000)

test('[UI19] what cannot be pressed yet can be read', async () => {
  scene.line.append(askedWithCalls({ asked: 'Do it', answered: 'I will.' }, CALLS.slice(0, 1)))
  const page = await scene.open()
  // The clock of the page stands still: the card stays as it is when it comes.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  scene.line.append([requested('call_one', {})])
  const once = page.getByTestId('permission-card').getByRole('button', { name: 'Allow once' })
  // What waits to draw it goes on, and the moment that the card takes to be armed does not pass.
  await expect
    .poll(async () => {
      await page.clock.runFor(2)
      return (await once.count()) === 0 ? null : await once.getAttribute('aria-disabled')
    })
    .toBe('true')
  const look = await once.evaluate((element) => {
    const { color, backgroundColor, opacity } = getComputedStyle(element)
    return { color, backgroundColor, opacity }
  })
  const luminance = (text: string): number => {
    const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [lighter = 0, darker = 0] = [luminance(look.color), luminance(look.backgroundColor)].toSorted((a, b) => b - a)
  expect((lighter + 0.05) / (darker + 0.05)).toBeGreaterThan(7)
  expect(look.opacity).toBe('1')
}, 60_000)

test('[UI19, STOP1] a stop that found nothing to stop is told, and leaves nothing behind', async () => {
  scene.line.append(askedWithCalls({ asked: 'Do it', answered: 'I will.' }, CALLS.slice(0, 1)))
  const page = await scene.open()
  await page.getByTestId('stop').press('Enter')
  await expect.poll(() => scene.line.commands.length).toBe(1)
  const [stop] = scene.line.commands
  scene.line.send({
    type: 'refused',
    commandId: stop?.commandId ?? '',
    problem: { type: 'about:blank', title: 'Conflict', status: 409, code: 'nothing-runs', detail: 'Nothing runs' },
  })
  scene.line.append([runFinished('run_1', 'completed')])
  await page.getByText('There is nothing to stop: the reply has ended.').waitFor()
  expect(await page.locator('.refused').count()).toBe(0)
}, 60_000)

test('[UI19, AGENT76] an edit of an agent out of its folder, or of what belongs to git, says so and is answered by itself', async () => {
  const places = ['a.txt', 'b.txt', '/etc/hosts', '.git/hooks/pre-commit']
  const calls = places.map((path, index) => ({ callId: `call_${index}`, name: 'agent_edit', input: { path } }))
  scene.line.append([
    ...askedWithCalls({ asked: 'Do it', answered: 'I will.' }, calls),
    ...calls.map(({ callId, name, input }) => requested(callId, { tool: name, input })),
  ])
  const page = await scene.open()
  await page.getByTestId('allow-together').getByRole('button', { name: 'Allow these 2 once' }).waitFor()
  const said = page.getByTestId('permission-card').getByTestId('beside-work')
  await expect
    .poll(() => said.allInnerTexts())
    .toEqual(["Outside of the agent's folder.", 'It belongs to git, which may run what stands there.'])
  await shots(page, 'asked-beside')
  await expect.poll(() => axeProblems(page)).toEqual([])
})
