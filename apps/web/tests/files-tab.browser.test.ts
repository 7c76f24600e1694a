import { spawnSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const ALLOWED = { permissions: { rules: [{ id: 'all', effect: 'allow', tool: '*' }] } }
// A save that comes too late is refused, which the console of a browser lists.
const scene = liveScene({ config: ALLOWED, workspace: {}, forgiven: /status of (412|404|422)/ })

const row = (page: Page, name: string) =>
  page.getByRole('treeitem').filter({ has: page.locator('.tree-name', { hasText: new RegExp(`^${name}$`) }) })
const text = (page: Page) => page.getByTestId('code-editor').locator('.cm-content')
const file = (name: string) => join(scene.folder, name)

/** A conversation with its files beside it. */
async function openFiles(words: string): Promise<Page> {
  const page = await scene.enter()
  await say(page, words)
  await untilTurn(page, 'completed')
  await page.goto(`${page.url().split('?')[0]}?dock=files`)
  await page.getByTestId('file-tree').waitFor()
  return page
}

async function project(): Promise<void> {
  await mkdir(file('src'), { recursive: true })
  await mkdir(file('built'))
  await writeFile(file('.gitignore'), 'built\n')
  await writeFile(file('built/out.js'), 'x')
  await writeFile(file('src/main.ts'), 'export const one = 1\nexport const two = 2\nexport const three = 3\n')
  await writeFile(file('src/win.txt'), '\ufeffone\r\ntwo\r\nno end')
  await writeFile(file('src/two\nlines.txt'), 'odd')
  await writeFile(file('gone.txt'), 'x')
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '-q', '-m', 'first'],
  ])
    spawnSync('git', ['-C', scene.folder, ...args])
  await rm(file('gone.txt'))
}

test('[UI67, UI68, UI71] the tree says what is where and how it stands, follows the disk and the agent, and is searched', async () => {
  await project()
  const page = await openFiles('Hello')
  await expect.poll(() => row(page, 'built').getAttribute('data-ignored')).toBe('true')
  await expect.poll(() => row(page, 'gone.txt').getAttribute('data-mark')).toBe('deleted')
  await row(page, 'src').click()
  await row(page, 'main.ts').waitFor()
  await expect.poll(() => row(page, 'two␊lines.txt').count()).toBe(1)
  await writeFile(file('src/main.ts'), 'export const one = 1\nexport const two = 22\n')
  await writeFile(file('src/fresh.ts'), '')
  await expect.poll(() => row(page, 'main.ts').getAttribute('data-mark')).toBe('changed')
  await expect.poll(() => row(page, 'fresh.ts').getAttribute('data-mark')).toBe('new')
  await expect.poll(() => row(page, 'src').getAttribute('data-mark')).toBe('inside')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'files-tree')

  // By the keyboard: one stop, and the arrows inside.
  await row(page, 'src').focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => row(page, 'main.ts').count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  await row(page, 'main.ts').waitFor()

  await page.getByRole('searchbox', { name: 'Search the files' }).fill('TWO = 22')
  const found = page.getByTestId('found-lines')
  await expect.poll(() => found.innerText()).toContain('1 line in 1 file')
  await found.getByRole('button', { name: /two = 22/ }).click()
  await expect.poll(() => page.getByTestId('file-view').innerText()).toContain('src/main.ts')
  await expect.poll(() => text(page).locator('.cm-activeLine').innerText()).toContain('two = 22')

  // Lines that are selected go along with the next message.
  await text(page).locator('.cm-line').first().click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('button', { name: 'Mention L1–2' }).click()
  await expect.poll(() => page.getByTestId('along-chip').innerText()).toContain('src/main.ts')

  await say(page, '/demo edit')
  await expect
    .poll(() => page.getByTestId('file-view').innerText(), { timeout: 15_000 })
    .toContain('holdfast-demo/note.txt')
  await untilTurn(page, 'completed')
  await page.getByRole('searchbox', { name: 'Search the files' }).fill('')
  await expect.poll(() => row(page, 'note.txt').innerText()).toContain('here')
}, 90_000)

