import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { ROOT } from './support/root.ts'
import { scriptedAgent } from './support/scripted-agent.ts'
import { shots } from './support/shots.ts'

const FAKE = join(ROOT, 'packages', 'external-agent', 'tests', 'support', 'fake-agent.mjs')
const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)

/** A call of ours that hands a task to the external agent. */
const handed = (title: string, task: string) =>
  ({ type: 'tool-call', name: 'run_agent', input: { title, task, agent: 'Agent good' } }) as const

const scene = liveScene({
  workspace: { 'a.txt': LINES.join('\n') },
  config: {
    externalAgents: [{ id: 'good', name: 'Agent good', command: process.execPath, args: [FAKE] }],
    permissions: { rules: [{ id: 'hand-out', effect: 'allow', tool: 'run_agent' }] },
  },
  reply: scriptedAgent({
    'Hand out one.': [[handed('Task a', 'ask 1 edit b.txt\nsay Done.')], [{ type: 'text', text: 'It is done.' }]],
    'Hand out work.': [
      [handed('Task w', 'call 1 edit made.txt\nwrite made.txt made\ndone 1 written\nsay Made.')],
      [{ type: 'text', text: 'It is made.' }],
    ],
    'Hand out three.': [
      ['Task a', 'Task b', 'Task c'].map((title) => handed(title, `say ${title} is done.`)),
      [{ type: 'text', text: 'All are done.' }],
    ],
  }),
})

async function beginWith(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await page.getByTestId('agent-picker').selectOption({ label })
}

const lineTexts = (page: Page, within: string) =>
  page.getByTestId(within).last().locator('.diff-line').allTextContents()

test('[AGENT68] an edit of an external agent is shown as its lines: where it asks, in Needs you, and in its card', async () => {
  const page = await scene.enter()
  await beginWith(page, 'Agent good')
  const change = {
    path: join(scene.folder, 'a.txt'),
    oldText: LINES.join('\n'),
    newText: LINES.with(19, 'new').join('\n'),
  }
  await say(page, `ask-diff 1 ${JSON.stringify([change])}\ndone 1 written\nsay Done.`)
  await page.getByTestId('permission-card').getByText('Change a.txt').waitFor()
  const shown = [
    '17 line 17',
    '18 line 18',
    '19 line 19',
    '20−removedline 20',
    '20+addednew',
    '21 line 21',
    '22 line 22',
    '23 line 23',
  ]
  await expect.poll(() => lineTexts(page, 'permission-card')).toEqual(shown)
  expect(await page.getByTestId('permission-card').textContent()).not.toContain('Index: x')
  await shots(page, 'external-edit-card')
  await expect.poll(() => axeProblems(page)).toEqual([])

  await page.goto(`${scene.holdfast.url}/settings/inbox`)
  const item = page.locator('[data-testid="inbox-item"][data-kind="permission"]')
  await item.getByText('Change a.txt').waitFor()
  await expect.poll(() => lineTexts(page, 'inbox-item')).toEqual(shown)
  await shots(page, 'external-edit-inbox')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await item.getByRole('button', { name: /^Allow/ }).click()
  await item.waitFor({ state: 'detached' })

  await page.goBack()
  await untilTurn(page, 'completed')
  const card = page.getByTestId('tool-card')
  await card.getByText('+1').waitFor()
  await card.locator('.tool-head').click()
  await card.getByRole('button', { name: 'Input' }).click()
  await expect.poll(() => card.locator('.diff-line.added').allTextContents()).toEqual(['+addednew'])
  await shots(page, 'external-edit-transcript')
}, 90_000)

test('[AGENT69] the question whether an agent may leave its folder says so, and its card claims nothing that was written', async () => {
  const page = await scene.enter()
  await beginWith(page, 'Agent good')
  const change = { path: '/elsewhere/b.txt', oldText: '', newText: 'b' }
  await say(
    page,
    `call 1 edit b.txt\nask-leave 1 /elsewhere b.txt\nask-diff 1 ${JSON.stringify([change])}\nfail 1 no such folder\nsay Over.`,
  )
  const asked = page.getByTestId('permission-card')
  await asked.getByText('Work outside of its folder, in /elsewhere').waitFor()
  await asked.getByText('By this alone nothing is changed').waitFor()
  await shots(page, 'external-leave-card')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await asked.getByRole('button', { name: /^Allow once/ }).click()
  await asked.getByText('Make the file /elsewhere/b.txt').waitFor()
  expect(await page.getByTestId('tool-card').first().textContent()).toContain('agent_leave_folder')
  await asked.getByRole('button', { name: /^Allow once/ }).click()
  await untilTurn(page, 'completed')
}, 90_000)

test('[AGENT70] a caller says that its sub-agent waits for a person, and both lead to each other', async () => {
  const page = await scene.enter()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await say(page, 'Hand out one.')
  const line = page.getByTestId('sub-agent-waits')
  await line.getByText('A sub-agent waits for you: Task a').waitFor()
  await page.getByTestId('sub-agent').getByText('Sub-agent: waits for you in its conversation').waitFor()
  await shots(page, 'sub-agent-waits')
  await expect.poll(() => axeProblems(page)).toEqual([])
  const caller = page.url()
  await line.getByRole('link', { name: 'Task a' }).click()
  await page.getByTestId('permission-card').waitFor()
  await shots(page, 'sub-agent-asks')
  await page
    .getByTestId('permission-card')
    .getByRole('button', { name: /^Allow once/ })
    .click()
  await untilTurn(page, 'completed')
  await page.getByTestId('caller-line').getByRole('link').click()
  await expect.poll(() => page.url()).toBe(caller)
  await untilTurn(page, 'completed')
  expect(await line.count()).toBe(0)
  await page.getByText('Sub-agent: open its conversation').waitFor()
}, 90_000)

test('[AGENT70] calls that are folded keep what their tasks are about, with the ways to their conversations', async () => {
  const page = await scene.enter()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await say(page, 'Hand out three.')
  await page.getByText('All are done.').waitFor()
  const ways = page.getByTestId('sub-agent')
  await expect
    .poll(() => ways.allTextContents())
    .toEqual(['Task a', 'Task b', 'Task c'].map((title) => `${title}Sub-agent: open its conversation`))
  await shots(page, 'sub-agents-folded')
  await ways.last().click()
  await page.getByText('Task c is done.', { exact: true }).waitFor()
}, 90_000)

test('[WS40] the work of a sub-agent that began with what was not committed is applied, and why not merged is said', async () => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], { cwd: scene.folder })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '-m', 'begin')
  await writeFile(join(scene.folder, 'draft.txt'), 'mine')
  const page = await scene.enter()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await say(page, 'Hand out work.')
  await page.getByText('It is made.').waitFor()
  await page.getByTestId('sub-agent').click()
  await page.getByTestId('worktree-button').click()
  const menu = page.getByTestId('worktree-menu')
  await menu.getByText('1 commit').waitFor()
  await menu.getByText('came along as the first commit').waitFor()
  expect(await menu.getByRole('radio', { name: /^Apply/ }).isChecked()).toBe(true)
  await shots(page, 'worktree-carried')
  // A picture of another width closes it.
  if (!(await menu.isVisible())) await page.getByTestId('worktree-button').click()
  await expect.poll(() => axeProblems(page)).toEqual([])
  await menu.getByRole('button', { name: 'Apply' }).click()
  await page.getByTestId('worktree-done').waitFor()
  expect(git('status', '--porcelain').toString().trim().split('\n')).toEqual(['?? draft.txt', '?? made.txt'])
}, 90_000)
