import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const ALLOWED = { permissions: { rules: [{ id: 'all', effect: 'allow', tool: '*' }] } }
const scene = liveScene({ config: ALLOWED, workspace: {} })

test('[WS1] the files of a turn: shown with their diff, restored, undone, and a conflict said before', async () => {
  const page = await scene.enter()
  const note = join(scene.folder, 'holdfast-demo', 'note.txt')
  await say(page, '/demo edit')
  await untilTurn(page, 'completed')
  const made = await readFile(note, 'utf8')
  const card = page.getByTestId('changed-files')
  await expect.poll(() => card.innerText()).toMatch(/1 file changed\s+new\s+holdfast-demo\/note.txt/)

  await card.getByRole('button', { name: 'Restore these…' }).click()
  const file = card.locator('[data-testid=file-to-restore][data-act=delete]')
  await file.locator('summary').click()
  await expect.poll(() => file.innerText()).toContain(made.split('\n')[0])
  await expect.poll(() => axeProblems(page)).toEqual([])
  await card.getByRole('button', { name: 'Restore 1 file' }).click()
  await expect.poll(() => card.innerText()).toContain('Restored 1 of 1')
  await expect.poll(() => readFile(note, 'utf8').catch(() => null)).toBe(null)

  const restored = page.getByTestId('files-restored')
  await expect.poll(() => restored.innerText()).toContain('1 file restored')
  await restored.getByRole('button', { name: 'Undo…' }).click()
  await restored.getByRole('button', { name: 'Restore 1 file' }).click()
  await expect.poll(() => readFile(note, 'utf8').catch(() => null)).toBe(made)

  await writeFile(note, 'mine')
  await card.getByRole('button', { name: 'Close' }).click()
  await card.getByRole('button', { name: 'Restore all since here…' }).click()
  await expect.poll(() => card.innerText()).toContain('something else changed it since')
  await expect.poll(() => card.getByRole('button', { name: /^Restore 1/ }).count()).toBe(0)
}, 60_000)

test('[TOOL15] what a person saves while a command runs is named, and comes back only where that is asked for', async () => {
  const page = await scene.enter()
  const mine = join(scene.folder, 'mine.txt')
  await writeFile(mine, 'first words')
  await say(page, '/demo tool-slow')
  await expect.poll(() => page.getByTestId('tool-card').last().innerText(), { timeout: 15_000 }).toContain('second 2')
  await writeFile(mine, 'my own words')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await untilTurn(page, 'stopped')
  const card = page.getByTestId('changed-files').last()
  await expect.poll(() => card.innerText()).toMatch(/changed\s+mine.txt\s+changed while a call ran/)

  await card.getByRole('button', { name: 'Restore these…' }).click()
  const box = card.getByRole('checkbox', { name: 'Also 1 file that changed while a call ran' })
  await box.waitFor()
  expect(await box.isChecked()).toBe(false)
  expect(await card.getByRole('button', { name: /^Restore 1/ }).count()).toBe(0)
  await expect.poll(() => axeProblems(page)).toEqual([])
  expect(await readFile(mine, 'utf8')).toBe('my own words')
  await box.check()
  await card.getByRole('button', { name: 'Restore 1 file' }).click()
  await expect.poll(() => readFile(mine, 'utf8')).toBe('first words')
}, 60_000)
