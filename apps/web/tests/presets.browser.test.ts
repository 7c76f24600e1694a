import { execFile, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { ROOT } from './support/root.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({ reply: { parts: [{ type: 'text', text: 'An answer.' }] } })
const Log = z.object({ entries: z.array(z.looseObject({ type: z.string() })) })

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

test('[UI87, UI88, UI89, WS37, CLI20, CLI21] a preset is chosen, says what it sets, asks where to work, and is changed', async () => {
  const folder = join(scene.folder, 'project')
  await mkdir(folder, { recursive: true })
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
      encoding: 'utf8',
    })
  await writeFile(join(folder, 'a.txt'), 'first')
  for (const args of ['init -q -b main', 'add .', 'commit -q -m first']) git(...args.split(' '))
  await scene.configure({ workspaceRoots: [folder], workspace: folder })
  await scene.startAnew(async () => {})
  const page = await scene.enter()
  const place = page.getByTestId('place-picker')
  const line = page.getByTestId('preset-line')
  await expect.poll(() => place.getAttribute('data-state')).toBe('in-place')
  await page.getByTestId('preset-picker').selectOption('code')
  await expect.poll(() => line.innerText()).toContain('Thinking: high')
  expect(await line.innerText()).toContain('Repository map in a request: 2,000 tokens')
  expect(await page.getByTestId('mode-picker').getAttribute('data-state')).toBe('accept-edits')
  await expect.poll(() => place.getAttribute('data-state')).toBe('ask')
  await shots(page, 'preset-chosen')

  await say(page, 'Greet better')
  const question = page.getByTestId('place-question')
  await question.waitFor()
  await shots(page, 'preset-place-question')
  expect(git('branch').stdout).not.toContain('holdfast/')
  await question.getByRole('button', { name: 'In a worktree of its own' }).click()
  await untilTurn(page, 'completed')
  expect(git('branch').stdout).toMatch(/holdfast\/greet-better-/)
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const headers = { authorization: `Bearer ${scene.holdfast.token}` }
  const read = await page.request.get(`${scene.holdfast.url}/api/v1/conversations/${id}/entries?after=0&limit=50`, {
    headers,
  })
  expect(Log.parse(await read.json()).entries).toContainEqual(
    expect.objectContaining({
      type: 'settings-changed',
      preset: { presetId: 'code', name: 'Code' },
      changes: { mapTokens: 2_000, diagnostics: true, thinking: 'high', permissionMode: 'accept-edits' },
    }),
  )

  // The first works in a worktree, and is in nobody's way; a second one in the folder is.
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await expect.poll(() => place.getAttribute('data-state')).toBe('in-place')
  await say(page, 'Look around')
  await untilTurn(page, 'completed')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await expect.poll(() => place.getAttribute('data-state')).toBe('worktree')

  await page.goto(`${scene.holdfast.url}/settings/presets`)
  const rows = page.getByTestId('preset-row')
  await expect.poll(() => rows.count()).toBe(3)
  await shots(page, 'settings-presets')
  await page.getByRole('button', { name: 'Edit preset Vibe' }).click()
  const editor = page.getByTestId('preset-editor')
  await editor.getByLabel('Name', { exact: true }).fill('Easy')
  await editor.getByLabel('Where it works').selectOption('worktree')
  await editor.getByLabel('Permissions').selectOption('ask')
  await shots(page, 'settings-preset-editor')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => rows.nth(2).innerText()).toContain('Works in a worktree of its own · Ask first')
  await page.getByRole('button', { name: 'Copy preset Easy' }).click()
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => rows.count()).toBe(4)
  await page.getByRole('button', { name: 'As it came: preset Easy' }).click()
  await expect.poll(() => rows.nth(2).innerText()).toContain('Vibe')
  await page.getByRole('button', { name: 'Delete preset Copy of Easy' }).click()
  await expect.poll(() => rows.count()).toBe(3)

  expect((await holdfast('presets', 'list')).stdout).toMatch(/^code {2}Code {2}.*thinking high/m)
  const unknown = await holdfast('run', '--preset', 'none', 'Hello')
  expect(unknown).toMatchObject({ status: 3, stdout: '' })
  expect(unknown.stderr).toContain('holdfast presets list')
  const before = git('branch').stdout.split('\n').length
  const ran = await holdfast('run', '--preset', 'code', '--worktree', 'Hello')
  expect(ran.status, ran.stderr).toBe(0)
  expect(git('branch').stdout.split('\n').length).toBe(before + 1)
}, 120_000)
