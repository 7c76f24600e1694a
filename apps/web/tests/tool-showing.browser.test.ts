import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { ROOT } from './support/root.ts'
import { type Acts, scriptedAgent } from './support/scripted-agent.ts'
import { shots } from './support/shots.ts'

const EVERYTHING = join(
  createRequire(join(ROOT, 'packages/mcp/package.json')).resolve(
    '@modelcontextprotocol/server-everything/package.json',
  ),
  '../dist/index.js',
)
const PAGE = '<!doctype html>\n<title>Greeting</title>\n<h1>Helo, world</h1>\n'
const TEST = 'grep -q "<h1>Hello, everyone</h1>" index.html && echo "1 passed" | tee report.txt\n'

const edit = (old_text: string, new_text: string) =>
  ({ type: 'tool-call', name: 'edit', input: { path: 'index.html', old_text, new_text } }) as const
const text = (words: string) => ({ type: 'text', text: words }) as const
const call = (name: string, input: unknown) => ({ type: 'tool-call', name, input }) as const

/** The part that the agent plays. */
const ACTS: Acts = {
  'Mend the greeting': [
    [text('I look at the project first.'), call('list', {}), call('read', { path: 'index.html' })],
    [edit('Helo, world', 'Hello, world')],
    [text('To everyone, then.'), edit('Helo, world', 'Hello, everyone')],
    [call('shell', { command: 'sh test.sh' })],
    [text('The greeting is right, and its test passes.')],
  ],
  'Make it louder': [[edit('Hello, everyone', 'HELLO, EVERYONE')], [text('Louder.')]],
  'And quieter again': [[edit('HELLO, EVERYONE', 'Hello, everyone')], [text('As you wish.')]],
  'Write three notes': [
    ['one', 'two', 'three'].map((name) => call('write', { path: `notes/${name}.md`, content: `Note ${name}\n` })),
    [text('Three notes.')],
  ],
  'Ask the server': [[call('everything__echo', { message: 'Is anybody there?' })], [text('It answered.')]],
  'Take your time': [
    [call('everything__trigger-long-running-operation', { duration: 600, steps: 1_200 })],
    [text('It died; I try something shorter.'), call('everything__echo', { message: 'Back again?' })],
    [text('It is back.')],
  ],
}

const scene = liveScene({ workspace: { 'index.html': PAGE, 'test.sh': TEST }, reply: scriptedAgent(ACTS) })

/** Where the server of tools writes down its process, so that it can be killed. */
const pidFile = () => join(scene.dataDir, 'server-pid')

/** The operator adds a server in the terminal, and starts anew. */
async function addServer(): Promise<void> {
  const line = `echo $$ > ${pidFile()}; exec ${process.execPath} ${EVERYTHING} stdio`
  const args = ['mcp', 'add', 'everything', '--data-dir', scene.dataDir, '--', '/bin/bash', '-c', line]
  await promisify(execFile)(process.execPath, [join(ROOT, 'apps/holdfast/bin/holdfast.js'), ...args])
  await scene.startAnew(async () => {})
}

/** The card of the request that is open, once it takes an answer. */
async function openRequest(page: Page, words: string): Promise<Locator> {
  const card = page.locator('[data-testid=permission-card][data-state=armed]').filter({ hasText: words })
  await card.waitFor()
  return card
}

async function allowOnce(page: Page, words: string): Promise<void> {
  const card = await openRequest(page, words)
  await card.getByRole('button', { name: 'Allow once' }).click()
}

const onDisk = () => readFile(join(scene.folder, 'index.html'), 'utf8')

