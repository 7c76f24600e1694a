import type { WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, replyText, say, thriftyContext, turnState, untilReplyHas, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({})

test('[SYNC1] a reply is seen while it streams, and whole when it has ended', async () => {
  const page = await scene.enter()
  expect(page.url()).toBe(`${scene.holdfast.url}/`)
  await expect.poll(() => page.getByTestId('demo-banner').innerText()).toContain('Not AI')
  const input = page.getByTestId('composer-input')
  await input.fill('first line')
  await input.press('Shift+Enter')
  await input.pressSequentially('second line')
  await input.press('Enter')
  await page.waitForURL(/\/c\/conversation_/)
  await untilTurn(page, 'completed')
  await expect.poll(() => page.getByTestId('msg-user').innerText()).toContain('first line\nsecond line')
  await expect.poll(() => input.inputValue()).toBe('')
  await expect.poll(() => page.getByTestId('conn-state').getAttribute('data-state')).toBe('live')

  await say(page, '/demo thinking')
  await page.getByText(/^Thinking · \d+ s$/).waitFor()
  await untilTurn(page, 'completed')
  const reply = page.getByTestId('msg-assistant').last()
  await expect.poll(() => reply.innerText()).toContain('That was the thinking.')
  const thought = reply.getByRole('button', { name: /Thought/ })
  await expect.poll(() => thought.getAttribute('aria-expanded')).toBe('false')
  await thought.click()
  await expect.poll(() => thought.getAttribute('aria-expanded')).toBe('true')
  await expect.poll(() => page.getByTestId('announcer').innerText()).toMatch(/^Reply finished, \d+ words$/)

  await say(page, '/demo stream-slow')
  await untilTurn(page, 'streaming')
  const early = await untilReplyHas(page, 20)
  const later = await untilReplyHas(page, early.length + 20)
  expect(later.startsWith(early)).toBe(true)
  await expect.poll(() => turnState(page)).toBe('streaming')
  await expect.poll(() => page.getByTestId('conv-row').count()).toBe(1)
})

test('[STOP4] Stop keeps the text that was there, by the button and by Esc', async () => {
  const page = await scene.enter()
  await say(page, '/demo stream-long')
  const shown = await untilReplyHas(page, 200)
  await expect.poll(() => page.getByTestId('send').count()).toBe(0)
  await page.getByTestId('stop').click()
  await untilTurn(page, 'stopped')
  const kept = await replyText(page)
  expect(kept.startsWith(shown)).toBe(true)
  await expect.poll(() => page.getByTestId('msg-assistant').innerText()).toContain('Stopped by you')
  await expect.poll(() => page.getByTestId('announcer').innerText()).toBe('Stopped')

  await say(page, '/demo stream-long')
  await untilTurn(page, 'streaming')
  await untilReplyHas(page, 100)
  await page.getByTestId('composer-input').fill('not lost')
  await page.keyboard.press('Escape')
  await untilTurn(page, 'stopped')
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('not lost')
  await page.reload()
  await untilTurn(page, 'stopped')
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('not lost')
  await expect.poll(() => page.getByTestId('msg-assistant').first().locator('.words').textContent()).toBe(kept)
})

test('[PRJ4] a reload in the middle of a reply shows the same text, and it goes on', async () => {
  const page = await scene.enter()
  await say(page, '/demo stream-long')
  const before = await untilReplyHas(page, 300)
  const address = page.url()
  await page.reload()
  const after = await untilReplyHas(page, before.length)
  expect(after.startsWith(before)).toBe(true)
  expect(page.url()).toBe(address)
  const later = await untilReplyHas(page, after.length + 200)
  expect(later.startsWith(after)).toBe(true)
  await expect.poll(() => page.getByTestId('msg-user').count()).toBe(1)
})

test('[RUN4] after kill -9 in the middle of a reply the text is there, marked as interrupted, and the next message works', async () => {
  const page = await scene.enter()
  await say(page, '/demo stream-long')
  const shown = await untilReplyHas(page, 600)
  await scene.restart(async () => {
    await page.locator('[data-testid=conn-state][data-state=reconnecting]').waitFor()
    await page.getByTestId('composer-input').fill('typed while it was away')
  })
  await untilTurn(page, 'interrupted')
  const kept = await replyText(page)
  // At most 250 ms of streamed text are not durable yet; at 60 tokens a second that is less than 200 characters.
  expect(kept.length).toBeGreaterThan(shown.length - 200)
  expect(kept.slice(0, shown.length)).toBe(shown.slice(0, kept.length))
  await expect.poll(() => page.getByTestId('msg-assistant').innerText()).toContain('Interrupted')
  await page.getByTestId('composer-input').press('Enter')
  await untilTurn(page, 'completed')
  await expect.poll(() => page.getByTestId('msg-user').last().innerText()).toContain('typed while it was away')
  await page.reload()
  await untilTurn(page, 'completed')
  // What is above the view is in the page a moment after its end is.
  const interrupted = page.locator('[data-testid=turn][data-state=interrupted]')
  await expect.poll(() => interrupted.getByTestId('msg-assistant').locator('.words').textContent()).toBe(kept)
  await expect.poll(() => page.getByTestId('turn').count()).toBe(2)
})

test('[SYNC4] two tabs show the same reply, title and list, and either stops it', async () => {
  const first = await scene.enter()
  await say(first, '/demo stream-long')
  await first.waitForURL(/\/c\//)
  const second = await scene.openTab(first.url())
  await untilReplyHas(second, 200)
  await expect.poll(() => second.getByRole('heading', { level: 1 }).innerText()).toBe('/demo stream-long')
  await expect.poll(() => second.getByTestId('conv-row').getAttribute('data-state')).toBe('running')
  // By the keyboard: a pointer is not heeded in the first moments of the button.
  await second.getByTestId('stop').press('Enter')
  await untilTurn(first, 'stopped')
  await untilTurn(second, 'stopped')
  await expect.poll(() => replyText(first)).toBe(await replyText(second))
  await say(first, 'and now?')
  await second.getByText('and now?').first().waitFor()
  await second.getByRole('button', { name: 'New conversation' }).click()
  await say(second, 'another one')
  await untilTurn(second, 'completed')
  await first.getByTestId('conv-row').nth(1).waitFor()
  // By its name: the list is put in order a moment after the reply has ended.
  await second.getByTestId('conv-row').filter({ hasText: 'stream-long' }).click()
  await second.getByText('and now?').first().waitFor()
  expect(second.url()).toBe(first.url())
})

test('[SYNC2, STOP12] what is sent and stopped without a connection arrives once it is back', async () => {
  let isCut = false
  const sockets = new Set<WebSocketRoute>()
  await scene.context.routeWebSocket(/\/api\/v1\/socket/, (socket) => {
    if (isCut) {
      void socket.close()
      return
    }
    sockets.add(socket)
    socket.connectToServer()
  })
  const page = await scene.enter()
  await say(page, '/demo stream-long')
  await untilReplyHas(page, 100)
  isCut = true
  for (const socket of sockets) await socket.close()
  await page.locator('[data-testid=conn-state][data-state=reconnecting]').waitFor()
  await say(page, 'sent in the dark')
  await page.getByTestId('stop').click()
  await page.getByText('Not stopped yet: no connection').waitFor()
  await expect.poll(() => turnState(page)).toBe('streaming')
  await page.reload()
  await page.getByTestId('composer-input').waitFor()
  isCut = false
  await page.locator('[data-testid=turn][data-state=stopped]').waitFor()
  await page.getByTestId('msg-user').filter({ hasText: 'sent in the dark' }).waitFor()
  await untilTurn(page, 'completed')
  await expect.poll(() => page.getByTestId('msg-user').filter({ hasText: 'sent in the dark' }).count()).toBe(1)
})

test('[SEC2] a browser without the cookie is told what to do, and a wrong link gives none', async () => {
  const tab = await openPage(scene.context, `${scene.holdfast.url}/?token=wrong`)
  await tab.page.getByText('Open the link that the terminal shows').first().waitFor()
  await expect.poll(() => scene.context.cookies()).toEqual([])
})

test('[SYNC1] the newest text stays in view until the reader moves up, and a press brings it back', async () => {
  const page = await scene.enter()
  await say(page, '/demo stream-fast')
  await untilReplyHas(page, 6_000)
  const thread = page.getByRole('log')
  const below = () => thread.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop)
  await expect.poll(() => below()).toBeLessThan(60)
  await thread.hover()
  await page.mouse.wheel(0, -1_500)
  await page.getByTestId('jump-latest').waitFor()
  const top = await thread.evaluate((element) => element.scrollTop)
  await untilTurn(page, 'completed')
  await expect.poll(() => thread.evaluate((element) => element.scrollTop)).toBe(top)
  await page.getByTestId('jump-latest').click()
  await expect.poll(() => below()).toBeLessThan(60)
  await expect.poll(() => page.getByTestId('jump-latest').count()).toBe(0)
})

test('[SYNC1] on a phone everything has its place, and nothing is wider than the screen', async () => {
  const phone = await thriftyContext(scene.browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const { page, offences } = await openPage(phone, `${scene.holdfast.url}/?token=${scene.holdfast.token}`)
  await page.getByTestId('composer-input').fill('/demo stream-long')
  await page.getByTestId('composer-input').press('Enter')
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('/demo stream-long\n')
  await page.getByTestId('send').tap()
  await untilReplyHas(page, 200)
  const stop = await page.getByTestId('stop').boundingBox()
  expect(stop?.height).toBeGreaterThanOrEqual(44)
  await page.getByTestId('stop').tap()
  await untilTurn(page, 'stopped')
  await expect.poll(() => page.locator('html').evaluate((element) => element.scrollWidth)).toBe(390)
  await page.getByRole('button', { name: 'Conversations' }).tap()
  await page.getByTestId('conv-row').waitFor()
  await page.keyboard.press('Escape')
  await page.getByTestId('conv-row').waitFor({ state: 'hidden' })
  await phone.close()
  expect(offences).toEqual([])
})
