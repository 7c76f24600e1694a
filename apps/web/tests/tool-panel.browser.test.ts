import { join } from 'node:path'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const HOSTILE = join(import.meta.dirname, '../../../packages/mcp/tests/support/hostile-server.mjs')
const config = (fault: string) => ({ mcpServers: { probe: { command: process.execPath, args: [HOSTILE, fault] } } })
const scene = liveScene({ config: config('claims') })

test('[TOOL9] [TOOL10] the tools: servers with their state, modes, a change that waits for a person', async () => {
  const page = await scene.enter()
  await say(page, 'Hello')
  await untilTurn(page, 'completed')
  await page.getByRole('button', { name: 'Inspector', exact: true }).click()
  await page.getByTestId('dock-tab-tools').click()
  const probe = page.getByTestId('tool-source').filter({ hasText: 'probe' })
  await probe.and(page.locator('[data-state=connected]')).waitFor()
  await expect.poll(() => probe.getByTestId('tool-line').allInnerTexts()).toHaveLength(1)
  await expect.poll(() => probe.getByTestId('tool-line').innerText()).toMatch(/work\s+other\s+ask/)
  await expect.poll(() => axeProblems(page)).toEqual([])

  // The demo keeps no cache, so that no switch costs anything: each is made at once.
  const mode = page.getByTestId('tool-mode')
  await mode.getByText('manual', { exact: true }).click()
  await page.locator('[data-testid=tool-mode][data-state=manual]').waitFor()
  await probe.getByRole('checkbox').click()
  await probe.locator('[data-testid=tool-line][data-state=left-out]').waitFor()
  await mode.getByText('all on', { exact: true }).click()
  await page.locator('[data-testid=tool-mode][data-state=all-on]').waitFor()

  await probe.getByRole('button', { name: /^Turn off here/ }).click()
  await expect.poll(() => probe.innerText()).toContain('Off in this conversation')
  await probe.getByRole('button', { name: 'Turn on here' }).click()
  await expect.poll(() => probe.getByTestId('tool-line').count()).toBe(1)
  await probe.getByRole('button', { name: 'Disconnect' }).click()
  await probe.and(page.locator('[data-state=off]')).waitFor()
  await probe.getByRole('button', { name: 'Connect', exact: true }).click()
  await probe.and(page.locator('[data-state=connected]')).waitFor()

  await scene.restart(() => scene.configure(config('none')))
  await expect
    .poll(() => probe.getByTestId('server-changes').innerText(), { timeout: 20_000 })
    .toContain('new tool second')
  await page.getByRole('button', { name: 'Accept what it offers now' }).click()
  await expect.poll(() => probe.getByTestId('tool-line').count()).toBe(2)
  await expect.poll(() => probe.getByTestId('server-changes').count()).toBe(0)
}, 90_000)