test('[PERM3, PERM5, PERM9, WS1, TOOL9] a project is read, changed, tested and restored; a rule is suggested, tried and added; a server is added, used, killed in mid-call and is back; permission is denied with a reason, granted, taken back', async () => {
  const page = await scene.enter()

  // Read without asking; the change asks, is denied with a reason, and comes again as it was wished.
  await say(page, 'Mend the greeting')
  const first = await openRequest(page, 'Hello, world')
  await expect.poll(() => first.innerText()).toMatch(/Change\s+index.html/)
  await shots(page, 'showing-asked')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await first.getByRole('button', { name: 'Deny…' }).click()
  await first.getByLabel('Reason for the model').fill('Greet everyone, not the world')
  await first.getByRole('button', { name: 'Deny', exact: true }).click()
  const second = await openRequest(page, 'Hello, everyone')
  await expect.poll(() => onDisk()).toBe(PAGE)
  await expect.poll(() => page.getByTestId('permission-receipt').first().innerText()).toContain('Greet everyone')
  await second.getByRole('button', { name: 'Allow for this conversation' }).click()
  await allowOnce(page, 'sh test.sh')
  await untilTurn(page, 'completed')
  await page.getByText('its test passes').waitFor()
  await expect.poll(() => onDisk()).toContain('Hello, everyone')
  await expect
    .poll(() => page.getByTestId('tool-card').filter({ hasText: 'shell' }).getAttribute('data-state'))
    .toBe('ok')
  await shots(page, 'showing-changed')

  // What was granted holds, is listed, and is taken back.
  await say(page, 'Make it louder')
  await page.getByText('Louder.').waitFor()
  await expect.poll(() => onDisk()).toContain('HELLO, EVERYONE')
  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  await page.getByTestId('dock-tab-tools').click()
  const given = page.getByTestId('given-rule')
  await expect.poll(() => given.innerText()).toMatch(/Allowed: edit\s+with any input/)
  await shots(page, 'showing-granted')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await given.getByRole('button', { name: 'Take back: edit' }).click()
  await expect.poll(() => page.getByTestId('given-rules').count()).toBe(0)
  await say(page, 'And quieter again')
  await allowOnce(page, 'HELLO, EVERYONE')
  await page.getByText('As you wish.').waitFor()
  // While the turn runs nothing is restored, and its words come before its end.
  await untilTurn(page, 'completed')

  // All of it is brought back, with what the command made.
  const files = page.getByTestId('changed-files').first()
  await files.getByRole('button', { name: 'Restore all since here…' }).click()
  const toRestore = page.locator('[data-testid=file-to-restore]')
  await toRestore.and(page.locator('[data-act=delete]')).filter({ hasText: 'report.txt' }).waitFor()
  await toRestore.filter({ hasText: 'index.html' }).locator('summary').click()
  await page.getByText('seen by looking at the folder').waitFor()
  await shots(page, 'showing-restore')
  // What no tool told comes back only on wish.
  await files.getByRole('checkbox', { name: /that changed while a call ran/ }).check()
  await files.getByRole('button', { name: 'Restore 2 files' }).click()
  await expect.poll(async () => ({ file: await onDisk(), said: await files.innerText() })).toMatchObject({ file: PAGE })
  await expect.poll(() => readFile(join(scene.folder, 'report.txt'), 'utf8').catch(() => null)).toBe(null)

  // What was answered alike three times is suggested as a rule, which is tried on the past and added.
  await say(page, 'Write three notes')
  for (const name of ['one', 'two', 'three']) await allowOnce(page, `notes/${name}.md`)
  await page.getByText('Three notes.').waitFor()
  const suggested = page.getByTestId('suggested-rule').filter({ hasText: 'notes/*' })
  await suggested.getByRole('button', { name: 'What it would have done' }).click()
  await expect.poll(() => suggested.getByTestId('rule-trial').innerText()).toContain('have given 3 answers for you')
  await shots(page, 'showing-suggested')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await suggested.getByRole('button', { name: 'Add here' }).click()
  await expect.poll(() => given.innerText()).toMatch(/Allowed: write\s+only notes\/\*/)
  await expect.poll(() => suggested.count()).toBe(0)

  // A server is added by the operator and used.
  await addServer()
  const server = page.getByTestId('tool-source').filter({ hasText: 'everything' })
  await server.and(page.locator('[data-state=connected]')).waitFor()
  await say(page, 'Ask the server')
  await allowOnce(page, 'Is anybody there?')
  await page.getByText('It answered.').waitFor()
  await shots(page, 'showing-server')

  // It is killed in mid-call: the call fails, the run goes on, and the next call finds it again.
  await say(page, 'Take your time')
  await allowOnce(page, 'trigger-long-running-operation')
  const running = page.locator('[data-testid=tool-card][data-state=running]')
  await expect.poll(() => running.locator('.tool-progress').innerText()).toMatch(/\d/)
  await shots(page, 'showing-progress')
  process.kill(Number(await readFile(pidFile(), 'utf8')), 'SIGKILL')
  const failed = page.locator('[data-testid=tool-card][data-state=error]')
  await expect.poll(() => failed.innerText()).toContain('ended while the call ran')
  await allowOnce(page, 'Back again?')
  await page.getByText('It is back.').waitFor()
  await untilTurn(page, 'completed')
  await server.and(page.locator('[data-state=connected]')).waitFor()
  await shots(page, 'showing-recovered')

  // For all conversations the same is suggested in the settings; it is not wanted there, and stays away.
  await page.goto(`${scene.holdfast.url}/settings/permissions`)
  const form = page.getByTestId('rule-form')
  await form.getByLabel('Tool').fill('edit')
  await form.getByLabel('Only for').fill('**')
  await form.getByRole('button', { name: 'Try on past calls' }).click()
  await expect.poll(() => form.getByTestId('rule-trial').innerText()).toContain('1 of your answers would have been')
  await suggested.waitFor()
  await shots(page, 'showing-rules')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await suggested.getByRole('button', { name: 'Not this one' }).click()
  await expect.poll(() => suggested.count()).toBe(0)
  await form.getByLabel('Tool').fill('shell')
  await form.getByLabel('Only for').fill('sh test.sh')
  await form.getByRole('button', { name: 'Add for all conversations' }).click()
  await expect.poll(() => page.getByTestId('always-rule').innerText()).toContain('sh test.sh')
}, 150_000)
