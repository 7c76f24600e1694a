import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { ROOT } from './support/root.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({
  reply: { parts: [{ type: 'text', text: 'An answer.' }] },
  // Of what the page loads ahead, while the server is away.
  forgiven: /ERR_FAILED/,
})

const Rows = z.object({ schedules: z.array(z.looseObject({ name: z.string() })) })

/** The provider of the scene answers from this process, which goes on meanwhile. */
function holdfast(...words: string[]): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const args = [join(ROOT, 'apps', 'holdfast', 'bin', 'holdfast.js'), ...words, '--data-dir', scene.dataDir]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { timeout: 60_000 }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    )
    child.stdin?.end()
  })
}

async function make(page: Page, name: string, when: string, choose: () => Promise<unknown>): Promise<void> {
  await page.getByRole('button', { name: 'New schedule…' }).click()
  const form = page.getByRole('form', { name: 'New schedule' })
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByLabel('What is asked').fill('Look at it')
  await form.getByRole('combobox', { name: 'When', exact: true }).selectOption({ label: when })
  await choose()
  await shots(page, `schedule-form-${name.toLowerCase()}`)
  await form.getByRole('button', { name: 'Make schedule' }).click()
  await form.waitFor({ state: 'detached' })
}

test('[UI123] on a page of the settings it is said that the server is away, and no more when it is back', async () => {
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  await page.getByRole('button', { name: 'New schedule…' }).waitFor()
  const line = page.locator('main').getByTestId('conn-state')
  await expect.poll(() => line.getAttribute('data-state')).toBe('live')
  await scene.startAnew(async () => {
    await expect.poll(() => line.getAttribute('data-state')).toMatch(/reconnecting|offline/)
    await expect.poll(() => line.innerText()).not.toBe('')
    await shots(page, 'settings-without-server')
  })
  await expect.poll(() => line.getAttribute('data-state')).toBe('live')
  await expect.poll(() => line.innerText()).toBe('')
}, 60_000)

