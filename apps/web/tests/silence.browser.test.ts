import { createFaultReply, faultNamed } from '@holdfast/conformance'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({ reply: { parts: [{ type: 'text', text: 'Words. '.repeat(60) }] } })

/** Lets the page think that it is so much later; its timers go on as they are. */
async function later(page: Page, seconds: number): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.setSystemTime(now + seconds * 1_000)
}

test('[UI37] a provider that does not answer is named after some seconds, with how long it has been and how long that may last', async () => {
  scene.provider.otherwise(createFaultReply(faultNamed('no-answer'), 'before-first-event'))
  const page = await scene.enter()
  await say(page, 'Are you there?')
  const line = page.getByTestId('silence')
  await expect.poll(() => line.innerText()).toMatch(/^Waiting for the model/)
  const place = await line.boundingBox()
  await later(page, 20)
  await expect
    .poll(() => line.innerText())
    .toMatch(/^No answer from Anthropic for 2\d s\. Stop it, or wait: after 120 s it is given up\.$/)
  expect((await line.boundingBox())?.y).toBe(place?.y)
  await shots(page, 'silent-first')
  await page.getByTestId('composer-input').press('Escape')
  await untilTurn(page, 'stopped')
  expect(await line.count()).toBe(0)
}, 60_000)

test('[UI37] an answer that falls silent says so under its words, until it goes on or is stopped', async () => {
  scene.provider.otherwise(createFaultReply(faultNamed('hang'), 'in-text'))
  const page = await scene.enter()
  await say(page, 'Go on')
  await expect.poll(() => page.getByTestId('msg-assistant').innerText()).toMatch(/[a-z]{3}/)
  const line = page.getByTestId('silence')
  await expect.poll(() => line.count()).toBe(0)
  await later(page, 45)
  await expect
    .poll(() => line.innerText())
    .toMatch(/^Nothing more from Anthropic for 4\d s\. Stop it, or wait: after 300 s it is given up\.$/)
  await shots(page, 'silent-midway')
  await page.getByTestId('composer-input').press('Escape')
  await untilTurn(page, 'stopped')
  expect(await line.count()).toBe(0)
}, 60_000)
