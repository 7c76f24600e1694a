import type { ToldError } from '@holdfast/protocol'
import type { Tell } from './channel.ts'
import { later, listen, nowMs } from './natives.ts'

/** So many different errors are kept; what comes beyond is counted. [PREV5] */
const MOST_ERRORS = 20
const MESSAGE_CHARS = 2_000
const STACK_CHARS = 6_000
/** What is known of one error is told no oftener than this, in milliseconds. */
export const TOLD_EVERY_MS = 250
/** In one such time so many errors are looked at; the others are counted with what they are closest to: the last. */
const LOOKED_AT = 400

interface KeptError {
  readonly kind: ToldError['kind']
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  count: number
  readonly firstAt: number
  lastAt: number
}

/** What is told of an error when it happens. */
export interface Happened {
  readonly kind: ToldError['kind']
  /** What is the same for the same error and cheap to have. */
  readonly key: string
  /** The rest, asked once for each different error. */
  readonly read: () => { readonly name: string; readonly message: string; readonly stack: string | undefined }
}

/** The errors of one document. */
export interface Errors {
  add(happened: Happened): void
}

/** Keeps the errors of a document, each once with a count, and tells them together. [PREV5] */
export function createErrors({ tell }: Tell): Errors {
  const byKey = new Map<string, KeptError>()
  const kept: KeptError[] = []
  let droppedCount = 0
  let looked = 0
  let last: KeptError | null = null
  let isDue = false

  function tellAll(): void {
    isDue = false
    looked = 0
    const now = nowMs()
    const errors = kept.map(({ firstAt, lastAt, stack, ...error }) => ({
      ...error,
      ...(stack === undefined ? {} : { stack }),
      firstMsAgo: Math.round(now - firstAt),
      lastMsAgo: Math.round(now - lastAt),
    }))
    tell({ type: 'errors', errors, droppedCount })
  }

  function known({ kind, key, read }: Happened): KeptError | null {
    const found = byKey.get(key)
    if (found) return found
    if (byKey.size > MOST_ERRORS * 10) byKey.clear()
    const { name, message, stack } = read()
    const short = message.slice(0, MESSAGE_CHARS)
    const alike = kept.find((one) => one.kind === kind && one.name === name && sameWords(one.message, short))
    const error = alike ?? {
      kind,
      name,
      message: short,
      stack: stack?.slice(0, STACK_CHARS),
      count: 0,
      firstAt: nowMs(),
      lastAt: 0,
    }
    if (!alike && kept.length >= MOST_ERRORS) return null
    if (!alike) kept.push(error)
    byKey.set(key, error)
    return error
  }

  return {
    add(happened) {
      if (looked >= LOOKED_AT) {
        if (last) last.count += 1
        else droppedCount += 1
      } else {
        looked += 1
        const error = known(happened)
        last = error
        if (error === null) droppedCount += 1
        else {
          error.count += 1
          error.lastAt = nowMs()
        }
      }
      if (isDue) return
      isDue = true
      later(tellAll, TOLD_EVERY_MS)
    },
  }
}

/** Numbers, hashes and addresses make no difference. */
function sameWords(one: string, other: string): boolean {
  return one === other || bare(one) === bare(other)
}

function bare(text: string): string {
  return text.replace(/https?:\S+|[0-9a-f]{8,}|\d+/giu, '#')
}

/** Listens for all that goes wrong in a document. */
export function watchErrors(errors: Errors): void {
  listen(
    window,
    'error',
    (event: ErrorEvent) => {
      if (event instanceof ErrorEvent) {
        const { message, filename, lineno, colno } = event
        errors.add({
          kind: 'error',
          key: `${message} ${filename} ${lineno} ${colno}`,
          read: () => thrown(event.error, message, `    at ${filename}:${lineno}:${colno}`),
        })
        return
      }
      const target = (event as Event).target
      if (!(target instanceof Element)) return
      const address = target.getAttribute('src') ?? target.getAttribute('href') ?? ''
      errors.add({
        kind: 'resource',
        key: `resource ${address}`,
        read: () => ({
          name: 'ResourceError',
          message: `<${target.localName}> could not load ${address}`,
          stack: undefined,
        }),
      })
    },
    true,
  )
  listen(
    window,
    'unhandledrejection',
    (event: PromiseRejectionEvent) => {
      const { reason } = event
      errors.add({
        kind: 'rejection',
        key: `rejection ${reason instanceof Error ? reason.message : plain(reason)}`,
        read: () => thrown(reason, plain(reason), undefined),
      })
    },
    false,
  )
  watchRequests(errors)
  watchOverlays(errors)
}

/** Anything may be thrown. */
export function thrown(error: unknown, message: string, place: string | undefined): ReturnType<Happened['read']> {
  if (!(error instanceof Error)) return { name: 'Error', message: message.replace(/^Uncaught /u, ''), stack: place }
  return { name: String(error.name), message: String(error.message), stack: error.stack ?? place }
}

/** A value in words, whatever it does when it is asked. */
export function plain(value: unknown): string {
  try {
    if (typeof value === 'string') return value
    if (value instanceof Error) return value.stack ?? `${value.name}: ${value.message}`
    if (value instanceof Element) return `<${value.localName}>`
    if (typeof value === 'object' && value !== null) return JSON.stringify(value)?.slice(0, 4_000) ?? 'object'
    return String(value)
  } catch {
    return '(cannot be shown)'
  }
}

/** What the page asked a server for and did not get. */
function watchRequests(errors: Errors): void {
  if (!PerformanceObserver.supportedEntryTypes.includes('resource')) return
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!(entry instanceof PerformanceResourceTiming)) continue
      const isAsked = entry.initiatorType === 'fetch' || entry.initiatorType === 'xmlhttprequest'
      if (!isAsked || entry.responseStatus < 400) continue
      const { name, responseStatus } = entry
      errors.add({
        kind: 'resource',
        key: `request ${name} ${responseStatus}`,
        read: () => ({ name: 'RequestError', message: `${name} answered ${responseStatus}`, stack: undefined }),
      })
    }
  })
  observer.observe({ type: 'resource' })
}

/** The overlays by which Vite and Next tell that a page cannot be built. */
function watchOverlays(errors: Errors): void {
  const seen = new WeakSet<Element>()
  const observer = new MutationObserver(() => {
    for (const name of ['vite-error-overlay', 'nextjs-portal']) {
      const overlay = document.querySelector(name)
      if (overlay?.shadowRoot && !seen.has(overlay)) {
        const words = overlayWords(overlay.shadowRoot)
        if (words === null) continue
        seen.add(overlay)
        errors.add({
          kind: 'overlay',
          key: `overlay ${words.message}`,
          read: () => ({ name: 'BuildError', message: words.message, stack: words.stack }),
        })
      }
    }
  })
  observer.observe(document, { childList: true, subtree: true })
}

function overlayWords(root: ShadowRoot): { readonly message: string; readonly stack: string | undefined } | null {
  const said = (selector: string) => root.querySelector(selector)?.textContent?.trim() ?? ''
  const message = said('.message') || said('#nextjs__container_errors_desc') || said('[data-nextjs-dialog-header]')
  if (message === '') return null
  const file = said('.file') || said('[data-nextjs-codeframe] p, [data-nextjs-terminal] p')
  const frame = said('.frame') || said('[data-nextjs-codeframe] pre, [data-nextjs-terminal] pre')
  return { message, stack: file === '' ? undefined : `    at ${file.split('\n')[0]}\n${frame}` }
}
