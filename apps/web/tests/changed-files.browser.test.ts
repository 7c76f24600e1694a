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
