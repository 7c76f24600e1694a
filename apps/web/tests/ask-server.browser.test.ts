import { problem } from '@holdfast/protocol'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({ forgiven: /status of 503/ })

const AWAY = problem(503, 'not-ready', 'The store is being repaired')

function refuse(route: Route): Promise<void> {
  return route.fulfill({ status: AWAY.status, contentType: 'application/problem+json', body: JSON.stringify(AWAY) })
}

test('[UI8] a list that cannot be read says why, stays when it was read before, and is asked for again', async () => {
  const page = await scene.enter()
  const memories = /\/api\/v1\/memories(\?|$)/
  await page.route(memories, refuse)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Memories', exact: true }).click()
  await page.getByText(AWAY.detail).waitFor()
  await page.unroute(memories)
  await page.getByRole('link', { name: 'Keyboard', exact: true }).click()
  await page.getByRole('link', { name: 'Memories', exact: true }).click()
  await page.getByLabel('Remember this').fill('Tea, not coffee')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const kept = page.getByTestId('memories-page').getByText('Tea, not coffee')
  await kept.waitFor()

  await page.route(memories, refuse)
  await page.getByLabel('Search memories').fill('coffee')
  await page.getByRole('alert').filter({ hasText: AWAY.detail }).waitFor()
  expect(await kept.count()).toBe(1)
  await page.unroute(memories)
  await page.getByLabel('Search memories').fill('tea')
  await expect.poll(() => page.getByRole('alert').filter({ hasText: AWAY.detail }).count()).toBe(0)
}, 60_000)

test('[UI8] an answer that comes after that of a later question is not shown', async () => {
  const page = await scene.enter()
  await say(page, 'the heron by the weir')
  await untilTurn(page, 'completed')
  const held: Route[] = []
  await page.route(/\/search\?.*heron/, (route) => void held.push(route))
  const field = page.getByRole('searchbox', { name: 'Search conversations' })
  await field.fill('heron')
  await expect.poll(() => held.length).toBe(1)
  await field.fill('nothing has this')
  await page.getByText('No message holds').waitFor()
  const late = page.waitForResponse(/\/search\?.*heron/)
  await held[0]?.continue()
  await (await late).finished()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(await page.getByTestId('search-hit').count()).toBe(0)
  await field.fill('weir')
  await page.getByTestId('search-hit').first().waitFor()
}, 60_000)
