import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** `engine` draws pages; `whole` also has what a browser has around them, as notifications, and takes three times the processor for a page. */
export type BrowserKind = 'engine' | 'whole'

const PROGRAMS = {
  engine: process.env['HOLDFAST_CHROMIUM'] ?? '/usr/bin/chromium',
  whole: process.env['HOLDFAST_WHOLE_CHROMIUM'] ?? '/usr/bin/chromium',
} as const

/** Starts a browser. */
export function launchBrowser(kind: BrowserKind = 'engine'): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAMS[kind],
    args: [
      '--no-sandbox',
      // A microphone that hums, and nobody who is asked for it.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      // As people's browsers do, and the engine alone does not: a frame of another origin has a process of its own.
      '--site-per-process',
      '--enable-features=IsolateSandboxedIframes',
    ],
  })
}

const launched = new Map<BrowserKind, Promise<Browser>>()

/** The browser of all tests, started by the first that asks and, if it is lost, by the next. It ends with the process. */
export async function sharedBrowser(kind: BrowserKind = 'engine'): Promise<Browser> {
  const browser = await launched.get(kind)
  if (browser?.isConnected()) return browser
  const next = launchBrowser(kind)
  launched.set(kind, next)
  return next
}

/**
 * A browser of its own that saves data and has no service worker: what the page does for later (it reads the parts that nobody has
 * opened, and keeps its shell) takes as much of the processor as many a test. `browser.newContext` is for tests of that.
 */
export async function thriftyContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ ...options, serviceWorkers: 'block' })
  await context.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
  return context
}

/** A tab that remembers everything that should not have happened. */
export interface WatchedPage {
  readonly page: Page
  /** Requests to other hosts, errors of scripts, and what the content policy refused. */
  readonly offences: string[]
}

/** Opens a tab. */
export async function openPage(context: BrowserContext, url: string): Promise<WatchedPage> {
  const page = await context.newPage()
  const offences: string[] = []
  const { host } = new URL(url)
  page.on('request', (request) => {
    const target = new URL(request.url())
    if (target.host !== host && target.protocol !== 'data:') offences.push(`request to ${request.url()}`)
  })
  page.on('pageerror', (error) => offences.push(`error: ${error.message}`))
  page.on('console', (message) => {
    const isOffence = message.type() === 'error' && !message.text().includes('ERR_CONNECTION')
    if (isOffence && !message.text().includes('WebSocket connection')) offences.push(`console: ${message.text()}`)
  })
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('refused by the policy: ' + event.violatedDirective))",
  )
  await page.goto(url)
  return { page, offences }
}

/** So long a message is on its way out of the field at most, in milliseconds; one that is kept back stays there. */
const GIVEN_AWAY_MS = 3_000

/**
 * Writes a message, presses Enter, and waits until the composer has given it away: from then on the newest turn is that of this
 * message, and no longer the one before.
 */
export async function say(page: Page, text: string): Promise<void> {
  const input = page.getByTestId('composer-input')
  await input.fill(text)
  await input.press('Enter')
  const given = input.and(page.locator(':placeholder-shown'))
  await given.waitFor({ timeout: GIVEN_AWAY_MS }).catch(() => undefined)
}

/** The state of the newest turn. */
export async function turnState(page: Page): Promise<string | null> {
  return page.getByTestId('turn').last().getAttribute('data-state')
}

/** Waits until the newest turn is in this state. */
export async function untilTurn(page: Page, state: string): Promise<void> {
  const ofState = page.locator(`[data-state="${state}"]`)
  await page.getByTestId('turn').last().and(ofState).waitFor()
}

/** The text of the newest reply, to the character. */
export async function replyText(page: Page): Promise<string> {
  return (await page.getByTestId('msg-assistant').last().locator('.words').last().textContent()) ?? ''
}

/** So much at the end of a reply may still be read otherwise: an unfinished mark, table or code block. In characters. */
const UNSETTLED = 40

/** Waits until the newest reply is at least this long. @returns its text, without the end that is not settled yet. */
export async function untilReplyHas(page: Page, length: number): Promise<string> {
  const words = page.getByTestId('msg-assistant').last().locator('.words').last()
  await words.filter({ hasText: new RegExp(`[^]{${length + UNSETTLED}}`) }).waitFor()
  return ((await words.textContent()) ?? '').slice(0, -UNSETTLED)
}
