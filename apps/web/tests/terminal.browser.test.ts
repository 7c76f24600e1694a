import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({
  config: { permissions: { rules: [{ id: 'all', effect: 'allow', tool: '*' }] } },
  workspace: {},
})

test('[UI80, UI81] a terminal is opened, used, still there after a reload and in a second tab, quoted and ended', async () => {
  const page = await scene.enter()
  await say(page, 'hello')
  await untilTurn(page, 'completed')
  const address = new URL(page.url())
  address.searchParams.set('dock', 'terminal')
  await page.goto(address.href)
  await page.getByTestId('open-terminal').click()
  const terminal = page.getByTestId('terminal')
  await terminal.and(page.locator('[data-state=open]')).waitFor()
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.keyboard.type('printf "\\e[38;2;10;200;90mcolo""ured\\e[0m\\n"; echo "in $PWD"; seq 1 100\n')
  const rows = page.locator('.xterm-rows')
  await expect.poll(() => rows.innerText()).toMatch(/\b100\b/)
  await page.reload()
  await expect.poll(() => rows.innerText()).toMatch(/\b100\b/)
  for (const [width, height] of [
    [1280, 800],
    [1111, 677],
    [1440, 901],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect.poll(() => page.getByTestId('terminal-screen').evaluate(isInSight)).toBe(true)
  }

  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect.poll(() => second.locator('.xterm-rows').innerText()).toMatch(/\b100\b/)
  await second.getByTestId('terminal-screen').click()
  await second.keyboard.type('clear; echo said-in-the-other""-tab\n')
  await expect.poll(() => rows.innerText()).toContain('said-in-the-other-tab')
  await second.close()

  // The lines are drawn anew when the other tab's size counts no more.
  const quote = page.getByRole('button', { name: 'Quote selection' })
  await expect
    .poll(async () => {
      const said = rows.getByText('said-in-the-other-tab', { exact: true }).first()
      await said.dblclick({ force: true, timeout: 1_000 }).catch(() => null)
      return quote.isVisible()
    })
    .toBe(true)
  await quote.click()
  await expect.poll(() => page.getByTestId('along-chip').innerText()).toContain('said')
  await terminal.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByRole('button', { name: 'End it with all that runs in it' }).click()
  await expect.poll(() => terminal.innerText()).toContain('has ended')
  await page.getByRole('button', { name: 'Put away' }).click()
  await expect.poll(() => terminal.count()).toBe(0)
}, 60_000)

test('[UI80] a flood leaves the page alive: it is stopped by a key, and the screen goes on', async () => {
  const page = await scene.enter()
  await say(page, 'hello')
  await untilTurn(page, 'completed')
  const address = new URL(page.url())
  address.searchParams.set('dock', 'terminal')
  await page.goto(address.href)
  await page.getByTestId('open-terminal').click()
  await page.getByTestId('terminal').and(page.locator('[data-state=open]')).waitFor()
  await page.keyboard.type('yes\n')
  const rows = page.locator('.xterm-rows')
  await expect.poll(() => rows.innerText()).toMatch(/y\s+y\s+y/)
  await page.keyboard.press('Control+c')
  await page.keyboard.type('clear; echo ali""ve\n')
  await expect.poll(() => rows.innerText(), { timeout: 20_000 }).toContain('alive')
}, 60_000)

/** Whether columns and lines of a terminal end within its frame. */
function isInSight(host: Element): boolean {
  const lines = host.querySelector('.xterm-screen')?.getBoundingClientRect()
  const frame = host.getBoundingClientRect()
  if (!lines || lines.height === 0) return false
  const { paddingRight, paddingBottom } = getComputedStyle(host)
  return (
    lines.right <= frame.right - Number.parseFloat(paddingRight) &&
    lines.bottom <= frame.bottom - Number.parseFloat(paddingBottom)
  )
}
