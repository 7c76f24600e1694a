import { existsSync, globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { openPage, sharedBrowser, thriftyContext } from './support/browser.ts'
import { type HoldfastProcess, startHoldfast } from './support/holdfast-process.ts'
import { shots } from './support/shots.ts'

const folders: string[] = []
let holdfast: HoldfastProcess | null = null
let context: BrowserContext | null = null

afterEach(async () => {
  await context?.close()
  await holdfast?.kill()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** The folder of the library that tells a program another time; the machine's own clock stays. */
function timeLibrary(): string {
  const folder = process.env['HOLDFAST_FAKETIME'] ?? globSync('/usr/lib/*/faketime')[0] ?? ''
  const library = join(folder, 'libfaketime.so.1')
  if (existsSync(library)) return library
  throw new Error('libfaketime was not found: install faketime, or set HOLDFAST_FAKETIME to the folder of its library')
}

/** The whole program from this time on, in Berlin, and a browser that was there before; both measure time as it is. */
async function startAt(time: string, dataDir: string): Promise<Page> {
  // At the address where the browser was: what it keeps is by address.
  const port = holdfast?.port ?? 0
  await holdfast?.kill()
  const faked = { LD_PRELOAD: timeLibrary(), FAKETIME: `@${time}`, DONT_FAKE_MONOTONIC: '1', TZ: 'Europe/Berlin' }
  holdfast = await startHoldfast(dataDir, port, faked)
  context ??= await thriftyContext(await sharedBrowser(), {
    viewport: { width: 1280, height: 800 },
    timezoneId: 'Europe/Berlin',
  })
  await context.clock.setSystemTime(`${time.replace(' ', 'T')}${time < '2026-03-29 03' ? '+01:00' : '+02:00'}`)
  const { page } = await openPage(context, `${holdfast.url}/?token=${holdfast.token}`)
  await page.getByTestId('composer-input').waitFor()
  return page
}

test('[SCHED4, SCHED7, SCHED14, UI102] in the browser and by clock: a weekday schedule over the spring change, three days off, one missed run made up for, the person told, what was denied allowed from the history', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-clock-'))
  const workspace = `${dataDir}-work`
  folders.push(dataDir, workspace)
  await mkdir(workspace)
  await writeFile(join(dataDir, 'holdfast.json'), JSON.stringify({ workspace }))

  // Thursday night, a minute and a half before it is due.
  const thursday = await startAt('2026-03-26 02:28:30', dataDir)
  await thursday.goto(`${holdfast?.url}/settings/schedules`)
  await thursday.getByRole('button', { name: 'New schedule…' }).click()
  const form = thursday.getByRole('form', { name: 'New schedule' })
  await form.getByLabel('Name', { exact: true }).fill('Night')
  await form.getByLabel('What is asked').fill('/demo permission')
  await form.getByRole('combobox', { name: 'When', exact: true }).selectOption({ label: 'Monday to Friday' })
  await form.getByLabel('Time', { exact: true }).fill('02:30')
  await form.getByLabel('Time zone').fill('Europe/Berlin')
  await form.getByRole('combobox', { name: 'Model' }).selectOption('demo')
  // On Sunday the clocks go forward, and Monday's run is at 02:30 all the same.
  await expect
    .poll(() => form.locator('.schedule-next li').allInnerTexts())
    .toEqual([
      'Thu, Mar 26, 2026, 02:30',
      'Fri, Mar 27, 2026, 02:30',
      'Mon, Mar 30, 2026, 02:30',
      'Tue, Mar 31, 2026, 02:30',
      'Wed, Apr 1, 2026, 02:30',
    ])
  await shots(thursday, 'clock-thursday')
  await form.getByRole('button', { name: 'Make schedule' }).click()
  await form.waitFor({ state: 'detached' })
  const row = thursday.getByTestId('schedule-row')
  await row.getByText('done, something was denied', { exact: false }).waitFor({ timeout: 120_000 })
  await row.getByRole('button', { name: 'History of Night' }).click()
  await row.getByRole('button', { name: 'Allow this in later runs' }).click()
  await row.getByText('Allowed in later runs').waitFor()
  await shots(thursday, 'clock-allowed')
  await thursday.close()

  // Monday morning: of Friday's and Monday's runs the newest is made up for, and does what it was allowed.
  const monday = await startAt('2026-03-30 09:00:00', dataDir)
  const strip = monday.getByTestId('away-digest')
  await strip.waitFor({ timeout: 60_000 })
  await expect.poll(() => strip.innerText(), { timeout: 60_000 }).toMatch(/1 finished .* 1 did not take place/)
  await shots(monday, 'clock-monday')
  await monday.goto(`${holdfast?.url}/settings/schedules`)
  const now = monday.getByTestId('schedule-row')
  await now.getByRole('button', { name: 'History of Night' }).click()
  const history = now.getByTestId('schedule-history').locator('li')
  await expect
    .poll(async () => (await history.allInnerTexts()).map((line) => line.replaceAll('\n', ' ')))
    .toMatchObject([
      expect.stringMatching(/^Mon, Mar 30, 2026, 02:30 done/),
      expect.stringMatching(/^Fri, Mar 27, 2026, 02:30 missed.*the server was off or asleep/),
      expect.stringMatching(/^Thu, Mar 26, 2026, 02:30 done, something was denied/),
    ])
  await shots(monday, 'clock-history')
}, 300_000)
