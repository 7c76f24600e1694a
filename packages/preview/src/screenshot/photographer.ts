import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@holdfast/conversation'
import type { ProcessRegister } from '@holdfast/tool/process'
import * as z from 'zod'
import { type DevTools, startBrowser } from './devtools-pipe.ts'

/** What a picture is to show. */
export interface Shot {
  /** Where it is, with what lets in. */
  readonly url: string
  /** In pixels. */
  readonly width: number
  /** Of an element, by a selector of CSS; null for the page. */
  readonly selector: string | null
  /** Down to the end of the page, and not only what is seen at first. */
  readonly isWhole: boolean
}

/** A picture of a page. */
export interface Picture {
  readonly bytes: Uint8Array
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
  /** Of the page's own answer; null where it could not be loaded. */
  readonly status: number | null
  /** How much of what the page asked for did not come. */
  readonly failedCount: number
}

/** Takes pictures of previews. */
export interface Photographer {
  /** @throws {PictureError} when there is none to be taken. */
  take(shot: Shot, signal: AbortSignal): Promise<Picture>
  close(): Promise<void>
}

/** A picture cannot be taken. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
  readonly code = 'no-picture'
}

/** What pictures are taken with. */
export interface PhotographerDeps {
  /** Path of a Chromium. */
  readonly program: string
  /** The one place that its browser reaches, whatever a page asks for: the listener of the previews. */
  readonly reaches: () => { readonly host: string; readonly port: number }
  readonly register: ProcessRegister | null
  readonly clock: Clock
}

/** Bounds of a picture, so that it is one that models take. */
export const PICTURE_LIMITS = { longestEdge: 4_096, sizeBytes: 300_000, height: 900 } as const

const LOAD_MS = 10_000
const WHOLE_MS = 25_000
/** Kept for the next picture. */
const IDLE_MS = 60_000

const Rect = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
const Evaluated = z.object({ result: z.object({ value: z.unknown() }) })

