import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'
import { type HoldfastProcess, startHoldfast } from './holdfast-process.ts'

/** A browser, and for each test a server on an empty folder. Nothing may be requested from elsewhere, and no script may fail. */
export interface LiveScene {
  readonly browser: Browser
  readonly context: BrowserContext
  readonly holdfast: HoldfastProcess
  /** Writes the operator's file; it holds from the next start. */
  configure(config: unknown): Promise<void>
  /** A tab that has come in by the link of the terminal. */
  enter(): Promise<Page>
  /** A tab at an address, once it has somewhere to write. */
  openTab(url: string): Promise<Page>
  /** Ends the server without asking, and starts it again at the same place. */
  restart(whileItIsGone: () => Promise<void>): Promise<void>
}

/** Sets up such a scene for all tests of a file, with what the operator's file says. */
export function liveScene(config?: unknown): LiveScene {
  let browser: Browser
  let dataDir: string
  let holdfast: HoldfastProcess
  let context: BrowserContext
  let tabs: WatchedPage[]

  beforeAll(async () => {
    browser = await launchBrowser()
  }, 120_000)

  afterAll(async () => {
    await browser.close()
  })

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'holdfast-live-'))
    if (config !== undefined) await configure(config)
    holdfast = await startHoldfast(dataDir, 0)
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    // Shorter than a test may take, so that a failure names the step that waited.
    context.setDefaultTimeout(20_000)
    tabs = []
  })

  afterEach(async () => {
    const offences = tabs.flatMap((tab) => tab.offences)
    await context.close()
    await holdfast.kill()
    await rm(dataDir, { recursive: true })
    expect(offences).toEqual([])
  })

  async function configure(told: unknown): Promise<void> {
    await writeFile(join(dataDir, 'holdfast.json'), JSON.stringify(told))
  }

  async function openTab(url: string): Promise<Page> {
    const tab = await openPage(context, url)
    tabs.push(tab)
    await tab.page.getByTestId('composer-input').waitFor()
    return tab.page
  }

  return {
    get browser() {
      return browser
    },
    get context() {
      return context
    },
    get holdfast() {
      return holdfast
    },
    openTab,
    configure,
    enter: () => openTab(`${holdfast.url}/?token=${holdfast.token}`),
    async restart(whileItIsGone) {
      await holdfast.kill()
      await whileItIsGone()
      holdfast = await startHoldfast(dataDir, holdfast.port)
    },
  }
}
