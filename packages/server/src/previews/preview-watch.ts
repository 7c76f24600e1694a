import { AUTO_FIX, type Clock, type InputPart, MOST_PREVIEW_ERRORS, waitFor } from '@holdfast/conversation'
import { type Engine, UnknownConversationError } from '@holdfast/engine'
import { createSourceFinder, type SourceFinder, type SourcePlace, signatureOf } from '@holdfast/preview-source'
import {
  type BodyOf,
  type PreviewErrorRow,
  type PreviewRow,
  previewErrorText,
  type routes,
  type SourceHint,
  type ToldError,
} from '@holdfast/protocol'
import type { Desks } from '../parts/desks.ts'
import type { Diagnostics } from '../parts/diagnostics.ts'

/** Where what a preview shows comes from. */
export interface WatchedSources {
  /** The real path of its place. */
  readonly root: string
  /** The folder in it that addresses of its pages mean. */
  readonly folder: string
  /** Reads the text of a path as its pages get it, null where there is none; null itself where that is the file as it is. */
  readonly read: ((path: string, signal: AbortSignal) => Promise<string | null>) | null
}

/** A preview with its sources; null where it has no place. */
export interface WatchedPreview {
  readonly row: PreviewRow
  readonly sources: WatchedSources | null
}

/** What a page has heard of a preview. */
export interface ToldOfPreview {
  readonly userId: string
  readonly conversationId: string | null
  readonly errors: readonly ToldError[]
  readonly loaded: { readonly msAgo: number; readonly status: number } | null
}

/** Keeps what previews told of themselves, and lets auto-fix look at it. [PREV5, WS4] */
export interface PreviewWatch {
  tell(preview: WatchedPreview, told: ToldOfPreview): Promise<readonly PreviewErrorRow[]>
  errorsOf(userId: string, previewId: string): readonly PreviewErrorRow[]
  sourceOf(preview: WatchedPreview, hint: SourceHint): Promise<BodyOf<typeof routes.findPreviewSource, 200>['source']>
  /** Looks at nothing any more. */
  close(): void
}

/** What it needs. */
export interface PreviewWatchDeps {
  readonly engine: Pick<Engine, 'mendPreview'>
  readonly desks: Pick<Desks, 'read'>
  readonly clock: Clock
  readonly log: Pick<Diagnostics, 'error'>
}

interface Seen {
  errors: readonly PreviewErrorRow[]
  /** When each signature was seen first, over all that was loaded meanwhile. */
  readonly firstSeen: Map<string, number>
  loaded: { readonly at: number; readonly status: number } | null
  readonly finder: SourceFinder | null
  readonly port: number | null
}

const MOST_SEEN = 200
const MOST_SIGNATURES = 500
const FIND_MS = 3_000
const URL_CHARS = 500

