import type { Client, FoundSource } from '@holdfast/client'
import {
  type PickedElement,
  PREVIEW_LIMITS,
  PreviewHello,
  type PreviewOrder,
  PreviewTold,
  type SentPart,
  type ToldError,
} from '@holdfast/protocol'
import { NOTHING, type SessionState, withTold } from './session-state.ts'

/** A preview that is shown in a frame, with the way to the script in it. */
export interface PreviewSession {
  getSnapshot(): SessionState
  subscribe(listener: () => void): () => void
  /** Listens to what is in a frame. @returns a function that ends it. */
  attach(frame: HTMLIFrameElement): () => void
  order(order: PreviewOrder): void
  /** A picture of the page at the width that it is shown in, or of one element of it; loaded anew by the server. [PREV13] @throws {RequestFailedError} */
  photograph(selector: string | null): Promise<File>
  pick(on: boolean): void
  /** Tells the server once more what is known: something there looks at it anew. */
  tellAgain(): void
  clearConsole(): void
  clearOutline(): void
}

interface SessionDeps {
  readonly client: Client
  readonly previewId: string
  readonly origin: string
  readonly conversationId: string
  readonly onPicked: (part: Extract<SentPart, { type: 'element' }>, goesOn: boolean) => void
}

const MOST_CLAIMS = 5
const CLAIMS_MS = 1_000
const TELL_MS = 250
const MOST_WAITING = 50
/** So long a picture may take. */
const PICTURE_MS = 40_000

/** Sessions by conversation and preview, for the chips of what was picked. */
const shown = new Map<string, PreviewSession>()

/** Lets an element that was picked in a conversation show itself; nothing where its preview is not shown. */
export function flashElement(conversationId: string, selector: string): void {
  shown.get(conversationId)?.order({ type: 'flash', selector })
}

/** The session of the preview that a conversation shows, if it shows one. */
export function shownSession(conversationId: string): PreviewSession | null {
  return shown.get(conversationId) ?? null
}

/** Makes one. What the frame posts counts only by a port whose secret the server confirms. [PREV20] */
export function createPreviewSession(deps: SessionDeps): PreviewSession {
  const { client, previewId, origin, conversationId } = deps
  const listeners = new Set<() => void>()
  let state = NOTHING
  let port: MessagePort | null = null
  let shownIn: HTMLIFrameElement | null = null
  let claims: number[] = []
  let told: { errors: readonly ToldError[]; at: number } = { errors: [], at: 0 }
  let loaded: { at: number; status: number } | null = null
  let isDue = false

  function set(change: Partial<SessionState>): void {
    state = { ...state, ...change }
    for (const listener of [...listeners]) listener()
  }

  function tellServer(): void {
    if (isDue) return
    isDue = true
    setTimeout(async () => {
      isDue = false
      const errors = older(told.errors, Date.now() - told.at)
      const heard = loaded === null ? null : { msAgo: Math.max(0, Date.now() - loaded.at), status: loaded.status }
      try {
        set({ errors: await client.tellPreview(previewId, { conversationId, errors, loaded: heard }) })
      } catch {
        // The server is not there, or refuses: the next thing that is heard, or a reload, tells it again.
      }
    }, TELL_MS)
  }

  async function hello(event: MessageEvent, frame: HTMLIFrameElement): Promise<void> {
    if (event.source !== frame.contentWindow || event.origin !== origin) return
    const said = PreviewHello.safeParse(event.data)
    const [offered] = event.ports
    if (!said.success || offered === undefined || event.ports.length !== 1) {
      set({ forgedCount: state.forgedCount + 1 })
      return
    }
    const now = Date.now()
    claims = [...claims.filter((at) => now - at < CLAIMS_MS), now]
    const waiting: unknown[] = []
    offered.onmessage = ({ data }) => {
      if (waiting.length < MOST_WAITING) waiting.push(data)
    }
    const isOurs = claims.length <= MOST_CLAIMS && (await isConfirmed(client, previewId, said.data.secret))
    if (!isOurs) {
      offered.close()
      set({ forgedCount: state.forgedCount + 1 })
      return
    }
    port?.close()
    port = offered
    told = { errors: [], at: Date.now() }
    loaded = null
    set({ ...OF_A_DOCUMENT, isHeard: true })
    offered.onmessage = ({ data }) => hear(data)
    for (const data of waiting) hear(data)
    if (state.isPicking) order({ type: 'pick', on: true })
  }

  function hear(data: unknown): void {
    const parsed = PreviewTold.safeParse(data)
    if (!parsed.success) return
    const heard = parsed.data
    set(withTold(state, heard))
    if (heard.type === 'place' && heard.isLoaded) {
      loaded = { at: Date.now(), status: heard.status }
      tellServer()
    }
    if (heard.type === 'errors') {
      told = { errors: heard.errors, at: Date.now() }
      tellServer()
    }
    // Only while a person picks: a document that would say so by itself is not heard.
    if (heard.type === 'picked' && (state.isPicking || state.outline !== null)) void picked(heard.element, heard.goesOn)
  }

  async function picked(element: PickedElement, goesOn: boolean): Promise<void> {
    if (!goesOn) set({ isPicking: false, pointed: null })
    deps.onPicked(await pickedPart(deps, element), goesOn)
  }

  function order(asked: PreviewOrder): void {
    port?.postMessage(asked)
  }

  const session: PreviewSession = {
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    attach(frame) {
      const onMessage = (event: MessageEvent) => void hello(event, frame)
      addEventListener('message', onMessage)
      shownIn = frame
      shown.set(conversationId, session)
      return () => {
        removeEventListener('message', onMessage)
        if (shown.get(conversationId) === session) shown.delete(conversationId)
        port?.close()
        port = null
        set({ isHeard: false, isPicking: false })
      }
    },
    order,
    photograph: (selector) => photographed(deps, { state, frame: shownIn, selector }),
    pick(on) {
      set({ isPicking: on, pointed: null })
      order({ type: 'pick', on })
    },
    tellAgain: tellServer,
    clearConsole: () => set({ console: [], consoleCounts: NOTHING.consoleCounts }),
    clearOutline: () => set({ outline: null }),
  }
  return session
}

