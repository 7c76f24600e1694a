import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({ reply: { parts: [{ type: 'text', text: 'An answer.' }] } })

test('[UI19, WIN8] the window of a provider is set after it was connected, told where it is too small, and given back', async () => {
  const vendor = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'little-heron', object: 'model' }] }))
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const address = vendor.address()
  const port = typeof address === 'object' && address ? address.port : 0
  try {
    const page = await scene.enter()
    await page.goto(`${scene.holdfast.url}/settings/models`)
    await page.getByRole('button', { name: 'Connect a provider' }).click()
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('other')
    await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/v1`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const row = page.getByTestId('provider-row').filter({ hasText: `127.0.0.1:${port}` })
    const window = page.getByRole('row').filter({ hasText: 'little-heron' }).getByTestId('model-window')
    await expect.poll(() => window.innerText()).toContain('unknown')
    await row.getByRole('button', { name: /^Window of/ }).click()
    const field = row.getByLabel(/^Tokens of the window/)
    await field.fill('12')
    await expect.poll(() => row.getByRole('alert').innerText()).toContain('1,000 tokens at least')
    await expect.poll(() => axeProblems(page)).toEqual([])
    await field.fill('32768')
    // What is set is read again after it was saved: whoever opens the field before it is here sees it once it is.
    const read = Promise.withResolvers<void>()
    await page.route('**/api/v1/providers', async (route) => {
      await read.promise
      await route.continue()
    })
    await row.getByRole('button', { name: 'Save' }).click()
    await field.waitFor({ state: 'detached' })
    await row.getByRole('button', { name: /^Window of/ }).click()
    await expect.poll(() => field.inputValue()).toBe('')
    read.resolve()
    await expect.poll(() => field.inputValue()).toBe('32768')
    await expect.poll(() => window.innerText()).toMatch(/32\.?[78]?k/i)
    await field.fill('')
    await row.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => window.innerText()).toContain('unknown')
  } finally {
    vendor.close()
  }
}, 60_000)
