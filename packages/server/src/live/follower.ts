import {
  applyDelta,
  DamagedLogError,
  type Draft,
  type DraftDelta,
  type DraftStore,
  type Entry,
  type EntryLog,
  type EntryPage,
  emptyDraft,
  type Overview,
} from '@holdfast/conversation'
import type { Engine, LiveBus, LiveMessage } from '@holdfast/engine'
import type { ServerFrame } from '@holdfast/protocol'
import { createDraftPosition } from './draft-position.ts'
import type { Outlet } from './outlet.ts'

/** A reader of one conversation. */
export interface Follower {
  /** Reads what the bus may have lost, and says up to where the reader has the log. */
  verify(): void
  close(): void
}

/** What a follower needs. */
export interface FollowerDeps {
  readonly conversationId: string
  /** The reader's cursor: `seq` of the last entry it has. */
  readonly after: number
  /** Of a longer log only the end is sent, after its overview; absent: all after the cursor. */
  readonly tail?: Tail
  /** Whether of the open step only what is durable is sent; absent: all that is published. [RUN3] */
  readonly keptOnly?: boolean
  readonly bus: LiveBus
  readonly store: Pick<EntryLog, 'read'> & Pick<DraftStore, 'readDrafts'>
  readonly engine: Pick<Engine, 'openDraft'>
  readonly outlet: Outlet
  /** Called once, when the log cannot be read any further. The follower is closed by then. */
  readonly onFailure: (error: unknown) => void
}

/** How much of a long log's end is sent. */
export interface Tail {
  readonly entryCount: number
  readonly readOverview: () => Promise<Overview>
}

const PAGE_ENTRIES = 200
/** What one line holds for a reader who does not take it: a page is on its way before the next is read, and others come in between. */
const PAGE_BYTES = 256 * 1_024

/**
 * Sends every entry after the cursor once and in order, then the open step, then all that happens. [SYNC1]
 *
 * It hears the bus before it reads the store, so nothing falls between the two. What the bus says is used
 * only where it continues the cursor; anything else is read from the store.
 */
