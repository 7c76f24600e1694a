import { type AudioServer, createAudioServer } from '@holdfast/conformance'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

// What an audio server fails at, the page says; the browser writes the status down too.
const scene = liveScene({ forgiven: /status of 503/ })
const KEY = 'sk-of-the-audio-server'

let audio: AudioServer

beforeEach(async () => {
  audio = await createAudioServer(KEY)
})
afterEach(() => audio.close())

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const authorization = `Bearer ${scene.holdfast.token}`
  const asked =
    body === undefined
      ? { method, headers: { authorization } }
      : { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await fetch(`${scene.holdfast.url}/api/v1${path}`, asked)).json()
}

async function setUp(byItself: boolean): Promise<void> {
  await call('PATCH', '/voice', {
    revision: 0,
    usual: { aloud: 'server', byItself, dictation: 'off', voice: null, speed: 1 },
    server: {
      baseUrl: audio.baseUrl,
      apiKey: KEY,
      speechModel: 'tts-1',
      voice: 'alloy',
      transcriptionModel: null,
      usdPerMillionCharacters: null,
      usdPerMinute: null,
    },
  })
}

const line = (page: Page) => page.getByTestId('reading')

async function answered(): Promise<Page> {
  const page = await scene.enter()
  await say(page, '/demo stream-fast')
  await untilTurn(page, 'completed')
  return page
}

test('[VOICE10] the first Esc silences and lets the turn go on, the second stops it', async () => {
  await setUp(true)
  const page = await scene.enter()
  await say(page, '/demo stream-long')
  await line(page).getByText('Reading aloud').waitFor()
  await page.getByTestId('composer-input').press('Escape')
  await line(page).waitFor({ state: 'detached' })
  const turn = page.getByTestId('turn').last()
  const length = async () => (await turn.innerText()).length
  const before = await length()
  // More than what was on its way when a stop would have come.
  await expect.poll(length, { timeout: 20_000 }).toBeGreaterThan(before + 800)
  expect(await turn.getAttribute('data-state')).toBe('streaming')
  await page.getByTestId('composer-input').press('Escape')
  await untilTurn(page, 'stopped')
}, 90_000)

test('[VOICE11] what begins to be read in one tab ends in the other', async () => {
  await setUp(false)
  const page = await answered()
  await page.getByTestId('read-aloud').click()
  await line(page).getByText('Reading aloud').waitFor()
  const other = await scene.openTab(page.url())
  await other.getByTestId('read-aloud').click()
  await line(other).getByText('Reading aloud').waitFor()
  await line(page).waitFor({ state: 'detached' })
  await page.getByTestId('read-aloud').click()
  await line(other).waitFor({ state: 'detached' })
  await line(page).getByText('Reading aloud').waitFor()
}, 90_000)

test('[VOICE12, VOICE13] it says that it waits for the sound, and whose fault it is where that breaks off', async () => {
  await setUp(false)
  const page = await answered()
  audio.fail('silent')
  await page.getByTestId('read-aloud').click()
  await line(page).getByText('Waiting for the sound…').waitFor()
  expect(await line(page).getByText('Reading aloud').count()).toBe(0)
  await shots(page, 'voice-waits')
  await page.getByTestId('read-aloud').click()
  await line(page).waitFor({ state: 'detached' })
  audio.fail('cut')
  await page.getByTestId('read-aloud').click()
  const alert = page.locator('.voice-line[role=alert]')
  await alert.getByText('The audio server broke off its answer', { exact: false }).waitFor()
  expect(await alert.innerText()).not.toContain('Holdfast')
}, 90_000)

test('[VOICE14] a speed that is none is refused in words, and what tells that the voice is saved covers no button', async () => {
  await setUp(false)
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/models`)
  const section = page.getByTestId('voice-section')
  const speed = section.getByLabel('Speed')
  const save = section.getByRole('button', { name: 'Save voice' })
  await speed.fill('9')
  await section.getByText('A speed is from 0.5 to 3.').waitFor()
  expect(await speed.inputValue()).toBe('9')
  await save.click()
  const Usual = z.object({ usual: z.looseObject({ speed: z.number() }) })
  expect(Usual.parse(await call('GET', '/voice')).usual.speed).toBe(1)
  await speed.fill('1,5')
  await save.click()
  const toast = page.getByTestId('toast')
  await toast.waitFor()
  expect(Usual.parse(await call('GET', '/voice')).usual.speed).toBe(1.5)
  // Esc silences wherever something is read.
  await section.getByTestId('read-aloud').click()
  await section.getByRole('button', { name: 'Stop reading' }).waitFor()
  await page.keyboard.press('Escape')
  await section.getByRole('button', { name: 'Read aloud' }).waitFor()
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await section.evaluate((one) => one.scrollIntoView({ block: 'end' }))
    const [told, button] = [await toast.boundingBox(), await save.boundingBox()]
    if (told === null || button === null) throw new Error('Both are shown')
    const isApart =
      told.y >= button.y + button.height ||
      told.y + told.height <= button.y ||
      told.x >= button.x + button.width ||
      told.x + told.width <= button.x
    expect({ size, isApart, told, button }).toMatchObject({ isApart: true })
    await page.screenshot({ path: `${process.env['HOLDFAST_SHOTS'] ?? '/tmp'}/voice-toast-${size.width}.png` })
  }
  await expect.poll(() => axeProblems(page)).toEqual([])
}, 90_000)
