import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const SAVED = 'The user has tried the demo of memories.'

const scene = liveScene({})

/** What the model was told of memories in the open conversation, note by note. */
async function notesOf(page: Page): Promise<readonly string[]> {
  const [, id] = /\/c\/([^?]+)/.exec(page.url()) ?? []
  const { url, token } = scene.holdfast
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/v1/conversations/${id}/entries?after=0&limit=500`, { headers })
  const { entries } = (await answer.json()) as { entries: { type: string; section?: string; text?: string }[] }
  return entries.flatMap(({ type, section, text }) =>
    type === 'context-noted' && section === 'memories' && text !== undefined ? [text] : [],
  )
}

async function newConversation(page: Page): Promise<void> {
  const before = page.url()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await say(page, '/demo cjk')
  await page.waitForURL((url) => url.pathname.includes('/c/') && url.href !== before)
  await untilTurn(page, 'completed')
}

test('[REQ6] what an agent saved is told in the next conversation, read, found, changed, turned off and forgotten on the page', async () => {
  const page = await scene.enter()
  await say(page, '/demo remember')
  await untilTurn(page, 'completed')
  const close = () => page.getByRole('button', { name: 'Back to the conversation' }).click()
  const open = async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Memories', exact: true }).click()
  }
  const rows = page.getByTestId('memory')
  await open()
  await rows.filter({ hasText: SAVED }).getByRole('link', { name: 'Where it came from' }).click()
  await expect.poll(() => page.url()).toMatch(/\/c\/[^?]+\?.*\bm=\d+/)
  await expect.poll(() => page.locator(':focus').textContent()).toContain('/demo remember')
  await open()
  await page.getByLabel('Remember this').fill('Prefers metric units')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByLabel('Search memories').fill('metri')
  await expect.poll(() => rows.allTextContents()).toHaveLength(1)
  await rows.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Memory', { exact: true }).fill('Prefers metric units and SI')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await rows.filter({ hasText: 'and SI' }).getByRole('button', { name: 'Pin' }).click()
  await rows.and(page.locator('[data-state=pinned]')).waitFor()
  await expect.poll(() => axeProblems(page), { timeout: 15_000 }).toEqual([])
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const file = await (await downloading).path()
  await close()

  await newConversation(page)
  await expect.poll(async () => (await notesOf(page)).length).toBe(1)
  expect((await notesOf(page))[0]).toMatch(new RegExp(`- Prefers metric units and SI\n- ${SAVED}$`))

  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  await page.getByLabel('Use memories in this conversation').click()
  await expect.poll(() => page.getByLabel('Use memories in this conversation').isChecked()).toBe(false)
  await say(page, '/demo cjk')
  await expect.poll(async () => (await notesOf(page)).at(-1)).toContain('no longer holds')
  await untilTurn(page, 'completed')

  await open()
  await page.getByRole('button', { name: 'Forget all' }).click()
  await page.getByRole('button', { name: 'Forget all 2 for good' }).click()
  await expect.poll(() => rows.count()).toBe(0)
  const buffer = await readFile(file)
  await page.getByLabel('Import a file').setInputFiles({ name: 'm.json', mimeType: 'application/json', buffer })
  await page.getByText('2 added, 0 known already').waitFor()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByLabel('Agents are told these').click()
  await expect.poll(() => page.getByLabel('Agents are told these').isChecked()).toBe(false)
  await close()
  await newConversation(page)
  await expect.poll(() => notesOf(page)).toEqual([])
}, 120_000)
