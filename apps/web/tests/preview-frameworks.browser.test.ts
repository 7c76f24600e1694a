import type { ReplyPart } from '@holdfast/conformance'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { BUTTON_FILES, FRAMEWORKS, type Framework, SHOP, writeProject } from './support/framework-project.ts'
import { liveScene } from './support/live-scene.ts'
import { type Acts, scriptedAgent } from './support/scripted-agent.ts'
import { shots } from './support/shots.ts'

/** The full count, by HOLDFAST_FULL=1, plays all four. */
const played: readonly Framework[] = process.env['HOLDFAST_FULL'] === '1' ? FRAMEWORKS : ['react']

const write = (path: string, content: string): ReplyPart => ({
  type: 'tool-call',
  name: 'write',
  input: { path, content },
})
/** A file is read before it is written. */
const read = (path: string): readonly ReplyPart[] => [{ type: 'tool-call', name: 'read', input: { path } }]
const words = (text: string): readonly ReplyPart[] => [{ type: 'text', text }]

const MEND = [read(SHOP.list), [write(SHOP.list, SHOP.whole)], words('It is whole again.')]
/** What does not help: the same error, in other words. */
const STUBBORN = [read(SHOP.list), [write(SHOP.list, `// The list.\n${SHOP.broken}`)], words('I changed the list.')]

let mends: readonly (readonly ReplyPart[])[] = MEND

const ACTS: Acts = {
  'Show the shop': [[{ type: 'tool-call', name: 'preview_start', input: {} }], words('It is shown.')],
  'Break the list': [read(SHOP.list), [write(SHOP.list, SHOP.broken)], words('The list is broken.')],
  'Another colour': [
    read(SHOP.style),
    [write(SHOP.style, SHOP.styleOf('crimson'))],
    [{ type: 'tool-call', name: 'preview_screenshot', input: { width: 'phone' } }],
    words('It is crimson.'),
  ],
}

const scene = liveScene({
  config: { permissions: { rules: [{ id: 'all', effect: 'allow', tool: '*' }] } },
  workspace: {},
  // The page breaks as it is told to, and the server is killed.
  forgiven: /\.localhost:|is not defined|Failed to load resource|\[hmr\]|\[vite\]|reading 'default'/,
  reply: (request) =>
    scriptedAgent({ ...ACTS, 'Find the cause and mend it': mends, 'The preview shows the errors': mends })(request),
})

const frameOf = (page: Page) => page.frameLocator('[data-testid=preview-frame]')
const button = (page: Page) => frameOf(page).locator('.buy')
const colour = (page: Page) => button(page).evaluate((element) => getComputedStyle(element).backgroundColor)
const banner = (page: Page) => page.getByTestId('preview-error')

async function untilShown(page: Page): Promise<void> {
  await page.locator('[data-testid=preview][data-heard=true]').waitFor({ timeout: 60_000 })
}

for (const framework of played)
  test(`[UI93, PREV4, PREV10, WS4] a page of ${framework} is broken, mended, pointed at and changed in place, and the server is killed between`, async () => {
    mends = MEND
    await writeProject(scene.folder, framework)
    const page = await scene.enter()
    await say(page, 'Show the shop')
    await untilShown(page)
    await button(page).waitFor()

    await say(page, 'Break the list')
    await expect.poll(() => banner(page).innerText(), { timeout: 30_000 }).toContain('kettles is not defined')
    await untilTurn(page, 'completed')
    await scene.restart(async () => {})
    await page.getByRole('button', { name: 'Start', exact: true }).click({ timeout: 30_000 })
    await untilShown(page)
    await expect.poll(() => banner(page).innerText(), { timeout: 30_000 }).toContain('kettles is not defined')
    expect(await banner(page).innerText()).toContain('teas.js')
    await shots(page, `preview-${framework}-broken`)
    await page.getByRole('button', { name: 'Fix', exact: true }).click()
    await expect.poll(() => banner(page).count(), { timeout: 30_000 }).toBe(0)
    await untilTurn(page, 'completed')

    await button(page).click()
    await expect.poll(() => button(page).innerText()).toBe('Bought 1')
    await page.getByTestId('pick').click()
    await button(page).click({ force: true })
    const chip = page.getByTestId('along-chip')
    await chip.waitFor()
    const file = BUTTON_FILES[framework]
    if (file !== null) await expect.poll(() => chip.innerText()).toContain(file)
    await say(page, 'Another colour')
    await expect.poll(() => colour(page), { timeout: 30_000 }).toBe('rgb(220, 20, 60)')
    await untilTurn(page, 'completed')
    // It was not loaded anew: what was counted is there.
    expect(await button(page).innerText()).toBe('Bought 1')
    const last = JSON.stringify(scene.provider.requests.at(-1)?.body)
    expect(last).toContain('"type":"image"')
    expect(last).toContain('at 390 x')

    mends = STUBBORN
    await page.getByRole('checkbox', { name: 'Auto-fix' }).click()
    await say(page, 'Break the list')
    const outcome = () => page.getByTestId('auto-fix').getAttribute('data-outcome')
    await expect.poll(outcome, { timeout: 90_000 }).toBe('same-error')
    await scene.restart(async () => {})
    await page.getByRole('button', { name: 'Start', exact: true }).click({ timeout: 30_000 })
    await untilShown(page)
    await expect.poll(() => banner(page).innerText(), { timeout: 30_000 }).toContain('kettles is not defined')
    expect(await outcome()).toBe('same-error')
    const attempts = page.getByTestId('msg-user').filter({ hasText: /Auto-fix \d/ })
    expect(await attempts.count()).toBeLessThanOrEqual(2)
    await shots(page, `preview-${framework}-ended`)
  }, 300_000)
