import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({})

const LOG = [
  { type: 'user', message: { role: 'user', content: 'A question from elsewhere' } },
  {
    type: 'assistant',
    message: { role: 'assistant', id: 'm', model: 'claude', content: [{ type: 'text', text: 'An answer' }] },
  },
].map((record, index) =>
  JSON.stringify({ sessionId: 's', uuid: `u${index}`, parentUuid: index === 0 ? null : 'u0', ...record }),
)

test('[LOG4, LOG11] a file of another program is imported, read, continued and exported on the page', async () => {
  const page = await scene.enter()
  await page.getByRole('button', { name: 'Import…' }).click()
  const file = { name: 'session.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from([...LOG, '{'].join('\n')) }
  await page
    .getByLabel('Files to import')
    .setInputFiles([file, { ...file, name: 'notes.txt', buffer: Buffer.from('words') }])
  const row = page.getByTestId('import-row')
  await row.and(page.locator('[data-state=finished]')).waitFor()
  await row.and(page.locator('[data-state=failed]')).getByText('is of no known format').waitFor()
  await page.getByText('1 conversation imported').waitFor()
  await page.getByText('Left out: 1 × damaged').click()
  await page.getByText('line 3').waitFor()
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  await page.getByRole('link', { name: 'Open the first of session.jsonl' }).click()
  await page.getByTestId('msg-user').getByText('A question from elsewhere').waitFor()
  await expect.poll(() => page.getByTestId('conv-row').count()).toBe(1)
  await say(page, '/demo thinking')
  await untilTurn(page, 'completed')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Markdown' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/\.md$/)
  const text = await readFile(await saved.path(), 'utf8')
  expect(text).toContain('A question from elsewhere')
  expect(text).toContain('That was the thinking.')

  await page.goto(`${scene.holdfast.url}/settings/data`)
  await page.getByTestId('import-panel').getByLabel('Files to import').setInputFiles([file])
  await row.and(page.locator('[data-state=finished]')).waitFor()
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  const savingAll = page.waitForEvent('download')
  await page.getByRole('link', { name: 'JSON' }).click()
  expect(await readFile(await (await savingAll).path(), 'utf8')).toContain('A question from elsewhere')
}, 60_000)
