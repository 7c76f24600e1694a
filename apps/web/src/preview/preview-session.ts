import type { Client } from '@holdfast/client'
import {
  type ConsoleLine,
  type OutlineNode,
  type PickedElement,
  type PreviewErrorRow,
  PreviewHello,
  type PreviewOrder,
  PreviewTold,
  type SentPart,
  type ToldError,
} from '@holdfast/protocol'

/** What is known of a shown preview. All of it was told by a stranger's page. */
export interface SessionState {
  /** Whether a document of the preview has said that it is there. */
  readonly isHeard: boolean
  readonly place: Omit<Extract<PreviewTold, { type: 'place' }>, 'type' | 'isLoaded'> | null
  readonly errors: readonly PreviewErrorRow[]
  readonly console: readonly ConsoleLine[]
  readonly consoleCounts: { readonly error: number; readonly warn: number; readonly all: number }
  readonly openedHmr: number | null
  readonly isPicking: boolean
  readonly pointed: { readonly label: string; readonly path: readonly string[] } | null
  readonly outline: readonly OutlineNode[] | null
  /** Selectors that no element has now. */
  readonly missing: readonly string[]
  /** How often something that is not our script said that it is. */
  readonly forgedCount: number
}

/** A preview that is shown in a frame, with the way to the script in it. */
export interface PreviewSession {
  getSnapshot(): SessionState
  subscribe(listener: () => void): () => void
  /** Listens to what is in a frame. @returns a function that ends it. */
  attach(frame: HTMLIFrameElement): () => void
  order(order: PreviewOrder): void
  pick(on: boolean): void
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

const NOTHING: SessionState = {
  isHeard: false,
  place: null,
  errors: [],
  console: [],
  consoleCounts: { error: 0, warn: 0, all: 0 },
  openedHmr: null,
  isPicking: false,
  pointed: null,
  outline: null,
  missing: [],
  forgedCount: 0,
}

const MOST_LINES = 200
const MOST_CLAIMS = 5
const CLAIMS_MS = 1_000
const TELL_MS = 250
const MOST_WAITING = 50

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
      const since = Date.now() - told.at
      const errors = told.errors.map((error) => ({
        ...error,
        firstMsAgo: error.firstMsAgo + since,
        lastMsAgo: error.lastMsAgo + since,
      }))
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
    const isOurs = claims.length <= MOST_CLAIMS && (await isConfirmed(said.data.secret))
    if (!isOurs) {
      offered.close()
      set({ forgedCount: state.forgedCount + 1 })
      return
    }
    port?.close()
    port = offered
    told = { errors: [], at: Date.now() }
    loaded = null
    set({
      isHeard: true,
      errors: [],
      console: [],
      consoleCounts: NOTHING.consoleCounts,
      outline: null,
      openedHmr: null,
    })
    offered.onmessage = ({ data }) => hear(data)
    for (const data of waiting) hear(data)
    if (state.isPicking) order({ type: 'pick', on: true })
  }

  async function isConfirmed(secret: string): Promise<boolean> {
    try {
      await client.claimPreview(previewId, secret)
      return true
    } catch {
      return false
    }
  }

  function hear(data: unknown): void {
    const parsed = PreviewTold.safeParse(data)
    if (!parsed.success) return
    const heard = parsed.data
    switch (heard.type) {
      case 'place': {
        const { type: _type, isLoaded, ...place } = heard
        set({ place })
        if (!isLoaded) return
        loaded = { at: Date.now(), status: place.status }
        tellServer()
        return
      }
      case 'errors':
        told = { errors: heard.errors, at: Date.now() }
        tellServer()
        return
      case 'console': {
        const { error, warn, all } = state.consoleCounts
        const sum = (level?: ConsoleLine['level']) =>
          heard.lines.reduce((total, line) => total + (level === undefined || line.level === level ? line.count : 0), 0)
        set({
          console: [...state.console, ...heard.lines].slice(-MOST_LINES),
          consoleCounts: {
            error: error + sum('error'),
            warn: warn + sum('warn'),
            all: all + sum() + heard.droppedCount,
          },
        })
        return
      }
      case 'hmr':
        set({ openedHmr: heard.openCount })
        return
      case 'pointed':
        set({ pointed: { label: heard.label, path: heard.path } })
        return
      case 'picked':
        // Only while a person picks: a document that would say so by itself is not heard.
        if (state.isPicking || state.outline !== null) void picked(heard.element, heard.goesOn)
        return
      case 'pick-ended':
        set({ isPicking: false, pointed: null })
        return
      case 'outline':
        set({ outline: heard.nodes })
        return
      case 'flashed': {
        const { selector, found } = heard
        const others = state.missing.filter((one) => one !== selector)
        set({ missing: found ? others : [...others, selector] })
      }
    }
  }

  async function picked(element: PickedElement, goesOn: boolean): Promise<void> {
    if (!goesOn) set({ isPicking: false, pointed: null })
    const { selector, html, url, label, text, role, hint } = element
    const source = hint === undefined ? null : await client.findSource(previewId, hint).catch(() => null)
    deps.onPicked(
      {
        type: 'element',
        selector,
        html,
        url,
        ...(text === undefined ? { text: label } : { text }),
        ...(role === undefined ? {} : { role }),
        ...(source === null ? {} : { source }),
      },
      goesOn,
    )
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
    pick(on) {
      set({ isPicking: on, pointed: null })
      order({ type: 'pick', on })
    },
    clearConsole: () => set({ console: [], consoleCounts: NOTHING.consoleCounts }),
    clearOutline: () => set({ outline: null }),
  }
  return session
}
