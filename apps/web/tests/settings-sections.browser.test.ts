import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({ reply: { parts: [{ type: 'text', text: 'A short answer.' }] } })

test('[COST8] the settings say what was used, what tools and servers there are, and what runs', async () => {
  const page = await scene.enter()
  await say(page, 'Words')
  await untilTurn(page, 'completed')
  await page.keyboard.press('Control+,')
  await page.getByPlaceholder('Search settings').fill('cost')
  await page.getByRole('link', { name: 'Usage' }).click()
  const table = page.getByTestId('usage-table')
  await expect.poll(() => table.innerText()).toContain('In all')
  await page.getByText('By model', { exact: true }).click()
  await expect.poll(() => table.innerText()).toContain('claude-')
  await shots(page, 'settings-usage')
  await page.getByPlaceholder('Search settings').fill('mcp')
  await page.getByRole('link', { name: 'Tools and servers' }).click()
  await page.getByText('No MCP servers.').waitFor()
  await shots(page, 'settings-tools')
  await page.getByPlaceholder('Search settings').fill('version')
  await page.getByRole('link', { name: 'About' }).click()
  await expect.poll(() => page.getByTestId('about').innerText()).toMatch(/\d+\.\d+\.\d+/)
  await shots(page, 'settings-about')
}, 60_000)

test('[UI25] what is connected answers in new conversations where that is ticked, and else what answered before does', async () => {
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/models`)
  for (const { id, isDefault } of [
    { id: 'one', isDefault: false },
    { id: 'other', isDefault: true },
  ]) {
    const vendor = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', data: [{ id, object: 'model' }] }))
    })
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
    const address = vendor.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await page.getByRole('button', { name: 'Connect a provider' }).click()
    await page.getByRole('combobox', { name: 'Provider' }).selectOption('other')
    await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/v1`)
    const tick = page.getByLabel('Answers in new conversations')
    expect(await tick.isChecked()).toBe(false)
    if (isDefault) await tick.check()
    await shots(page, `settings-connect-${id}`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const radio = page.getByRole('radio', { name: `local-${port}/${id}` })
    await expect.poll(() => radio.isChecked()).toBe(isDefault)
    vendor.close()
  }
}, 60_000)

test('[UI25] a provider that does not answer is not added, unless that is asked for once more', async () => {
  const vendor = createServer((_request, response) => {
    response.statusCode = 401
    response.end('{"error":{"message":"No such key"}}')
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const address = vendor.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/models`)
  await page.getByRole('button', { name: 'Connect a provider' }).click()
  await page.getByRole('combobox', { name: 'Provider' }).selectOption('other')
  await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/v1`)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByTestId('not-connected').waitFor()
  await shots(page, 'settings-not-connected')
  const row = page.getByTestId('provider-row').filter({ hasText: `127.0.0.1:${port}` })
  expect(await row.count()).toBe(0)
  await page.getByRole('button', { name: 'Connect it all the same' }).click()
  await row.waitFor()
  vendor.close()
}, 60_000)
