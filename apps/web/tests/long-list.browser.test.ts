import type { ConversationRow } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { scriptedScene } from './support/scripted-scene.ts'
import { askedWithCalls } from './support/told-turns.ts'

const scene = scriptedScene()

const COUNT = 2_000
const PAGE = 200

/** Newest first, `index` of them before it. */
function rowAt(index: number): ConversationRow {
  const at = Date.UTC(2026, 0, 1) - index * 60_000
  return {
    id: `conversation_${index}`,
    title: `Talk ${index}`,
    firstWords: null,
    forkedFromId: null,
    agentId: null,
    modelId: null,
    workspaceId: null,
    worktreeId: null,
    state: 'idle',
    archived: false,
    messageCount: 2,
    queuedCount: 0,
    permissionCount: 0,
    unread: false,
    createdAt: at,
    updatedAt: at,
    head: 7,
  }
}

test('[UI7] of a long list every conversation is reached by scrolling, and few of them are in the page', async () => {
  const asked: string[] = []
  await scene.context.route(/\/conversations\?/, (route) => {
    const before = new URL(route.request().url()).searchParams.get('before')
    asked.push(before ?? 'first')
    const start = Number(before ?? 0)
    const next = start + PAGE < COUNT ? String(start + PAGE) : null
    const conversations = Array.from({ length: PAGE }, (_, index) => rowAt(start + index))
    return route.fulfill({ json: { conversations, next } })
  })
  scene.line.append([...askedWithCalls({ asked: 'Hello', answered: 'Good day.' }, [])])
  const page = await scene.open()
  const rows = page.getByTestId('conv-row')
  await rows.filter({ hasText: /^Talk 0/ }).waitFor()
  expect(asked).toEqual(['first'])
  const last = rows.filter({ hasText: /^Talk 1999/ })
  await expect
    .poll(async () => {
      await page.evaluate("document.querySelector('.conversation-list').scrollTop = 1e6")
      return last.count()
    })
    .toBe(1)
  expect(asked).toEqual(['first', ...Array.from({ length: 9 }, (_, index) => String((index + 1) * PAGE))])
  await expect.poll(() => rows.count()).toBeLessThan(PAGE)
  await last.press('Home')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Talk 0')
  await page.evaluate(RESTED)
  await expect.poll(() => rows.count()).toBeLessThan(PAGE)
})

/** So many frames after the last scrolling the list has drawn all that it draws. */
const RESTED = `new Promise((resolve) => {
  let frames = 0
  const step = () => (++frames < 60 ? requestAnimationFrame(step) : resolve())
  step()
})`
