import { type AudioServer, createAudioServer } from '@holdfast/conformance'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { axeProblems } from './support/axe.ts'
import { replyText, say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

// What an audio server refuses, the page says; the browser writes the status down too.
const scene = liveScene({ forgiven: /status of (?:503|409|403)/ })
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

interface Usual {
  readonly aloud: 'off' | 'browser' | 'server'
  readonly byItself?: boolean
  readonly dictation?: 'off' | 'browser' | 'server'
}

async function setUp({ aloud, byItself = false, dictation = 'off' }: Usual): Promise<void> {
  const { revision } = z.object({ revision: z.number() }).parse(await call('GET', '/voice'))
  await call('PATCH', '/voice', {
    revision,
    usual: { aloud, byItself, dictation, voice: null, speed: 1 },
    server: {
      baseUrl: audio.baseUrl,
      apiKey: KEY,
      speechModel: 'tts-1',
      voice: 'alloy',
      transcriptionModel: 'whisper-1',
      usdPerMillionCharacters: null,
      usdPerMinute: null,
    },
  })
}

const Heard = z.array(z.object({ type: z.enum(['started', 'stopped']), at: z.number() }))

/** What came out of the speakers of a tab, and when, by the clock of the page. */
async function heard(page: Page) {
  return Heard.parse(await page.evaluate(() => Reflect.get(window, 'heard')))
}

/** Comes in by a tab whose sounds are noted. */
async function enter(): Promise<Page> {
  await scene.context.addInitScript(() => {
    const noted: { type: string; at: number }[] = []
    Reflect.set(window, 'heard', noted)
    const playing = new Set<AudioBufferSourceNode>()
    Reflect.set(window, 'playing', playing)
    const { start, stop } = AudioBufferSourceNode.prototype
    AudioBufferSourceNode.prototype.start = function (...given) {
      noted.push({ type: 'started', at: performance.now() })
      playing.add(this)
      this.addEventListener('ended', () => playing.delete(this))
      start.apply(this, given)
    }
    AudioBufferSourceNode.prototype.stop = function (...given) {
      noted.push({ type: 'stopped', at: performance.now() })
      playing.delete(this)
      stop.apply(this, given)
    }
  })
  return scene.enter()
}

/** Whether nothing sounds; between two sentences nothing does either. */
const isSilent = (page: Page) => page.evaluate(() => Reflect.get(window, 'playing').size === 0)

const spoken = () => audio.asked.flatMap((one) => (one.type === 'speech' ? [one.text] : []))
const started = async (page: Page) => (await heard(page)).filter(({ type }) => type === 'started').length

test('[VOICE1] nothing is heard and nothing listens until it is turned on', async () => {
  const page = await enter()
  await say(page, '/demo stream-fast')
  await untilTurn(page, 'completed')
  await page.getByRole('button', { name: 'Branch from here' }).waitFor()
  expect(await page.getByTestId('read-aloud').count()).toBe(0)
  expect(await page.getByTestId('dictate').count()).toBe(0)
  expect(audio.asked).toEqual([])
}, 60_000)

test('[VOICE5] a reply is read by the audio server, rests and goes on, is read faster, and is silent when it is told to', async () => {
  await setUp({ aloud: 'server' })
  const page = await enter()
  await say(page, '/demo stream-fast')
  await untilTurn(page, 'completed')
  const reply = await replyText(page)
  const askedAt = await page.evaluate(() => performance.now())
  await page.getByTestId('read-aloud').click()
  await expect.poll(() => started(page)).toBeGreaterThan(0)
  console.log(`heard ${Math.round(((await heard(page))[0]?.at ?? 0) - askedAt)} ms after it was asked for`)
  expect(reply.startsWith(spoken()[0]?.slice(0, 12) ?? '-')).toBe(true)
  const line = page.getByTestId('reading')
  await line.getByRole('button', { name: 'Pause', exact: true }).click()
  await line.getByText('Paused').waitFor()
  await shots(page, 'voice-reading')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await line.getByRole('combobox', { name: 'Speed' }).selectOption({ label: '2 ×' })
  await line.getByRole('button', { name: 'Go on reading' }).click()
  await expect.poll(() => audio.asked.some((one) => one.type === 'speech' && one.speed === 2)).toBe(true)
  await page.getByTestId('read-aloud').click()
  await line.waitFor({ state: 'detached' })
  expect((await heard(page)).at(-1)?.type).toBe('stopped')
  expect(audio.refusals).toEqual([])
}, 90_000)

/** By the keyboard: a pointer that comes when Stop has just appeared may have meant Send, and stops nothing. */
function stopNow(page: Page): Promise<void> {
  return page.getByTestId('stop').press('Enter')
}

test('[VOICE5] answers are read while they come; Stop, another message and another conversation make it silent', async () => {
  await setUp({ aloud: 'server', byItself: true })
  const page = await enter()
  const line = page.getByTestId('reading')
  await say(page, '/demo stream-long')
  await expect.poll(() => started(page)).toBeGreaterThan(0)
  expect(await page.getByTestId('turn').last().getAttribute('data-state')).toBe('streaming')
  await shots(page, 'voice-as-it-comes')
  const pressedAt = await page.evaluate(() => {
    addEventListener('click', () => Reflect.set(window, 'pressedAt', performance.now()), { capture: true, once: true })
    return performance.now()
  })
  await stopNow(page)
  await line.waitFor({ state: 'detached' })
  await untilTurn(page, 'stopped')
  expect(await isSilent(page)).toBe(true)
  const last = (await heard(page)).at(-1)
  const pressed = z.number().parse(await page.evaluate(() => Reflect.get(window, 'pressedAt')))
  expect(pressed).toBeGreaterThanOrEqual(pressedAt)
  if (last?.type === 'stopped') console.log(`silent ${Math.round(last.at - pressed)} ms after Stop`)
  else expect(last?.at).toBeLessThan(pressed)

  const before = await started(page)
  await say(page, '/demo stream-long')
  await expect.poll(() => started(page)).toBeGreaterThan(before)
  await say(page, 'And this')
  await line.waitFor({ state: 'detached' })
  expect(await isSilent(page)).toBe(true)
  await stopNow(page)

  await page.getByRole('button', { name: 'New conversation' }).first().click()
  const silent = await started(page)
  await say(page, '/demo stream-long')
  await expect.poll(() => started(page)).toBeGreaterThan(silent)
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await expect.poll(() => isSilent(page)).toBe(true)
  await page.goBack()
  // What was silenced is not read again by itself.
  await page.getByRole('button', { name: 'Read this reply aloud as it comes' }).waitFor()
  await stopNow(page)
}, 120_000)

test('[VOICE3, VOICE5] what goes wrong is said: the audio server refuses its key, the browser has no voices', async () => {
  await setUp({ aloud: 'server' })
  const page = await enter()
  await say(page, '/demo stream-fast')
  await untilTurn(page, 'completed')
  audio.fail('unauthorized')
  await page.getByTestId('read-aloud').click()
  const alert = page.locator('.voice-line[role=alert]')
  await alert.getByText('The audio server refused its key (401)', { exact: false }).waitFor()
  await shots(page, 'voice-problem')
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await alert.waitFor({ state: 'detached' })
  await setUp({ aloud: 'browser' })
  await page.reload()
  await page.getByTestId('read-aloud').click()
  await alert.getByText('This browser has no voices', { exact: false }).waitFor()
}, 90_000)

test('[VOICE9] what is being written down is stopped at once, and its recording is kept until it is written or discarded', async () => {
  await setUp({ aloud: 'off', dictation: 'server' })
  audio.hear('the red house')
  audio.fail('silent')
  const page = await enter()
  const field = page.getByTestId('composer-input')
  const microphone = page.getByTestId('dictate')
  await microphone.click()
  await page.getByText('Listening…').waitFor()
  await expect.poll(() => microphone.getAttribute('data-state')).toBe('listening')
  await shots(page, 'voice-listening')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await microphone.click()
  await expect.poll(() => audio.received()).toBe(1)
  await microphone.click()
  await page.getByText('It was not written down').waitFor()
  await expect.poll(() => audio.brokenOff()).toBe(1)
  audio.fail('broken')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').getByText('out of memory', { exact: false }).waitFor()
  await shots(page, 'voice-kept-recording')
  await expect.poll(() => axeProblems(page)).toEqual([])
  audio.fail('none')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => field.inputValue()).toBe('the red house')
}, 90_000)

