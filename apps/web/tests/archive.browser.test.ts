import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({})

const LOG = [
  { type: 'user', message: { role: 'user', content: 'A question from elsewhere' } },
  {
    type: 'assistant',
    message: { role: 'assistant', id: 'm', model: 'claude', content: [{ type: 'text', text: 'Ask ann@example.org' }] },
  },
].map((record, index) =>
  JSON.stringify({ sessionId: 's', uuid: `u${index}`, parentUuid: index === 0 ? null : 'u0', ...record }),
)

test('[LOG4, LOG11, UI51] a file of another program is imported, read, continued and exported on the page', async () => {
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
  await page.getByTestId('msg-user').getByText('/demo thinking').waitFor()
  await untilTurn(page, 'completed')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await expect.poll(() => page.getByTestId('secrets').innerText()).toContain('Masked by their looks: 1 e-mail address.')
  const exported = page.getByTestId('export-choices')
  const attachments = exported.getByLabel(/^Attachments/)
  expect([await attachments.isChecked(), await attachments.isDisabled()]).toEqual([false, true])
  await page.getByText('With masks: not everything; files are left out').waitFor()
  await exported.getByLabel(/^Mask keys/).uncheck()
  expect([await attachments.isChecked(), await attachments.isDisabled()]).toEqual([true, false])
  await page.getByText('Everything; can be imported again').waitFor()
  await exported.getByLabel(/^Mask keys/).check()
  await exported.getByLabel('Thinking', { exact: true }).check()
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Markdown' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/\.md$/)
  const text = await readFile(await saved.path(), 'utf8')
  expect(text).toContain('A question from elsewhere')
  expect(text).toContain('That was the thinking.')
  expect(text).toMatch(/^> /m)
  expect(text).toContain('Ask [mail]')

  await page.goto(`${scene.holdfast.url}/settings/data`)
  await page.getByTestId('import-panel').getByLabel('Files to import').setInputFiles([file])
  await row.and(page.locator('[data-state=finished]')).waitFor()
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  const savingAll = page.waitForEvent('download')
  await page.getByRole('link', { name: 'JSON' }).click()
  expect(await readFile(await (await savingAll).path(), 'utf8')).toContain('A question from elsewhere')
}, 60_000)

test('[LOG9] a message is erased for good from its own acts, with a receipt in every tab', async () => {
  const page = await scene.enter()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await say(page, 'Rhinoceros')
  await untilTurn(page, 'completed')
  const other = await scene.openTab(page.url())
  await other.getByTestId('msg-user').getByText('Rhinoceros').waitFor()
  const dialog = page.getByTestId('erase-dialog')
  for (const [what, first, count] of [
    ['message', 'the message', 1],
    ['reply', 'an answer of a model', 2],
  ] as const) {
    await page.getByRole('button', { name: `Erase ${what}` }).click()
    await expect.poll(() => dialog.getByTestId('erased-list').innerText()).toMatch(new RegExp(`${first}[^]*search`))
    await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
    await dialog.getByLabel('Reason').fill('a slip')
    const nth = page.getByTestId('erased-receipt').nth(count - 1)
    // A title may still be on its way: until it is there nothing is erased, and the dialog says so.
    do {
      await dialog.getByRole('button', { name: 'Erase for good' }).click()
      await nth.or(dialog.getByRole('alert')).first().waitFor()
    } while (await dialog.getByRole('alert').isVisible())
    await nth.waitFor()
  }
  for (const tab of [page, other]) {
    const receipts = tab.getByTestId('erased-receipt')
    await expect.poll(() => receipts.allInnerTexts()).toHaveLength(2)
    await expect.poll(() => receipts.first().innerText()).toMatch(/Erased by you, .*\s*a slip\s*the message/)
    await expect.poll(() => tab.getByRole('log').innerText()).not.toContain('hinoceros')
  }
  await expect.poll(() => page.getByRole('button', { name: 'Erase message' }).count()).toBe(0)
  await other.close()
}, 60_000)

test('[LOG7] a damaged conversation is shown up to its damage, says what can be read, and is saved; others go on', async () => {
  const page = await scene.enter()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await say(page, 'Before the damage')
  await untilTurn(page, 'completed')
  await say(page, '/demo thinking')
  await expect.poll(() => page.getByTestId('turn').count()).toBe(2)
  await untilTurn(page, 'completed')
  const address = page.url()
  const id = new URL(address).pathname.split('/').at(-1) ?? ''
  let seq = 0
  await scene.startAnew(async () => {
    seq = damageSecondMessage(join(scene.dataDir, 'store', 'holdfast.sqlite'), id)
  })
  await page.goto(`${scene.holdfast.url}/?token=${scene.holdfast.token}`)
  await page.goto(address)
  const notice = page.getByTestId('damage-notice')
  await notice.getByText(`The damage begins at entry ${seq}.`).waitFor()
  await expect.poll(() => notice.innerText()).toMatch(/\d+ of \d+ entries of it can still be read/)
  await page.getByTestId('msg-user').getByText('Before the damage').waitFor()
  await expect.poll(() => page.getByTestId('composer-input').count()).toBe(0)
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  const saving = page.waitForEvent('download')
  await notice.getByRole('link', { name: 'Save as JSON' }).click()
  const rescued = JSON.parse(await readFile(await (await saving).path(), 'utf8'))
  expect(rescued).toMatchObject({ conversationId: id, missing: [{ from: seq, to: seq }] })
  expect(JSON.stringify(rescued)).toContain('That was the thinking.')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await say(page, 'Still here')
  await untilTurn(page, 'completed')
}, 60_000)

/** Writes over what the second message says, as a bad disk would. @returns its place. */
function damageSecondMessage(file: string, conversationId: string): number {
  const database = new Database(file)
  try {
    const { seq } = database
      .prepare<[string], { seq: number }>(
        `SELECT seq FROM entries JOIN conversations USING (conversation_key)
         WHERE conversation_id = ? AND type = 'user-message-sent' ORDER BY seq LIMIT 1 OFFSET 1`,
      )
      .get(conversationId) ?? { seq: 0 }
    database
      .prepare(
        `UPDATE entries SET body = replace(body, 'demo', 'memo')
         WHERE seq = ? AND conversation_key = (SELECT conversation_key FROM conversations WHERE conversation_id = ?)`,
      )
      .run(seq, conversationId)
    return seq
  } finally {
    database.close()
  }
}
