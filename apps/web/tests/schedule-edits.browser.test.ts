import { execFile } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { ROOT } from './support/root.ts'
import { shots } from './support/shots.ts'

// What the server refuses, the page says; the browser writes the status down too.
const scene = liveScene({ forgiven: /status of (?:404|409|422)/ })

const Row = z.looseObject({ id: z.string(), name: z.string(), revision: z.number() })

function holdfast(...words: string[]): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const args = [join(ROOT, 'apps', 'holdfast', 'bin', 'holdfast.js'), ...words, '--data-dir', scene.dataDir]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { timeout: 60_000 }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    )
    child.stdin?.end()
  })
}

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const authorization = `Bearer ${scene.holdfast.token}`
  const asked =
    body === undefined
      ? { method, headers: { authorization } }
      : { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await fetch(`${scene.holdfast.url}/api/v1${path}`, asked)).json()
}

async function schedule(name: string, more: object = {}): Promise<string> {
  const wanted = {
    name,
    content: [{ type: 'text', text: 'Ring the bells' }],
    rule: { type: 'cron', expression: '30 2 * * MON-FRI' },
    timeZone: 'Europe/Berlin',
    modelId: 'demo',
    ...more,
  }
  return Row.parse(await call('POST', '/schedules', wanted)).id
}

const rowOf = (page: Page, name: string) =>
  page.getByTestId('schedule-row').filter({ has: page.getByText(name, { exact: true }) })

async function openForm(page: Page, name: string) {
  await rowOf(page, name)
    .getByRole('button', { name: `Edit schedule ${name}` })
    .click()
  return page.getByRole('form', { name: /^Edit schedule/ })
}

test('[SCHED37, UI115] two tabs change one schedule: the second is told, nothing typed is lost, and each way out is one press', async () => {
  const id = await schedule('Bells')
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  const form = await openForm(page, 'Bells')
  await form.getByLabel('What is asked').fill('Ring them twice')
  await call('PATCH', `/schedules/${id}`, {
    name: 'Their bells',
    content: [{ type: 'text', text: 'Ring them once' }],
    unattended: 'full',
  })
  await form.getByRole('button', { name: 'Save' }).click()
  const conflict = page.getByTestId('schedule-conflict')
  await conflict.waitFor()
  const told = await conflict.innerText()
  for (const words of ['Ring them once', 'Ring them twice', 'Their bells', 'Allow everything but hard denials'])
    expect(told).toContain(words)
  expect(told).toMatch(/Name\s+Their bells\s+not changed here/)
  expect(await form.getByLabel('What is asked').inputValue()).toBe('Ring them twice')
  await shots(page, 'schedule-conflict')
  await expect.poll(() => axeProblems(page)).toEqual([])
  // What was not changed here stays theirs.
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await call('GET', `/schedules/${id}`)).toMatchObject({
    name: 'Their bells',
    content: [{ text: 'Ring them twice' }],
    unattended: 'full',
    revision: 3,
  })

  const again = await openForm(page, 'Their bells')
  await again.getByLabel('Name', { exact: true }).fill('Mine')
  expect((await holdfast('schedule', 'edit', id, '--name', 'Of the terminal', '--day-budget', '2')).status).toBe(0)
  await again.getByRole('button', { name: 'Save' }).click()
  await conflict.getByRole('button', { name: 'Take theirs' }).click()
  await conflict.waitFor({ state: 'detached' })
  expect(await again.getByLabel('Name', { exact: true }).inputValue()).toBe('Of the terminal')
  expect(await again.getByLabel('Each day').inputValue()).toBe('2')
}, 120_000)