test('[UI100, CLI19] a schedule waits for a call, another run and a folder, and its history says what set it off', async () => {
  const folder = join(scene.folder, 'project')
  await mkdir(join(folder, 'inbox'), { recursive: true })
  await scene.configure({ workspaceRoots: [folder], workspace: folder })
  await scene.startAnew(async () => {})
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  await make(page, 'Calls', 'A signed call from outside', async () => {})
  const row = (name: string) => page.getByTestId('schedule-row').filter({ has: page.getByText(name, { exact: true }) })
  const hook = row('Calls').getByTestId('schedule-hook')
  await hook.getByRole('button', { name: 'Make its address and secret' }).click()
  const secret = await hook.getByTestId('hook-secret').innerText()
  await shots(page, 'schedule-hook')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await make(page, 'After', 'When another schedule has run', () =>
    page.getByRole('form').getByRole('combobox', { name: 'Schedule', exact: true }).selectOption({ label: 'Calls' }),
  )
  await make(page, 'Files', 'When files in a folder change', () =>
    page.getByRole('form').getByLabel('Folder in the workspace', { exact: false }).fill('inbox'),
  )
  await expect.poll(() => row('Files').innerText()).toContain('Watches inbox')

  const address = await hook.locator('code').first().innerText()
  const timestamp = String(Date.now())
  const body = '{"order":7}'
  const signature = `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
  const headers = { 'Holdfast-Timestamp': timestamp, 'Holdfast-Signature': signature }
  const call = () => fetch(address, { method: 'POST', headers, body })
  expect((await call()).status).toBe(202)
  expect((await call()).status).toBe(409)
  await row('Calls').getByRole('button', { name: 'History of Calls' }).click()
  await expect.poll(() => row('Calls').getByTestId('schedule-history').innerText()).toContain('by a call')
  await row('After').getByRole('button', { name: 'History of After' }).click()
  await expect.poll(() => row('After').getByTestId('schedule-history').innerText()).toContain('after another run')
  await shots(page, 'schedule-causes')

  // The secret is shown once; the page that is opened again has none.
  await page.reload()
  await row('Calls').waitFor()
  expect(await page.getByTestId('hook-secret').count()).toBe(0)

  await writeFile(join(folder, 'inbox', 'letter.txt'), 'Hello')
  await row('Files').getByRole('button', { name: 'History of Files' }).click()
  await expect
    .poll(() => row('Files').getByTestId('schedule-history').innerText(), { timeout: 60_000 })
    .toContain('by a change of files')

  const added = await holdfast('schedule', 'add', 'Look', '--hook', '--name', 'Told', '--json')
  expect(added.status).toBe(0)
  const [, secretLine = '{}'] = added.stdout.split('\n')
  expect(JSON.parse(secretLine)).toMatchObject({
    path: expect.stringContaining('/api/v1/hooks/hook_'),
    address: expect.stringContaining(`${scene.holdfast.url}/api/v1/hooks/hook_`),
  })
  expect((await holdfast('schedule', 'history', 'Calls')).stdout).toContain('by a call')
  expect((await holdfast('schedule', 'add', 'Look', '--hook', '--cron', '0 9 * * *')).status).toBe(2)
}, 180_000)

test('[SCHED27, SCHED25, SCHED51] a schedule is made for a model, a preset and a workspace, always in one conversation, and its history names the zone', async () => {
  const folder = join(scene.folder, 'shed')
  await mkdir(folder, { recursive: true })
  await scene.configure({ workspaceRoots: [scene.folder] })
  await scene.startAnew(async () => {})
  const authorization = `Bearer ${scene.holdfast.token}`
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const asked =
      body === undefined
        ? { method, headers: { authorization } }
        : { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return (await fetch(`${scene.holdfast.url}/api/v1${path}`, asked)).json()
  }
  const { id: workspaceId } = z.object({ id: z.string() }).parse(await call('POST', '/workspaces', { root: folder }))
  const page = await scene.enter()
  await say(page, 'Good day')
  await untilTurn(page, 'completed')
  const conversationId = new URL(page.url()).pathname.split('/').at(-1)
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  const form = page.getByRole('form', { name: 'New schedule' })
  const chosen = (name: string) => form.getByRole('combobox', { name, exact: true })
  await make(page, 'Made', 'Every day', async () => {
    await chosen('Workspace').selectOption({ label: 'shed' })
    await chosen('Model').selectOption('demo')
    await chosen('Preset').selectOption('code')
    await form.getByLabel('Time zone').fill('America/St_Johns')
  })
  const read = async (name: string) =>
    Rows.parse(await call('GET', '/schedules')).schedules.find((row) => row.name === name)
  expect(await read('Made')).toMatchObject({ workspaceId, modelId: 'demo', presetId: 'code', target: 'new' })
  await make(page, 'Always', 'Every day', () => chosen('Where it answers').selectOption(conversationId ?? ''))
  expect(await read('Always')).toMatchObject({ target: conversationId })

  // Another conversation begins with the same words: the two are told apart, and the chosen one is the one that was meant.
  await page.goto(scene.holdfast.url)
  await page.getByTestId('turn').first().waitFor()
  await page.keyboard.press('Control+Shift+O')
  await page.getByTestId('turn').first().waitFor({ state: 'detached' })
  await say(page, 'Good day')
  await untilTurn(page, 'completed')
  await page.goto(`${scene.holdfast.url}/settings/schedules`)
  await page.getByRole('button', { name: 'New schedule…' }).click()
  const options = async () =>
    (await chosen('Where it answers').locator('option').allInnerTexts()).filter((text) => text.includes('An answer'))
  await expect.poll(options).toHaveLength(2)
  const [one, other] = await options()
  expect(one).toMatch(/^Always in: An answer, .*\d/)
  expect(other).toMatch(/^Always in: An answer, .*\d/)
  expect(one).not.toBe(other)
  await form.getByRole('button', { name: 'Cancel' }).click()

  const row = page.getByTestId('schedule-row').filter({ has: page.getByText('Made', { exact: true }) })
  await row.getByRole('button', { name: 'Run now: Made' }).click()
  await row.getByText(/Last: done/).waitFor()
  expect(await row.innerText()).toMatch(/Last: done.*\(America\/St_Johns\)/)
  await row.getByRole('button', { name: 'History of Made' }).click()
  await row.getByText('Times are those of America/St_Johns.').waitFor()
  await shots(page, 'schedule-made-with')
  await expect.poll(() => axeProblems(page)).toEqual([])

  // A workspace that was closed since stays named, and the rest can be changed.
  await call('DELETE', `/workspaces/${workspaceId}`)
  await page.reload()
  await row.getByRole('button', { name: 'Edit schedule Made' }).click()
  const edit = page.getByRole('form', { name: 'Edit schedule Made' })
  await expect
    .poll(() => edit.getByRole('combobox', { name: 'Workspace' }).locator('option:checked').innerText())
    .toContain('A workspace that is gone')
  await edit.getByLabel('What is asked').fill('Look at all of it')
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.waitFor({ state: 'detached' })
  expect(await read('Made')).toMatchObject({ workspaceId, content: [{ text: 'Look at all of it' }] })

  const refused = await holdfast('schedule', 'add', 'Look', '--cron', '0 9 * * *', '--model', 'nope')
  expect(refused.status).toBe(3)
  expect(refused.stderr).toContain('--model: There is no model nope. See which there are: holdfast models')
}, 180_000)

test('[SCHED30] what the terminal prints of an address calls it, pasted into a shell', async () => {
  const added = await holdfast('schedule', 'add', 'Look', '--hook', '--name', 'Pasted')
  const [, , , , ...lines] = added.stdout.split('\n')
  expect(lines.join('\n')).toContain(`${scene.holdfast.url}/api/v1/hooks/hook_`)
  const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
    execFile('bash', ['-c', lines.join('\n')], { timeout: 60_000 }, (_error, out) => resolve({ stdout: out }))
  })
  expect(JSON.parse(stdout)).toMatchObject({ state: 'begun' })
}, 60_000)

test('[UI101, SCHED17] what an agent proposes is changed and confirmed on its card, or declined, and else nothing is scheduled', async () => {
  const page = await scene.enter()
  const rows = async () => {
    const answer = await fetch(`${scene.holdfast.url}/api/v1/schedules`, {
      headers: { authorization: `Bearer ${scene.holdfast.token}` },
    })
    const { schedules } = Rows.parse(await answer.json())
    return schedules.filter(({ name }) => name.startsWith('Good'))
  }
  await say(page, '/demo schedule')
  const card = page.getByTestId('question-card')
  const proposal = page.getByTestId('schedule-proposal')
  await proposal.waitFor()
  expect(await card.innerText()).toContain('Next: ')
  await expect.poll(() => card.getAttribute('data-state')).toBe('armed')
  await shots(page, 'schedule-proposal')
  await expect.poll(() => axeProblems(page)).toEqual([])
  expect(await rows()).toEqual([])
  await proposal.getByRole('button', { name: 'Change' }).click()
  await card.getByLabel('When').fill('30 8 * * MON-FRI')
  await card.getByRole('button', { name: 'Accept' }).click()
  await untilTurn(page, 'completed')
  expect(await rows()).toMatchObject([{ name: 'Good morning', rule: { expression: '30 8 * * MON-FRI' } }])
  await say(page, '/demo schedule')
  await proposal.waitFor()
  await expect.poll(() => card.getAttribute('data-state')).toBe('armed')
  await proposal.getByRole('button', { name: 'Decline' }).click()
  await card.waitFor({ state: 'detached' })
  await untilTurn(page, 'completed')
  expect(await rows()).toHaveLength(1)
}, 180_000)
