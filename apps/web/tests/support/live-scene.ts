import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider, type Scripted, type StrictProvider } from '@holdfast/conformance'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type BrowserKind, openPage, sharedBrowser, thriftyContext, type WatchedPage } from './browser.ts'
import { type HoldfastProcess, type LoadedHoldfast, startLoaded } from './holdfast-process.ts'

/** What a scene has beside an empty server. */
export interface SceneOptions {
  /** What the operator's file says. */
  readonly config?: Readonly<Record<string, unknown>>
  /** The files of the folder that agents may use; without them there is none. */
  readonly workspace?: Readonly<Record<string, string>>
  /** What the model of a strict provider answers; without it there is the demo model alone. */
  readonly reply?: Scripted
  /** What else than nothing may go wrong in a tab. */
  readonly forgiven?: RegExp
  /** Where tests need more than pages that are drawn. */
  readonly browser?: BrowserKind
  /** Where tests look at what a page does for later: it keeps its shell, and reads the parts that nobody has opened. */
  readonly forLater?: true
}

/**
 * A browser, and for each test a server on an empty folder. Nothing may be requested from elsewhere, no script may fail,
 * and the provider must have found nothing wrong with its requests.
 */
export interface LiveScene {
  readonly browser: Browser
  readonly context: BrowserContext
  readonly holdfast: HoldfastProcess
  /** Where the server keeps everything. */
  readonly dataDir: string
  /** The folder that agents may use. */
  readonly folder: string
  readonly provider: StrictProvider
  /** Writes the operator's file; it holds from the next start. */
  configure(config: Readonly<Record<string, unknown>>): Promise<void>
  /** A tab that has come in by the link of the terminal. */
  enter(): Promise<Page>
  /** A tab at an address, once it has somewhere to write. */
  openTab(url: string): Promise<Page>
  /** Ends the server without asking, and starts it again at the same place. */
  restart(whileItIsGone: () => Promise<void>): Promise<void>
  /** Asks the server to end, and starts it again at the same place. */
  startAnew(whileItIsGone: () => Promise<void>): Promise<void>
}

/** Sets up such a scene for all tests of a file. */
export function liveScene(options: SceneOptions): LiveScene {
  let browser: Browser
  let base: string
  let variables: Readonly<Record<string, string>>
  let provider: StrictProvider | null
  let holdfast: LoadedHoldfast
  let context: BrowserContext
  let tabs: WatchedPage[]

  const dataDir = () => join(base, 'data')
  const folder = () => join(base, 'folder')

  beforeAll(async () => {
    browser = await sharedBrowser(options.browser)
  }, 120_000)

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'holdfast-live-'))
    for (const one of [dataDir(), folder()]) await mkdir(one, { mode: 0o700 })
    for (const [name, text] of Object.entries(options.workspace ?? {})) await writeFile(join(folder(), name), text)
    await configure(options.config ?? {})
    provider = options.reply === undefined ? null : await providerThat(options.reply)
    variables = provider === null ? {} : { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: provider.url }
    await start(0)
    const viewport = { width: 1440, height: 900 }
    context = await (options.forLater ? browser.newContext({ viewport }) : thriftyContext(browser, { viewport }))
    // Shorter than a test may take, so that a failure names the step that waited.
    context.setDefaultTimeout(20_000)
    tabs = []
  })

  afterEach(async () => {
    const offences = tabs.flatMap((tab) => tab.offences)
    const violations = provider?.requests.flatMap((request) => request.violations) ?? []
    await context.close()
    await holdfast.leave()
    await provider?.close()
    await rm(base, { recursive: true })
    expect(offences.filter((offence) => !options.forgiven?.test(offence))).toEqual([])
    expect(violations).toEqual([])
  })

  async function start(port: number): Promise<void> {
    holdfast = await startLoaded(dataDir(), port, variables)
  }

  async function configure(told: Readonly<Record<string, unknown>>): Promise<void> {
    const config = options.workspace === undefined ? told : { ...told, workspace: folder() }
    await writeFile(join(dataDir(), 'holdfast.json'), JSON.stringify(config))
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
    get dataDir() {
      return dataDir()
    },
    get folder() {
      return folder()
    },
    get provider() {
      if (provider === null) throw new Error('This scene has no provider: say what it replies')
      return provider
    },
    openTab,
    configure,
    enter: () => openTab(`${holdfast.url}/?token=${holdfast.token}`),
    async restart(whileItIsGone) {
      await holdfast.kill()
      await whileItIsGone()
      await start(holdfast.port)
    },
    async startAnew(whileItIsGone) {
      expect(await holdfast.end()).toBe(0)
      await whileItIsGone()
      await start(holdfast.port)
    },
  }
}

async function providerThat(reply: Scripted): Promise<StrictProvider> {
  const provider = await createStrictProvider({})
  provider.otherwise(reply)
  return provider
}
