import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const packages = createRequire(join(import.meta.dirname, '../../../packages/mcp/package.json'))
const EVERYTHING = join(packages.resolve('@modelcontextprotocol/server-everything/package.json'), '../dist/index.js')
const mcpServers = { every: { command: process.execPath, args: [EVERYTHING, 'stdio'] } }
const scene = liveScene({ config: { mcpServers } })

test('[TOOL12] a slash brings a prompt with its values, an at sign a resource that is read when it is sent', async () => {
  const page = await scene.enter()
  await say(page, 'Hello')
  await untilTurn(page, 'completed')
  const input = page.getByTestId('composer-input')
  const menu = page.getByTestId('mention-menu')

  await input.pressSequentially('/args')
  await menu.getByRole('option', { name: /args-prompt/ }).waitFor()
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.keyboard.press('Enter')
  const values = page.getByTestId('ask-values')
  await values.getByLabel('city').fill('Berlin')
  await values.getByRole('button', { name: 'Insert' }).click()
  await expect.poll(() => input.inputValue()).toContain('Berlin')
  await values.waitFor({ state: 'detached' })

  await input.fill('')
  await input.pressSequentially('/completable')
  await menu.getByRole('option', { name: /completable-prompt/ }).waitFor()
  await page.keyboard.press('Tab')
  await values.getByLabel('department').fill('En')
  await expect.poll(() => values.locator('datalist').first().locator('option').count()).toBe(1)
  await page.keyboard.press('Escape')
  await values.waitFor({ state: 'detached' })

  await input.fill('')
  await input.pressSequentially('Read this @dynamic')
  await menu.getByRole('option', { name: /Dynamic Text Resource/ }).click()
  await values.getByLabel('resourceId').fill('7')
  await values.getByRole('button', { name: 'Attach' }).click()
  await page.getByTestId('resource-chip').waitFor()
  await expect.poll(() => input.inputValue()).toBe('Read this ')
  await input.press('Enter')
  const sent = page.getByTestId('sent-resource')
  await sent.waitFor()
  await page.getByTestId('resource-chip').waitFor({ state: 'detached' })
  await sent.locator('summary').click()
  await expect.poll(() => sent.innerText()).toContain('Resource 7')
  await untilTurn(page, 'completed')
}, 90_000)