test('[UI69, UI70, WS17] a file is edited, saved, kept over a reload, and in a conflict neither version is lost', async () => {
  await project()
  const page = await openFiles('Hello')
  await row(page, 'src').click()
  await row(page, 'win.txt').click()
  const view = page.getByTestId('file-view')
  await text(page).locator('.cm-line').nth(1).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' and more')
  await page.keyboard.press('Control+s')
  await expect.poll(() => view.getAttribute('data-state')).toBe('text')
  expect(await readFile(file('src/win.txt'), 'utf8')).toBe('\ufeffone\r\ntwo and more\r\nno end')

  await text(page).locator('.cm-line').nth(0).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' mine')
  await expect.poll(() => view.getAttribute('data-state')).toBe('unsaved')
  await page.reload()
  await row(page, 'src').click()
  await expect.poll(() => row(page, 'win.txt').innerText()).toContain('●')
  await row(page, 'win.txt').click()
  await expect.poll(() => text(page).innerText()).toContain('one mine')

  // Somebody else writes it meanwhile.
  await writeFile(file('src/win.txt'), 'theirs\r\n')
  const conflict = page.getByTestId('file-conflict')
  await conflict.waitFor()
  expect(await readFile(file('src/win.txt'), 'utf8')).toBe('theirs\r\n')
  await conflict.getByRole('button', { name: 'Theirs' }).first().click()
  await expect.poll(() => text(page).innerText()).toContain('theirs')
  await conflict.getByRole('button', { name: 'Both' }).click()
  await expect.poll(() => text(page).innerText()).toMatch(/theirs[\s\S]*one mine/)
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'files-conflict')
  await conflict.getByRole('button', { name: 'Take theirs' }).click()
  await expect.poll(() => text(page).innerText()).not.toContain('mine')
  await page.getByTestId('toast').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => text(page).innerText()).toContain('one mine')
  await page.getByTestId('save-file').click()
  await expect.poll(() => readFile(file('src/win.txt'), 'utf8')).toBe('\ufeffone mine\r\ntwo and more\r\nno end')

  // A file that is deleted under what is written comes back by the person's wish.
  await text(page).click()
  await page.keyboard.type('x')
  await rm(file('src/win.txt'))
  await expect.poll(() => conflict.innerText()).toContain('not there any more')
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await expect.poll(() => readFile(file('src/win.txt'), 'utf8').catch(() => '')).toContain('one mine')
}, 90_000)

test('[UI72, WS17] pictures are shown; what is large, no text or no UTF-8 is said to be so; a save names what it replaces', async () => {
  await writeFile(
    file('dot.png'),
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
      'base64',
    ),
  )
  await writeFile(file('big.log'), Buffer.alloc(100 << 20, 'a line of a log\n'))
  await writeFile(file('bytes.dat'), Buffer.from([1, 0, 2]))
  await writeFile(file('latin.txt'), Buffer.from('caf\xe9', 'latin1'))
  const page = await openFiles('Hello')
  const view = page.getByTestId('file-view')
  const open = async (name: string) => {
    const back = page.getByRole('button', { name: 'Back to the tree' })
    if (await back.isVisible()) await back.click()
    await row(page, name).click()
  }
  await open('dot.png')
  await expect
    .poll(() => view.locator('img').evaluate((picture) => picture instanceof HTMLImageElement && picture.naturalWidth))
    .toBe(10)
  await open('big.log')
  await expect.poll(() => view.innerText()).toContain('its beginning is shown')
  await expect.poll(() => text(page).innerText()).toContain('a line of a log')
  expect(await page.getByTestId('save-file').count()).toBe(0)
  await open('bytes.dat')
  await expect.poll(() => view.innerText()).toContain('This file is no text')
  await open('latin.txt')
  await expect.poll(() => view.innerText()).toContain('not in UTF-8')
  expect(await page.getByTestId('save-file').count()).toBe(0)
  await shots(page, 'files-latin')

  const address = `${scene.holdfast.url}/api/v1/workspaces/workspace_start/file?path=new.txt`
  const headers = { authorization: `Bearer ${scene.holdfast.token}`, 'content-type': 'application/octet-stream' }
  const put = (data: string, more: Readonly<Record<string, string>>) =>
    page.request.put(address, { data, headers: { ...headers, ...more } })
  expect((await put('one', {})).status()).toBe(400)
  expect((await put('one', { 'if-none-match': '*' })).status()).toBe(201)
  expect((await put('two', { 'if-none-match': '*' })).status()).toBe(412)
  const { etag = '' } = (await page.request.get(address, { headers })).headers()
  expect((await put('two', { 'if-match': etag })).status()).toBe(200)
  const late = await put('three', { 'if-match': etag })
  expect([late.status(), await late.json()]).toEqual([412, expect.objectContaining({ code: 'file-changed' })])
  expect(await readFile(file('new.txt'), 'utf8')).toBe('two')
}, 90_000)
