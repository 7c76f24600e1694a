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