const { console, consoleCounts, errors, hmr, outline } = NOTHING
/** What a new document has not said yet. */
const OF_A_DOCUMENT = { console, consoleCounts, errors, hmr, outline }

/** A picked element with where it is made, as it goes along. */
async function pickedPart({ client, previewId }: SessionDeps, element: PickedElement) {
  const { hint } = element
  const source = hint === undefined ? null : await client.findSource(previewId, hint).catch(() => null)
  return partOf(element, source)
}

interface ShownPicture {
  readonly state: SessionState
  readonly frame: HTMLIFrameElement | null
  readonly selector: string | null
}

function photographed({ client, previewId }: SessionDeps, { state, frame, selector }: ShownPicture): Promise<File> {
  const width = Math.min(Math.max(frame?.clientWidth ?? 0, PREVIEW_LIMITS.lowestWidth), PREVIEW_LIMITS.highestWidth)
  const wanted = { path: pathShown(state), width, ...(selector === null ? {} : { selector }) }
  return client.photographPreview(previewId, wanted, AbortSignal.timeout(PICTURE_MS))
}

/** The page that is shown, from the root of its origin. */
export function pathShown({ place }: SessionState): string {
  const url = place === null ? null : URL.parse(place.url)
  return url === null ? '/' : url.pathname + url.search + url.hash
}

function older(errors: readonly ToldError[], byMs: number): ToldError[] {
  return errors.map((error) => ({
    ...error,
    firstMsAgo: error.firstMsAgo + byMs,
    lastMsAgo: error.lastMsAgo + byMs,
  }))
}

/** Whether the server gave this secret to a document of the preview, and nobody has said it before. [PREV20] */
async function isConfirmed(client: Client, previewId: string, secret: string): Promise<boolean> {
  try {
    await client.claimPreview(previewId, secret)
    return true
  } catch {
    return false
  }
}

/** As what a picked element goes along. */
function partOf(element: PickedElement, source: FoundSource): Extract<SentPart, { type: 'element' }> {
  const { selector, html, url, label, text, role } = element
  return {
    type: 'element',
    selector,
    html,
    url,
    ...(text === undefined ? { text: label } : { text }),
    ...(role === undefined ? {} : { role }),
    ...(source === null ? {} : { source }),
  }
}