/** Makes one; its browser is started for the first picture, and ends when none was wanted for a while. */
export function createPhotographer({ program, reaches, register, clock }: PhotographerDeps): Photographer {
  let opened: { readonly browser: DevTools; readonly folder: string } | null = null
  let cancelIdle = (): void => {}
  let turn: Promise<unknown> = Promise.resolve()

  async function browserNow(): Promise<DevTools> {
    cancelIdle()
    if (opened !== null && !opened.browser.isOver()) return opened.browser
    await end()
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-browser-'))
    const { host, port } = reaches()
    const browser = startBrowser({
      program,
      environment: { HOME: folder, PATH: '/usr/bin:/bin', TMPDIR: folder },
      args: [
        ...['--headless=new', '--no-first-run', '--disable-gpu', '--hide-scrollbars', '--mute-audio'],
        ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-extensions'],
        ...['--disable-dev-shm-usage', '--force-device-scale-factor=1', `--user-data-dir=${folder}`],
        // Every name and every number leads to the previews, which answer for their own names only.
        ...[`--host-resolver-rules=MAP * ${host}:${port}`, '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
        // Chromium's own sandbox refuses to work for root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        'about:blank',
      ],
    })
    opened = { browser, folder }
    if (browser.pid !== null) register?.note(browser.pid)
    return browser
  }

  async function end(): Promise<void> {
    cancelIdle()
    const was = opened
    opened = null
    if (was === null) return
    await was.browser.close()
    if (was.browser.pid !== null) register?.forget(was.browser.pid)
    await rm(was.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  async function taken(shot: Shot, signal: AbortSignal): Promise<Picture> {
    const limit = new AbortController()
    const cancel = clock.after(WHOLE_MS, () => limit.abort())
    const either = AbortSignal.any([signal, limit.signal])
    const aborted = Promise.withResolvers<never>()
    aborted.promise.catch(() => {})
    const onAbort = (): void => aborted.reject(new PictureError('The page did not let a picture be taken in time'))
    either.addEventListener('abort', onAbort, { once: true })
    const browser = await browserNow()
    try {
      return await Promise.race([photographed(browser, shot, clock), aborted.promise])
    } catch (error) {
      // What a page has brought to a stand is not used again.
      await end()
      if (error instanceof PictureError) throw error
      throw new PictureError(error instanceof Error ? error.message : String(error))
    } finally {
      cancel()
      either.removeEventListener('abort', onAbort)
      cancelIdle = clock.after(IDLE_MS, () => void end())
    }
  }

  return {
    take(shot, signal) {
      const next = turn.then(() => taken(shot, signal))
      turn = next.catch(() => {})
      return next
    },
    async close() {
      await turn
      await end()
    },
  }
}

async function photographed(browser: DevTools, shot: Shot, clock: Clock): Promise<Picture> {
  const { browserContextId } = z
    .object({ browserContextId: z.string() })
    .parse(await browser.ask('Target.createBrowserContext', { disposeOnDetach: true }, null))
  const { targetId } = z
    .object({ targetId: z.string() })
    .parse(await browser.ask('Target.createTarget', { url: 'about:blank', browserContextId }, null))
  const { sessionId } = z
    .object({ sessionId: z.string() })
    .parse(await browser.ask('Target.attachToTarget', { targetId, flatten: true }, null))
  const ask = (method: string, params: Readonly<Record<string, unknown>>) => browser.ask(method, params, sessionId)
  const loaded = Promise.withResolvers<void>()
  let status: number | null = null
  let failedCount = 0
  const stop = browser.onEvent(({ sessionId: whose, method, params }) => {
    if (whose !== sessionId) return
    if (method === 'Page.loadEventFired') loaded.resolve()
    if (method === 'Page.javascriptDialogOpening')
      void ask('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
    if (method === 'Network.loadingFailed') failedCount++
    if (method === 'Network.responseReceived') status ??= statusOf(params)
  })
  try {
    const size = { width: shot.width, height: PICTURE_LIMITS.height, deviceScaleFactor: 1, mobile: false }
    await Promise.all([
      ask('Page.enable', {}),
      ask('Network.enable', {}),
      ask('Emulation.setDeviceMetricsOverride', size),
    ])
    const cancel = clock.after(LOAD_MS, loaded.resolve)
    const { errorText } = z
      .object({ errorText: z.string().optional() })
      .parse(await ask('Page.navigate', { url: shot.url }))
    if (errorText !== undefined) throw new PictureError(`The page cannot be loaded: ${errorText}`)
    await loaded.promise
    cancel()
    const evaluate = async (expression: string): Promise<unknown> =>
      Evaluated.parse(await ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result
        .value
    await evaluate(
      'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))',
    )
    const rect = Rect.nullable().parse(await evaluate(rectOf(shot)))
    if (rect === null) throw new PictureError(`There is no element ${shot.selector} on the page`)
    const clip = {
      ...rect,
      width: Math.min(Math.max(1, Math.ceil(rect.width)), PICTURE_LIMITS.longestEdge),
      height: Math.min(Math.max(1, Math.ceil(rect.height)), PICTURE_LIMITS.longestEdge),
    }
    const { bytes, mediaType, scale } = await smallest(ask, clip)
    const [width, height] = [Math.round(clip.width * scale), Math.round(clip.height * scale)]
    return { bytes, mediaType, width, height, status, failedCount }
  } finally {
    stop()
    await browser.ask('Target.disposeBrowserContext', { browserContextId }, null).catch(() => {})
  }
}

function rectOf({ selector, isWhole, width }: Shot): string {
  if (selector !== null)
    return `(() => { const found = document.querySelector(${JSON.stringify(selector)}); if (!found) return null; found.scrollIntoView({ block: 'center', behavior: 'instant' }); const { x, y, width, height } = found.getBoundingClientRect(); return { x: x + scrollX, y: y + scrollY, width, height } })()`
  return isWhole
    ? `({ x: 0, y: 0, width: ${width}, height: Math.max(document.documentElement.scrollHeight, ${PICTURE_LIMITS.height}) })`
    : `({ x: scrollX, y: scrollY, width: ${width}, height: ${PICTURE_LIMITS.height} })`
}

/** A picture that is small enough: sharp where that will do, and else of less quality, and at last of less size. */
async function smallest(
  ask: (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>,
  clip: z.infer<typeof Rect>,
): Promise<{ readonly bytes: Uint8Array; readonly mediaType: Picture['mediaType']; readonly scale: number }> {
  const ways = [
    { format: 'png', quality: undefined, scale: 1 },
    ...[80, 60, 40].map((quality) => ({ format: 'jpeg', quality, scale: 1 })),
    ...[0.5, 0.25].map((scale) => ({ format: 'jpeg', quality: 50, scale })),
  ] as const
  for (const { format, quality, scale } of ways) {
    const { data } = z.object({ data: z.string() }).parse(
      await ask('Page.captureScreenshot', {
        format,
        ...(quality === undefined ? {} : { quality }),
        clip: { ...clip, scale },
        captureBeyondViewport: true,
      }),
    )
    const bytes = Buffer.from(data, 'base64')
    if (bytes.byteLength <= PICTURE_LIMITS.sizeBytes)
      return { bytes, mediaType: format === 'png' ? 'image/png' : 'image/jpeg', scale }
  }
  throw new PictureError(`A picture of the page has more than ${PICTURE_LIMITS.sizeBytes} bytes in every form`)
}

function statusOf(params: unknown): number | null {
  const read = z.object({ type: z.string(), response: z.object({ status: z.number() }) }).safeParse(params)
  return read.success && read.data.type === 'Document' ? read.data.response.status : null
}