/** Makes one for a server. */
export function createPreviewWatch({ engine, desks, clock, log }: PreviewWatchDeps): PreviewWatch {
  const seenBy = new Map<string, Seen>()
  const waits = new Map<string, AbortController>()
  let isClosed = false

  function seenOf(userId: string, preview: WatchedPreview): Seen {
    const { row } = preview
    const key = keyOf(userId, row.id)
    const known = seenBy.get(key)
    if (known && known.port === row.port) return known
    const [oldest] = seenBy.keys()
    if (oldest !== undefined && seenBy.size >= MOST_SEEN) seenBy.delete(oldest)
    const seen: Seen = {
      errors: known?.errors ?? [],
      firstSeen: known?.firstSeen ?? new Map(),
      loaded: known?.loaded ?? null,
      finder: finderOf(preview),
      port: row.port,
    }
    seenBy.set(key, seen)
    return seen
  }

  async function rowsOf(seen: Seen, told: readonly ToldError[]): Promise<PreviewErrorRow[]> {
    const signal = AbortSignal.timeout(FIND_MS)
    const now = clock.now()
    const rows = new Map<string, PreviewErrorRow>()
    for (const error of told) {
      const { kind, name, message, stack, count } = error
      const place = stack === undefined ? null : await foundIn(seen.finder, stack, signal)
      const signature = signatureOf({ kind, name, message, place })
      const first = Math.min(seen.firstSeen.get(signature) ?? Number.POSITIVE_INFINITY, now - error.firstMsAgo)
      if (seen.firstSeen.size < MOST_SIGNATURES) seen.firstSeen.set(signature, first)
      const before = rows.get(signature)
      rows.set(signature, {
        signature,
        kind,
        name,
        message,
        count: count + (before?.count ?? 0),
        firstSeenAt: first,
        lastSeenAt: Math.max(before?.lastSeenAt ?? 0, now - error.lastMsAgo),
        place,
      })
    }
    return [...rows.values()].slice(0, MOST_PREVIEW_ERRORS)
  }

  /** Errors that a whole document was without are mended: the next time they come for the first time again. [PREV5] */
  function forgetMended({ loaded, errors, firstSeen }: Seen, nextAt: number): void {
    if (loaded === null || loaded.status !== 200 || nextAt - loaded.at < AUTO_FIX.cleanMs) return
    // It is told of anew while it stands, and its time differs by little.
    const still = new Set(errors.map(({ signature }) => signature))
    for (const signature of firstSeen.keys()) if (!still.has(signature)) firstSeen.delete(signature)
  }

  /** Asks auto-fix what it does now, and again when it says so. */
  async function mend(asked: { userId: string; conversationId: string; preview: WatchedPreview }): Promise<void> {
    const { userId, conversationId, preview } = asked
    if (isClosed) return
    waits.get(conversationId)?.abort()
    waits.delete(conversationId)
    const seen = seenOf(userId, preview)
    const { content } = await desks.read({ userId, conversationId })
    const mended = await engine.mendPreview({
      conversationId,
      seen: { previewId: preview.row.id, errors: seen.errors, loaded: seen.loaded, isWriting: content.length > 0 },
      contentOf: (attempt, signatures) => repairContent(attempt, { row: preview.row, signatures, errors: seen.errors }),
    })
    if (mended.type !== 'waits' || isClosed) return
    const wait = new AbortController()
    waits.get(conversationId)?.abort()
    waits.set(conversationId, wait)
    await waitFor(clock, Math.max(1, mended.untilMs - clock.now()), wait.signal)
    if (!wait.signal.aborted) await mend(asked)
  }

  return {
    async tell(preview, { userId, conversationId, errors, loaded }) {
      const seen = seenOf(userId, preview)
      const now = loaded === null ? null : { at: clock.now() - loaded.msAgo, status: loaded.status }
      forgetMended(seen, now?.at ?? clock.now())
      seen.loaded = now
      seen.errors = await rowsOf(seen, errors)
      if (conversationId !== null)
        mend({ userId, conversationId, preview }).catch((error: unknown) => {
          if (!(error instanceof UnknownConversationError)) log.error('auto-fix cannot look at a preview', { error })
        })
      return seen.errors
    },
    errorsOf: (userId, previewId) => seenBy.get(keyOf(userId, previewId))?.errors ?? [],
    async sourceOf(preview, { framework, stack, file, line, column, component, isNear }) {
      const finder = finderOf(preview)
      if (finder === null) return null
      const named = component === undefined ? {} : { component }
      if (file !== undefined) {
        const place = await finder.ofFile({ file, line: line ?? 1, column: column ?? 0 })
        if (place === null) return null
        const certainty = framework === 'vue' || line === undefined ? 'file' : isNear ? 'near' : 'exact'
        return { ...place, ...named, certainty }
      }
      const place = stack === undefined ? null : await finder.ofStack(stack, AbortSignal.timeout(FIND_MS))
      return place === null ? null : { ...place, ...named, certainty: isNear ? 'near' : 'exact' }
    },
    close() {
      isClosed = true
      for (const wait of waits.values()) wait.abort()
    },
  }
}

function keyOf(userId: string, previewId: string): string {
  return JSON.stringify([userId, previewId])
}

/** A stack that leads nowhere is no fault: the error is shown without a place. */
async function foundIn(finder: SourceFinder | null, stack: string, signal: AbortSignal): Promise<SourcePlace | null> {
  if (finder === null || signal.aborted) return null
  return finder.ofStack(stack, signal)
}

function finderOf({ sources }: WatchedPreview): SourceFinder | null {
  return sources === null ? null : createSourceFinder(sources)
}

interface Repair {
  readonly row: PreviewRow
  readonly signatures: readonly string[]
  readonly errors: readonly PreviewErrorRow[]
}

/** What an attempt says: who says it, and the errors as data. [REQ7] */
function repairContent(attempt: number, { row, signatures, errors }: Repair): InputPart[] {
  const words =
    `Auto-fix ${attempt}/${AUTO_FIX.mostAttempts}: the preview of this folder shows errors since the last edit. ` +
    'Find the cause and mend it in the files; change nothing else. The errors follow as data of the page.'
  return [
    { type: 'text', text: words },
    ...errors
      .filter(({ signature }) => signatures.includes(signature))
      .map(
        (error): InputPart => ({ type: 'error', text: previewErrorText(error), url: row.origin.slice(0, URL_CHARS) }),
      ),
  ]
}
