import { createStrictProvider } from '@holdfast/conformance'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const Log = z.object({ entries: z.array(z.looseObject({ type: z.string() })) })

/** What a picker shows, and how wide it is beside the words that it shows. */
async function shown(page: Page, testId: string) {
  const picker = page.locator('.picker', { has: page.getByTestId(testId) })
  const words = picker.locator('.picker-words')
  return {
    words: await words.innerText(),
    isWhole: await words.evaluate((element) => element.scrollWidth <= element.clientWidth),
  }
}

describe('where a model is connected', () => {
  const scene = liveScene({ reply: { parts: [{ type: 'text', text: 'An answer.' }] } })

  test('[UI33] mode and thinking are chosen before the first message, each with what it means in its list, and hold from the first turn on', async () => {
    const page = await scene.enter()
    const mode = page.getByTestId('mode-picker')
    await mode.waitFor()
    expect(await mode.locator('option').allInnerTexts()).toEqual([
      'Plan only – reads, changes nothing',
      'Ask first – reads, and asks before everything else',
      'Accept edits – also changes files, and asks before the rest',
      'Ask outside the sandbox – changes files and runs commands in the sandbox, and asks before the rest',
      'Ask nothing – does all that no rule forbids; still asks before what destroys',
    ])
    expect(await shown(page, 'mode-picker')).toEqual({ words: 'Ask first', isWhole: true })
    await mode.selectOption('plan')
    await page.getByTestId('thinking-picker').selectOption('high')
    expect(await shown(page, 'mode-picker')).toEqual({ words: 'Plan only', isWhole: true })
    await shots(page, 'first-choices')
    await say(page, 'Hello')
    await untilTurn(page, 'completed')
    expect(await mode.inputValue()).toBe('plan')
    expect(await page.getByTestId('thinking-picker').inputValue()).toBe('high')
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const read = await page.request.get(`${scene.holdfast.url}/api/v1/conversations/${id}/entries?after=0&limit=50`, {
      headers: { authorization: `Bearer ${scene.holdfast.token}` },
    })
    const { entries } = Log.parse(await read.json())
    expect(entries[0]).toMatchObject({
      type: 'conversation-created',
      settings: { permissionMode: 'plan', thinking: 'high' },
    })
    await shots(page, 'chosen-before')
  }, 60_000)
})

describe('where nothing is connected', () => {
  const scene = liveScene({})

  test('[UI34] a conversation that was begun on the demo says that it stays there, and where a model is chosen', async () => {
    const page = await scene.enter()
    await say(page, '/demo drop-mid-stream')
    await untilTurn(page, 'error')
    const banner = page.getByTestId('demo-banner')
    expect(await banner.getAttribute('data-state')).toBeNull()
    const provider = await createStrictProvider({})
    try {
      const added = await page.request.post(`${scene.holdfast.url}/api/v1/providers`, {
        headers: { authorization: `Bearer ${scene.holdfast.token}` },
        data: { id: 'later', type: 'anthropic', baseUrl: provider.url, apiKey: 'sk-ant-canary-later' },
      })
      expect(added.ok()).toBe(true)
      await page.reload()
      await expect.poll(() => banner.getAttribute('data-state'), { timeout: 15_000 }).toBe('stays')
      expect(await page.getByTestId('model-picker').inputValue()).toBe('demo')
      await shots(page, 'demo-stays')
      await banner.getByRole('button', { name: 'Choose a model' }).click()
      expect(await page.getByTestId('model-picker').evaluate((element) => element === document.activeElement)).toBe(
        true,
      )
    } finally {
      await provider.close()
    }
  }, 60_000)
})
