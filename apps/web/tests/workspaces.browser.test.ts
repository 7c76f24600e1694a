import { spawnSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { ROOT } from './support/root.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({
  reply: { parts: [{ type: 'text', text: 'An answer.' }] },
  // A folder that may not be opened is refused, which the console of a browser lists.
  forgiven: /status of 422/,
})
const Log = z.object({ entries: z.array(z.looseObject({ type: z.string() })) })

/** What `holdfast open` says of a folder, at the server of the scene. */
function openFolder(folder: string) {
  const args = [join(ROOT, 'apps', 'holdfast', 'bin', 'holdfast.js'), 'open', folder, '--no-open', '--json']
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, '--data-dir', scene.dataDir], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stdout, stderr }
}

test('[UI54, UI55, UI56, CLI15] a folder is opened in the page or the terminal, chosen for a conversation, shared and closed', async () => {
  const base = join(scene.folder, 'base')
  await mkdir(join(base, 'one', 'part'), { recursive: true })
  await mkdir(join(base, 'two', '.git'), { recursive: true })
  await writeFile(join(base, 'two', 'found-here.txt'), 'words')
  await scene.configure({ workspaceRoots: [base] })
  await scene.startAnew(async () => {})
  const page = await scene.enter()
  const picker = page.getByTestId('workspace-picker')
  await expect.poll(() => picker.locator('option').allInnerTexts()).toEqual(['No folder', 'Open a folder…'])
  await picker.selectOption({ label: 'Open a folder…' })
  const chooser = page.getByTestId('open-folder')
  await chooser.getByRole('button', { name: /^two/ }).click()
  await expect.poll(() => chooser.getAttribute('data-state')).toBe('here')
  await expect.poll(() => chooser.innerText()).toContain('No folders in here.')
  await shots(page, 'open-folder')
  // Nothing behind it hears what is pressed in it.
  await chooser.press('Escape')
  await chooser.waitFor({ state: 'detached' })
  await picker.selectOption({ label: 'Open a folder…' })
  await chooser.getByLabel('Folder on the server').fill(homedir())
  await chooser.getByRole('button', { name: 'Go' }).click()
  await expect.poll(() => chooser.getByRole('alert').innerText()).toContain('outside of what may be opened')
  expect(await chooser.getByRole('button', { name: 'Open this folder' }).isDisabled()).toBe(true)
  await chooser.getByLabel('Folder on the server').fill(join(base, 'two'))
  await chooser.getByRole('button', { name: 'Go' }).click()
  await chooser.getByRole('button', { name: 'Open this folder' }).click()
  await expect.poll(() => page.locator('.picker', { has: picker }).innerText()).toContain('two')
  await page.getByPlaceholder('Write a message…').fill('@found')
  await page.getByText('found-here.txt').first().waitFor()
  await page.getByPlaceholder('Write a message…').fill('')
  await say(page, 'Hello')
  await untilTurn(page, 'completed')
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const read = await page.request.get(`${scene.holdfast.url}/api/v1/conversations/${id}/entries?after=0&limit=50`, {
    headers: { authorization: `Bearer ${scene.holdfast.token}` },
  })
  expect(Log.parse(await read.json()).entries[0]).toMatchObject({
    type: 'conversation-created',
    settings: { workspaceId: expect.stringMatching(/^workspace_/) },
  })

  const refused = openFolder(homedir())
  expect(refused).toMatchObject({ status: 2, stdout: '' })
  expect(refused.stderr).toContain('E_FOLDER_REFUSED')
  expect(openFolder(join(base, 'none')).status).toBe(66)
  const opened = openFolder(join(base, 'one'))
  expect(opened.status, opened.stderr).toBe(0)
  expect(openFolder(join(base, 'one')).stdout).toBe(opened.stdout)
  const { link } = z.object({ workspaceId: z.string(), link: z.url() }).parse(JSON.parse(opened.stdout))
  await page.goto(link)
  await expect.poll(() => page.locator('.picker', { has: picker }).innerText()).toContain('one')

  await page.goto(`${scene.holdfast.url}/settings/workspaces`)
  const rows = page.getByTestId('workspace-row')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('button', { name: 'Change workspace two' }).click()
  await page.getByLabel('Who may use it').selectOption('everyone')
  await expect.poll(() => rows.filter({ hasText: 'two' }).innerText()).toContain('git · Everyone here')
  await shots(page, 'settings-workspaces')
  await page.getByRole('button', { name: 'Close workspace two' }).click()
  await expect.poll(() => rows.filter({ hasText: 'two' }).innerText()).toContain('have no folder from then on')
  await page.getByRole('button', { name: 'Really close workspace two' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await page.goto(`${scene.holdfast.url}/c/${id}`)
  await expect
    .poll(() => page.locator('.picker', { has: picker }).innerText())
    .toContain('A workspace that is not open to you')
}, 60_000)

test('[UI65, UI66, WS12, CLI16] a conversation works in a worktree of its own, and its work is merged from the page', async () => {
  const folder = join(scene.folder, 'project')
  await mkdir(folder, { recursive: true })
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
      encoding: 'utf8',
    })
  await writeFile(join(folder, 'a.txt'), 'first')
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['commit', '-q', '-m', 'first'],
  ])
    git(...args)
  await scene.configure({ workspaceRoots: [folder], workspace: folder })
  await scene.startAnew(async () => {})
  const page = await scene.enter()
  await page.getByTestId('place-picker').selectOption('worktree')
  await say(page, 'Greet better')
  await untilTurn(page, 'completed')
  expect(git('branch').stdout).toMatch(/holdfast\/greet-better-/)
  const rows = z.object({ worktrees: z.array(z.looseObject({ folder: z.string(), id: z.string() })) })
  const headers = { authorization: `Bearer ${scene.holdfast.token}` }
  const listed = await page.request.get(`${scene.holdfast.url}/api/v1/worktrees`, { headers })
  const [tree] = rows.parse(await listed.json()).worktrees
  await writeFile(join(tree?.folder ?? '', 'a.txt'), 'second')
  await page.getByTestId('worktree-button').click()
  const menu = page.getByTestId('worktree-menu')
  await expect.poll(() => menu.innerText()).toContain('not all committed')
  await menu.getByLabel('What the work is, for the commit').fill('Greet as friends do')
  await shots(page, 'worktree-finish')
  await menu.getByRole('button', { name: 'Merge' }).click()
  await expect.poll(() => page.getByTestId('worktree-done').innerText()).toContain('was merged into main')
  expect(git('log', '-1', '--format=%s').stdout.trim()).toBe('Greet as friends do')
  // In the bar and above the field stands what became of it.
  await expect.poll(() => page.getByTestId('worktree-button').innerText()).toContain('merged into main')
  await page.keyboard.press('Escape')
  const gone = page.getByTestId('worktree-gone')
  await expect.poll(() => gone.innerText()).toContain('This conversation has no folder now.')
  await shots(page, 'worktree-gone')
  await gone.getByRole('button', { name: 'Restore' }).click()
  await gone.waitFor({ state: 'detached' })
  await page.getByTestId('worktree-button').click()
  await menu.getByRole('button', { name: 'Merge' }).waitFor()
  const cli = (...args: string[]) => {
    const words = [
      join(ROOT, 'apps', 'holdfast', 'bin', 'holdfast.js'),
      'worktrees',
      ...args,
      '--data-dir',
      scene.dataDir,
    ]
    return spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 60_000 })
  }
  expect(cli('list').stdout).toContain('ready  holdfast/greet-better-')
  expect(cli('remove', 'none').status).toBe(3)
  expect(cli('remove', tree?.id ?? '').status).toBe(0)
  expect(cli('list').stdout).toContain('removed  holdfast/greet-better-')
  expect(cli('restore', tree?.id.slice(0, 8) ?? '').status).toBe(0)
  await page.goto(`${scene.holdfast.url}/settings/workspaces`)
  await expect.poll(() => page.getByTestId('worktree-row').getAttribute('data-state')).toBe('ready')
  // All of it was merged: it can go, but for what somebody does there now.
  const spent = page.getByTestId('spent-worktrees')
  await expect.poll(() => spent.innerText()).toContain('1 holds nothing of its own')
  await shots(page, 'settings-worktrees')
  await writeFile(join(tree?.folder ?? '', 'b.txt'), 'more')
  expect(cli('clear').stderr).toBe('Every worktree holds something of its own.\n')
  await rm(join(tree?.folder ?? '', 'b.txt'))
  expect(cli('clear').stdout).toContain('was removed; bring it back with: holdfast worktrees restore')
  expect(cli('restore', tree?.id ?? '').status).toBe(0)
  await spent.getByRole('button', { name: 'Remove what holds nothing' }).click()
  await expect.poll(() => page.getByTestId('worktree-row').getAttribute('data-state')).toBe('removed')
  await spent.waitFor({ state: 'detached' })
}, 60_000)