test('[VOICE7] what is dictated comes to where the caret is, and is not sent; a microphone that is refused is said', async () => {
  await setUp({ aloud: 'off', dictation: 'server' })
  audio.hear('the red house')
  const page = await enter()
  const field = page.getByTestId('composer-input')
  await field.fill('Look at in the picture')
  await field.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(7, 7))
  const microphone = page.getByTestId('dictate')
  await microphone.click()
  await page.getByText('Listening…').waitFor()
  await shots(page, 'voice-dictating')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await expect.poll(() => microphone.getAttribute('data-state')).toBe('listening')
  await microphone.click()
  await expect.poll(() => field.inputValue()).toBe('Look at the red house in the picture')
  expect(audio.asked).toMatchObject([{ type: 'transcription', model: 'whisper-1', language: 'en' }])
  expect(await page.getByTestId('msg-user').count()).toBe(0)
  expect(await page.getByTestId('turn').count()).toBe(0)

  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await microphone.click()
  await page.getByRole('alert').getByText('The microphone was refused', { exact: false }).waitFor()
  await expect.poll(() => microphone.getAttribute('data-state')).toBe('off')
}, 90_000)

test('[VOICE2, VOICE4] the audio server is set up in the settings, an agent has a voice of its own, and both are used', async () => {
  const page = await enter()
  await page.goto(`${scene.holdfast.url}/settings/models`)
  const form = page.getByRole('form', { name: 'Voice' })
  await form.getByLabel('Read aloud by').selectOption({ label: 'The audio server' })
  await form.getByLabel('Address of the audio server').fill(audio.baseUrl)
  await form.getByLabel('Key of the audio server').fill(KEY)
  await form.getByLabel('Model that speaks', { exact: false }).fill('tts-1')
  await form.getByRole('button', { name: 'Save voice' }).click()
  await page.getByText('The voice is saved').waitFor()
  await page.getByTestId('voice-section').scrollIntoViewIfNeeded()
  await form.getByTestId('read-aloud').click()
  await expect.poll(spoken).toContain('This is how answers sound.')
  await shots(page, 'voice-settings')
  await expect.poll(() => axeProblems(page)).toEqual([])
  expect(await form.getByLabel('Key of the audio server').getAttribute('placeholder')).toContain(KEY.slice(-4))

  await page.goto(`${scene.holdfast.url}/settings/agents`)
  await page.getByRole('button', { name: 'New agent' }).click()
  const editor = page.getByTestId('agent-editor')
  await editor.getByLabel('Name', { exact: true }).fill('Speaker')
  await editor.getByRole('combobox', { name: 'Voice', exact: true }).selectOption({ label: 'Its own' })
  await editor.getByLabel('Read aloud by').selectOption({ label: 'The audio server' })
  await editor.getByLabel('Voice, empty for the usual one').fill('nova')
  await shots(page, 'voice-agent')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'detached' })
  expect(await call('GET', '/agents')).toMatchObject({
    agents: expect.arrayContaining([
      expect.objectContaining({ name: 'Speaker', voice: expect.objectContaining({ aloud: 'server', voice: 'nova' }) }),
    ]),
  })
}, 90_000)

test('[VOICE8] what a schedule brought is read aloud to who comes back', async () => {
  await setUp({ aloud: 'server' })
  const page = await enter()
  const made = await call('POST', '/schedules', {
    name: 'Morning',
    content: [{ type: 'text', text: '/demo stream-fast' }],
    rule: { type: 'cron', expression: '0 9 * * *' },
    timeZone: 'UTC',
    modelId: 'demo',
  })
  const { id } = z.object({ id: z.string() }).parse(made)
  await call('POST', `/schedules/${id}/run`)
  await expect
    .poll(async () => JSON.stringify(await call('GET', '/inbox')), { timeout: 30_000 })
    .toContain('schedule-finished')
  await page.goto(`${scene.holdfast.url}/settings/inbox`)
  const item = page.getByTestId('inbox-item').filter({ hasText: 'Morning' })
  await item.getByTestId('read-results').click()
  await expect.poll(() => spoken().length).toBeGreaterThan(1)
  expect(spoken()[0]).toBe('Morning.')
  await shots(page, 'voice-inbox')
  await item.getByTestId('read-results').click()
  await expect.poll(() => item.getByTestId('read-results').getAttribute('aria-pressed')).toBe('false')
}, 90_000)
