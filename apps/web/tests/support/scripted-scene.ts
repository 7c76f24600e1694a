import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { openPage, sharedBrowser, thriftyContext, type WatchedPage } from './browser.ts'
import { type HoldfastProcess, type LoadedHoldfast, startLoaded } from './holdfast-process.ts'
import { SCRIPTED_ID, type ScriptedLine, scriptLine } from './scripted-line.ts'

/** A page whose socket says what the test tells it to. Everything else is answered by a real server. */
export interface ScriptedScene {
  readonly context: BrowserContext
  readonly holdfast: HoldfastProcess
  readonly line: ScriptedLine
  /** The tab on the scripted conversation, once a turn is in it. */
  open(): Promise<Page>
}

/** The cookie of a browser that came in by the link, and the key of its page, without a page being opened. */
async function enter(context: BrowserContext, { url, token }: HoldfastProcess): Promise<void> {
  const arrival = await context.request.get(`${url}/?token=${token}`, { maxRedirects: 0 })
  const pageKey = /#page-key=(.+)$/.exec(arrival.headers()['location'] ?? '')?.[1] ?? ''
  await context.addInitScript(`localStorage.setItem('holdfast.page-key', '${pageKey}')`)
}

/** Sets up such a scene for all tests of a file: one server, and for each test a line of its own. */
export function scriptedScene(): ScriptedScene {
  let browser: Browser
  let dataDir: string
  let holdfast: LoadedHoldfast
  let context: BrowserContext
  let line: ScriptedLine
  let tabs: WatchedPage[]

  beforeAll(async () => {
    browser = await sharedBrowser()
    dataDir = await mkdtemp(join(tmpdir(), 'holdfast-scripted-'))
    holdfast = await startLoaded(dataDir, 0, {})
  }, 120_000)

  afterAll(async () => {
    await holdfast.leave()
    await rm(dataDir, { recursive: true })
  })

  beforeEach(async () => {
    context = await thriftyContext(browser, { viewport: { width: 1440, height: 900 } })
    context.setDefaultTimeout(10_000)
    await enter(context, holdfast)
    line = await scriptLine(context, () => Date.now())
    tabs = []
  })

  afterEach(async () => {
    await context.close()
    expect(tabs.flatMap((tab) => tab.offences)).toEqual([])
  })

  return {
    get context() {
      return context
    },
    get holdfast() {
      return holdfast
    },
    get line() {
      return line
    },
    async open() {
      const tab = await openPage(context, `${holdfast.url}/c/${SCRIPTED_ID}`)
      tabs.push(tab)
      await tab.page.getByTestId('turn').first().waitFor()
      return tab.page
    },
  }
}