export function createFollower(deps: FollowerDeps): Follower {
  const { conversationId, bus, store, engine, outlet } = deps
  const sentDraft = createDraftPosition()
  let phase: 'reading' | 'live' | 'closed' = 'reading'
  let cursor = deps.after
  /** The highest `seq` that the bus has named. */
  let heardOf = deps.after
  /** The step that ended last; what comes late of it is not sent. */
  let closedStepId: string | null = null

  const unsubscribe = bus.subscribe(conversationId, onMessage)
  let isFirst = true
  let readingDraft = false
  let draftIsOld = false
  void open()

  function onMessage(message: LiveMessage): void {
    switch (message.type) {
      case 'entries':
        onEntries(message.entries)
        return
      case 'delta':
        if (phase === 'live' && !deps.keptOnly) onDelta(message.delta)
        return
      case 'kept-deltas':
        if (phase === 'live' && deps.keptOnly) for (const delta of message.deltas) onDelta(delta)
        return
      case 'erased':
      case 'write-failed':
        if (!isClosed()) outlet.send(message)
        return
      case 'grown':
        return
      case 'progress':
        if (phase === 'live') outlet.send(message)
        return
    }
  }

  function onEntries(entries: readonly Entry[]): void {
    const last = entries.at(-1)
    if (!last || last.seq <= cursor) return
    heardOf = Math.max(heardOf, last.seq)
    if (phase !== 'live') return
    // Most often all are new: then every reader is sent the same ones, and they are encoded once.
    const fresh = entries[0]?.seq === cursor + 1 ? entries : entries.filter((entry) => entry.seq > cursor)
    if (fresh[0]?.seq === cursor + 1) sendEntries(fresh)
    else void read()
  }

  function onDelta(delta: DraftDelta): void {
    if (delta.stepId === closedStepId) return
    switch (sentDraft.take(delta)) {
      case 'next':
        outlet.send(deltaFrame(conversationId, delta))
        return
      case 'gap':
        // Of a step that runs on another server only what is durable can be read.
        if (engine.openDraft(conversationId)) sendOpenDraft()
        else sendKept()
        return
      case 'known':
        return
    }
  }

  async function open(): Promise<void> {
    try {
      if (deps.tail) await skipToTail(deps.tail)
      if (!isClosed()) await read()
    } catch (error) {
      fail(error)
    }
  }

  /** A damaged log has no overview beyond its damage: it is read from its beginning up to there. [LOG7] */
  async function skipToTail({ entryCount, readOverview }: Tail): Promise<void> {
    try {
      const overview = await readOverview()
      if (isClosed() || overview.head - cursor <= entryCount) return
      cursor = overview.head - entryCount
      outlet.send({ type: 'overview', conversationId, overview, from: cursor + 1 })
    } catch (error) {
      if (!(error instanceof DamagedLogError)) throw error
    }
  }

  function fail(error: unknown): void {
    if (isClosed()) return
    close()
    deps.onFailure(error)
  }

  async function read(): Promise<void> {
    phase = 'reading'
    try {
      for (;;) {
        const heardBefore = heardOf
        const head = await sendPage()
        if (isClosed()) return
        await outlet.drained()
        if (isClosed()) return
        // An empty page may be older than what the bus has named meanwhile; of what it named before, the store has nothing.
        const knownHead = head.isOfEntries ? Math.max(head.seq, heardOf) : cursor
        if (cursor < knownHead || heardOf > Math.max(heardBefore, cursor)) continue
        if (isFirst && !engine.openDraft(conversationId)) {
          isFirst = false
          await readStoredDraft()
          continue
        }
        phase = 'live'
        sendOpenDraft()
        outlet.send({ type: 'caught-up', conversationId, head: head.isOfEntries ? cursor : head.seq })
        return
      }
    } catch (error) {
      fail(error)
    }
  }

  /** Nothing of a page is held here while its reader takes it. @returns the head of the log, and whether there was an entry. */
  async function sendPage(): Promise<{ readonly seq: number; readonly isOfEntries: boolean }> {
    const { entries, head } = await readPage()
    if (!isClosed()) sendEntries(entries)
    return { seq: head, isOfEntries: entries.length > 0 }
  }

  /** A damaged log is read up to its damage; the read after that fails. [LOG7] */
  async function readPage(): Promise<EntryPage> {
    try {
      return await store.read({ conversationId, after: cursor, limit: PAGE_ENTRIES, maxBytes: PAGE_BYTES })
    } catch (error) {
      if (!(error instanceof DamagedLogError) || error.firstBadSeq <= cursor + 1) throw error
      return store.read({ conversationId, after: cursor, limit: error.firstBadSeq - 1 - cursor, maxBytes: PAGE_BYTES })
    }
  }

  function sendEntries(entries: readonly Entry[]): void {
    const last = entries.at(-1)
    if (!last) return
    cursor = last.seq
    for (const entry of entries) {
      if (entry.type === 'step-finished' || entry.type === 'step-failed') closedStepId = entry.stepId
    }
    outlet.send(entriesFrame(conversationId, entries))
  }

  /** What streamed of a step that does not run here: another replica has it, or recovery will close it. */
  async function readStoredDraft(): Promise<void> {
    const stored = (await store.readDrafts(conversationId)).at(-1)
    if (!stored || isClosed()) return
    let draft = emptyDraft(stored.stepId)
    for (const delta of stored.deltas) draft = applyDelta(draft, delta).draft
    sendDraft(draft)
  }

  /** What was published of the open step, or of that what is durable. */
  function sendOpenDraft(): void {
    if (!deps.keptOnly) sendDraft(engine.openDraft(conversationId))
    else sendKept()
  }

  function sendKept(): void {
    if (readingDraft) draftIsOld = true
    else void readKept()
  }

  /** A delta that became durable during a reading may be missing from it: it is read once more. */
  async function readKept(): Promise<void> {
    readingDraft = true
    try {
      do {
        draftIsOld = false
        await readStoredDraft()
      } while (draftIsOld && !isClosed())
    } catch (error) {
      fail(error)
    } finally {
      readingDraft = false
    }
  }

  function sendDraft(draft: Draft | null): void {
    if (!draft || draft.stepId === closedStepId || sentDraft.covers(draft)) return
    sentDraft.moveTo(draft)
    const offset = draft.blocks.reduce((sum, { text }) => sum + text.length, 0)
    outlet.send({ type: 'draft', conversationId, stepId: draft.stepId, blocks: draft.blocks.slice(), offset })
  }

  function isClosed(): boolean {
    return phase === 'closed'
  }

  function close(): void {
    phase = 'closed'
    unsubscribe()
  }

  return {
    verify() {
      if (phase !== 'live') return
      // A bus that hears of others looks for what it has missed by itself, once for all who follow. [SCALE11]
      if (bus.tellsOfOthers()) outlet.send({ type: 'caught-up', conversationId, head: cursor })
      else void read()
    },
    close,
  }
}

/** The bus hands one message to every follower, one after the other: they share its frame, and so its encoded form. */
const deltaFrame = sharedFrame<DraftDelta>((conversationId, delta) => ({ type: 'delta', conversationId, ...delta }))
const entriesFrame = sharedFrame<readonly Entry[]>((conversationId, entries) => ({
  type: 'entries',
  conversationId,
  entries: entries.slice(),
}))

function sharedFrame<Content>(
  toFrame: (conversationId: string, content: Content) => ServerFrame,
): (conversationId: string, content: Content) => ServerFrame {
  let last: { readonly conversationId: string; readonly content: Content; readonly frame: ServerFrame } | null = null
  return (conversationId, content) => {
    if (last?.content === content && last.conversationId === conversationId) return last.frame
    const frame = toFrame(conversationId, content)
    last = { conversationId, content, frame }
    return frame
  }
}