test('[UI113, UI114] the form says what it lacks where it lacks it, clamps nothing, and what was typed survives leaving and a reload', async () => {
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  await page.getByRole('button', { name: 'New schedule…' }).click()
  const form = page.getByRole('form', { name: 'New schedule' })
  const make = form.getByRole('button', { name: 'Make schedule' })
  await make.click()
  await form.getByText('It lacks a name.').waitFor()
  await form.getByText('Say what is asked.').waitFor()
  expect(await form.getByLabel('Name', { exact: true }).evaluate((one) => one === document.activeElement)).toBe(true)
  await form.getByLabel('Name', { exact: true }).fill('Rent')
  await form.getByLabel('What is asked').fill('Pay the rent')
  await form.getByRole('combobox', { name: 'When', exact: true }).selectOption({ label: 'Every month' })
  await form.getByLabel('Day of the month').fill('32')
  await form.getByText('A month has the days 1 to 31.').waitFor()
  expect(await form.getByLabel('Day of the month').inputValue()).toBe('32')
  await form.getByLabel('Later by up to').fill('90')
  await form.getByText('Give whole minutes from 0 to 60.').waitFor()
  await form.getByLabel('Each day').fill('-1')
  await form.getByText('Give US dollars from 0.0001 to a million').waitFor()
  await shots(page, 'schedule-lacks')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await make.click()
  expect(await form.getByLabel('Day of the month').evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await call('GET', '/schedules')).toEqual({ schedules: [] })

  await page.getByRole('link', { name: 'Tools' }).first().click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Schedules' }).first().click()
  await form.waitFor()
  await page.reload()
  expect(await form.getByLabel('What is asked').inputValue()).toBe('Pay the rent')
  expect(await form.getByLabel('Day of the month').inputValue()).toBe('32')
  await form.getByLabel('Day of the month').fill('31')
  await form.getByLabel('Later by up to').fill('')
  await form.getByLabel('Each day').fill('0,50')
  // What the server alone knows is told in the words of the form, and forgotten at the next change.
  await form.getByLabel('Time zone').fill('Europe/Atlantis')
  await make.click()
  const refusal = form.locator('.problem[role=alert]')
  await refusal.last().waitFor()
  expect(await refusal.last().innerText()).toMatch(/Atlantis/)
  await form.getByLabel('Time zone').fill('Europe/Berlin')
  await expect.poll(() => refusal.count()).toBe(0)
  await make.click()
  await form.waitFor({ state: 'detached' })
  expect(await call('GET', '/schedules')).toMatchObject({ schedules: [{ name: 'Rent', budgets: { dayUsd: 0.5 } }] })
  await page.reload()
  await rowOf(page, 'Rent').waitFor()
  expect(await form.count()).toBe(0)
}, 120_000)

test('[UI113] what was typed for a schedule that was deleted elsewhere is in a new one', async () => {
  const id = await schedule('Bells')
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  const form = await openForm(page, 'Bells')
  await form.getByLabel('What is asked').fill('Typed and precious')
  await call('DELETE', `/schedules/${id}`)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Bells was deleted elsewhere. What you typed is in a new schedule.').waitFor()
  const anew = page.getByRole('form', { name: 'New schedule' })
  expect(await anew.getByLabel('What is asked').inputValue()).toBe('Typed and precious')
  await anew.getByLabel('Name', { exact: true }).fill('n'.repeat(81))
  await anew.getByText('At most 80 characters.').waitFor()
  await anew.getByLabel('Name', { exact: true }).fill('Bells again')
  await anew.getByRole('button', { name: 'Make schedule' }).click()
  await anew.waitFor({ state: 'detached' })
  expect(await call('GET', '/schedules')).toMatchObject({ schedules: [{ name: 'Bells again' }] })
}, 60_000)

