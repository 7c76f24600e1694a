import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({})

test('[SYNC6] what is written in one tab is in the next one, and what was sent is in none', async () => {
  const page = await scene.enter()
  await say(page, '/demo tools-ok')
  await untilTurn(page, 'completed')
  const kept = page.waitForResponse(
    (answer) => answer.url().endsWith('/composer') && answer.request().method() === 'PUT',
  )
  await page.getByTestId('composer-input').fill('half a thought')
  await kept
  const other = await scene.openTab(page.url())
  const field = other.getByTestId('composer-input')
  await expect.poll(() => field.inputValue()).toBe('half a thought')
  const emptied = other.waitForResponse(
    (answer) => answer.url().endsWith('/composer') && answer.request().method() === 'PUT',
  )
  await field.press('Enter')
  await emptied
  await page.bringToFront()
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('')
}, 60_000)

test('[UI23] what was kept before an update and cannot be sent is offered for the field; the rest is sent', async () => {
  const page = await scene.enter()
  await say(page, '/demo tools-ok')
  await untilTurn(page, 'completed')
  const conversationId = page.url().split('/c/')[1]
  const send = { type: 'command', name: 'send-message', conversationId, lane: 'turn' }
  const kept = [
    { ...send, commandId: 'cmd_old', lane: 'of-old', content: [{ type: 'text', text: 'words of yesterday' }] },
    { ...send, commandId: 'cmd_new', content: [{ type: 'text', text: '/demo tools-ok' }] },
  ]
  await page.evaluate(`sessionStorage.setItem('holdfast.outbox', ${JSON.stringify(JSON.stringify(kept))})`)
  await page.reload()
  await expect.poll(() => page.getByTestId('turn').count()).toBe(2)
  const offer = page.getByTestId('unread-words')
  expect(await offer.textContent()).toContain('words of yesterday')
  await shots(page, 'unread-words')
  await page.reload()
  await offer.getByRole('button', { name: 'Back to the field' }).click()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('words of yesterday')
  await page.reload()
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('words of yesterday')
  expect(await offer.count()).toBe(0)
}, 60_000)
