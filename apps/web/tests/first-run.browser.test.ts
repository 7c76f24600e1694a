import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

/** What a model was asked, without the lists of models. */
function asked(provider: { readonly requests: readonly { readonly path: string }[] }): number {
  return provider.requests.filter(({ path }) => path.includes('/messages')).length
}

async function modelOf(page: Page): Promise<string> {
  return page.getByTestId('model-picker').inputValue()
}

describe('where a model is connected', () => {
  const scene = liveScene({ reply: () => ({ parts: [{ type: 'text', text: 'An answer that costs money.' }] }) })

  test('[UI15] the start page says so, puts beginnings into the field, and sends the demo to the demo model alone', async () => {
    const page = await scene.enter()
    await page.getByTestId('model-welcome').waitFor()
    expect(await page.getByText('Nothing is connected yet').count()).toBe(0)
    expect(await page.getByText('nothing leaves this computer until').count()).toBe(0)
    await shots(page, 'first-model')

    await page.getByRole('button', { name: 'Plan a task' }).click()
    const field = page.getByTestId('composer-input')
    await expect.poll(() => field.inputValue()).toContain('Help me to plan this.')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(asked(scene.provider)).toBe(0)

    await page.getByText('See it work first').click()
    await shots(page, 'first-model-open')
    await page.getByRole('button', { name: 'Lose the line' }).click()
    await untilTurn(page, 'error')
    expect(await modelOf(page)).toBe('demo')
    expect(asked(scene.provider)).toBe(0)
  }, 60_000)

  test('[UI15] an empty conversation with a model begins the demo in a conversation of its own', async () => {
    const page = await scene.enter()
    const response = await page.request.post(`${scene.holdfast.url}/api/v1/conversations`, {
      headers: { authorization: `Bearer ${scene.holdfast.token}` },
      data: { commandId: 'made-here', modelId: 'anthropic/claude-sonnet-4-5' },
    })
    expect(response.status()).toBe(201)
    const { id } = (await response.json()) as { id: string }
    await page.goto(`${scene.holdfast.url}/c/${id}`)
    await page.getByText('See it work first').click()
    await page.getByRole('button', { name: 'Lose the line' }).click()
    await untilTurn(page, 'error')
    expect(page.url()).not.toContain(id)
    expect(await modelOf(page)).toBe('demo')
    expect(asked(scene.provider)).toBe(0)
  }, 60_000)
})

describe('where nothing is connected', () => {
  const scene = liveScene({})

  test('[UI15] the start page shows what the demo can do, each with one press', async () => {
    const page = await scene.enter()
    const welcome = page.getByTestId('demo-welcome')
    await welcome.waitFor()
    await expect.poll(() => welcome.innerText()).toContain('Nothing is connected yet')
    await shots(page, 'first-demo')
    await welcome.getByRole('button', { name: 'Be asked first' }).click()
    await page.getByTestId('permission-card').waitFor()
    await shots(page, 'first-permission')
  }, 60_000)
})