test('[SCHED38, CLI39, SCHED42] the list says when and what, and stops what runs, as the terminal does', async () => {
  const first = await schedule('Nightly', { content: [{ type: 'text', text: '/demo stream-long' }] })
  await schedule('Later', { rule: { type: 'after-schedule', scheduleId: first }, unattended: 'full' })
  const agent = z
    .object({ id: z.string() })
    .parse(await call('POST', '/agents', { name: 'Poet', settings: { instructions: 'Rhyme.' } }))
  await schedule('Rhymes', { agentId: agent.id, rule: { type: 'hook' } })
  await call('DELETE', `/agents/${agent.id}`)
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  const row = rowOf(page, 'Nightly')
  await row.waitFor()
  expect(await row.innerText()).toContain('Monday to Friday at 02:30')
  expect(await row.innerText()).toContain('/demo stream-long')
  const later = await rowOf(page, 'Later').innerText()
  expect(later).toContain('After each run of Nightly')
  expect(later).toContain('Nothing is asked: everything but hard denials is allowed.')
  await expect.poll(() => rowOf(page, 'Rhymes').innerText()).toContain('Agent: An agent that is gone')
  expect(await rowOf(page, 'Rhymes').innerText()).not.toContain(agent.id)

  await row.getByRole('button', { name: 'Run now: Nightly' }).click()
  const stop = row.getByRole('button', { name: 'Stop what runs of Nightly' })
  await stop.waitFor()
  await shots(page, 'schedule-runs')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await stop.click()
  await stop.waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'History of Nightly' }).click()
  await row.getByText('A person stopped it').waitFor()

  await call('POST', `/schedules/${first}/run`)
  await expect.poll(async () => (await holdfast('schedule', 'list')).stdout).toContain('1 running')
  expect(await holdfast('schedule', 'stop', 'Nightly')).toMatchObject({ status: 0, stdout: 'Its run is stopped.\n' })
  await expect
    .poll(async () => (await holdfast('schedule', 'history', 'Nightly')).stdout.match(/A person stopped it/g)?.length)
    .toBe(2)
  const none = await holdfast('schedule', 'stop', 'Nightly')
  expect(none.status).toBe(1)
  expect(none.stderr).toContain('No run of this schedule is under way')
}, 180_000)

test('[CLI40, CLI41, CLI42] the terminal says all that a schedule may do, changes it, and names options where it is refused', async () => {
  const page = await scene.enter()
  await say(page, 'Good day')
  await untilTurn(page, 'completed')
  const target = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const made = await holdfast(
    ...['schedule', 'add', 'Look', '--cron', '0 9 * * *', '--name', 'Look', '--zone', 'UTC', '--json'],
    ...['--unattended', 'allow-list', '--allow', 'read', '--allow', 'shell git *', '--missed', 'all'],
    ...['--overlap', 'queue', '--budget', '1', '--day-budget', '2', '--month-budget', '3', '--target', target],
  )
  expect(made.stderr).toBe('')
  expect(JSON.parse(made.stdout)).toMatchObject({
    unattended: 'allow-list',
    rules: [{ tool: 'read' }, { tool: 'shell', pattern: 'git *' }],
    missed: 'all',
    overlap: 'queue',
    budgets: { runUsd: 1, dayUsd: 2, monthUsd: 3 },
    target,
  })
  const edited = await holdfast(
    ...['schedule', 'edit', 'Look', '--text', 'Look again', '--rrule', 'FREQ=DAILY;BYHOUR=7;BYMINUTE=0'],
    ...['--day-budget', 'none', '--unattended', 'deny', '--target', 'new', '--json'],
  )
  expect(edited.stderr).toBe('')
  expect(JSON.parse(edited.stdout)).toMatchObject({
    content: [{ text: 'Look again' }],
    rule: { type: 'rrule' },
    budgets: { runUsd: 1, monthUsd: 3 },
    unattended: 'deny',
    overlap: 'queue',
    target: 'new',
    revision: 2,
  })
  expect(JSON.parse(edited.stdout)).not.toHaveProperty('budgets.dayUsd')
  const called = await holdfast('schedule', 'edit', 'Look', '--hook')
  expect(called.stdout).toContain('/api/v1/hooks/hook_')
  for (const [words, told] of [
    [['--jitter', '99'], '--jitter is too large: give at most 60'],
    [['--day-budget', '1e9'], '--day-budget is too large'],
    [['--unattended', 'allow-list', '--allow', 'x'.repeat(300)], '--allow is too long'],
    [['--allow', 'read'], '--allow goes with --unattended allow-list'],
    [[], 'Say what to change'],
  ] as const) {
    const refused = await holdfast('schedule', 'edit', 'Look', ...words)
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain(told)
    expect(refused.stderr).not.toMatch(/jitterMinutes|modelId|budgets\./)
  }
  for (const [words, told] of [
    [['--model', 'nope'], '--model: There is no model nope. See which there are: holdfast models'],
    [['--preset', 'nope'], 'There is no preset nope'],
    [['--workspace', 'nope'], 'There is no workspace nope'],
    [['--after-schedule', 'nope'], 'There is no schedule nope'],
  ] as const) {
    const refused = await holdfast('schedule', 'edit', 'Look', ...words)
    expect(refused.status).toBe(3)
    expect(refused.stderr).toContain(told)
  }
}, 180_000)
