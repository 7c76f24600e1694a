import type { AttachmentApi, ConversationContext, ConversationState, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { RunState } from '@holdfast/conversation'
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type CustomItemComponentProps, Virtualizer, type VirtualizerHandle } from 'virtua'
import { firstPendingAt, pendingSlips } from '../composer/pending.ts'
import { type MessageTarget, useMessageTarget } from '../shared/address.ts'
import { timeOfDay } from '../shared/format.ts'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { PressableRows } from '../shared/pressable-rows.tsx'
import { useSystemEntries } from '../shared/system-entries.ts'
import { AsideLine } from './aside-line.tsx'
import { CheckpointCard } from './checkpoint/checkpoint-card.tsx'
import { SummarisingCard } from './checkpoint/summarising-card.tsx'
import { RestoredLine } from './files/restored-line.tsx'
import { onFindAsked } from './find/ask-to-find.ts'
import { firstParts } from './first-parts.ts'
import { LineEntry, WindowLine } from './line-entry.tsx'
import type { ThreadActs } from './message/thread-acts.ts'
import { keepPlace, keptPlace, type ReadingPlace } from './reading-place.ts'
import { type ThreadPart, threadParts } from './thread-parts.ts'
import { Turn } from './turn.tsx'
import { useFollowScroll } from './use-follow-scroll.ts'
import { useOpenRows } from './use-open-rows.ts'

const FindBar = later(async () => (await import('./find/find-bar.tsx')).FindBar)

/** Up to so many parts all are in the page, so that the browser's own search finds them. */
const WHOLE_PARTS = 300

/** How far beyond the view parts are in the page, in pixels: all of them, or a few screens. */
const BUFFER_PX = { whole: 1_000_000, few: 1_200 } as const

/** What is far from the view comes into the page so long after the end is shown, in milliseconds. */
const WHOLE_AFTER_MS = 250

/** A row that nobody has seen is taken for so high, in pixels: one long reply is no measure for those to come. */
const UNSEEN_PX = 160

/** A row that was scrolled to is drawn within so many frames, or not at all. */
const REVEAL_FRAMES = 120

/** Rows around it are still measured for so many frames, and move it. */
const STEADY_FRAMES = 10

interface ThreadProps {
  readonly store: ConversationStore
  readonly context: ConversationContext
  readonly acts: ThreadActs
  readonly attachments: AttachmentApi
  readonly children: React.ReactNode
}

/** The conversation as far as it is here: settled turns, the one being written, and what is on its way. */
export function Thread({ store, context, acts, attachments, children }: ThreadProps) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const window = useConversation(store, (state) => state.window)
  const path = useConversation(store, (state) => state.overview.path.segments)
  const head = useConversation(store, (state) => state.overview.path.head)
  const runState = useConversation(store, (state) => state.overview.runState)
  const [showsAsides] = useSystemEntries()
  const all = useMemo(() => threadParts(window, { segments: path, head }), [window, path, head])
  // While earlier ones are still to come, rows that are all drawn would push the text in view away.
  const isWhole = useRested(
    useConversation(store, (state) => state.caughtUp && state.window.firstSeq === 1),
    WHOLE_AFTER_MS,
  )
  const target = useMessageTarget()
  const [opening] = useState(() => (target === null ? keptPlace(conversationId) : null))
  const place = usePlaceHere(store, opening)
  const hasShownFirst = useRested(window.items.length > 0 && place !== 'awaited', WHOLE_AFTER_MS)
  const [isFinding, setFinding] = useState(false)
  useEffect(() => onFindAsked(() => setFinding(true)), [])
  const isFirst = !hasShownFirst && target === null && !isFinding
  const parts = useMemo(() => {
    const wanted = showsAsides ? all : all.filter(({ type }) => type !== 'aside')
    if (!isFirst) return wanted
    if (place === 'awaited') return []
    return place === null ? firstParts(wanted, innerHeight) : wanted.slice(messageAt(wanted, place.seq)?.index ?? 0)
  }, [all, showsAsides, isFirst, place])
  const lastTurn = parts.findLast((part) => part.type === 'turn')
  const onPlace = useCallback((read: ReadingPlace | null) => keepPlace(conversationId, read), [conversationId])
  const follow = useFollowScroll({ key: conversationId, place: opening, onPlace })
  const growsAtStart = useGrowthAtStart(parts)
  const sentId = useConversation(store, lastSentId)
  const slipKey = useConversation(store, lastSlipKey)
  const newCount = useNewCount(store, follow.isPinned)
  const virtualizer = useRef<VirtualizerHandle>(null)
  useShownTarget({
    target,
    isHere: useConversation(store, (state) => isWindowAt(state, target?.seq ?? 0)),
    loadOlder: store.loadOlder,
    reveal,
  })
  const shownParts = useRef(parts)
  useLayoutEffect(() => {
    shownParts.current = parts
  }, [parts])
  const revealRound = useRef(0)
  async function reveal(seq: number): Promise<HTMLElement | null> {
    revealRound.current += 1
    const round = revealRound.current
    let foundIn = 0
    let sought: number | null = null
    for (let frame = 0; frame < REVEAL_FRAMES; frame += 1) {
      // What opens with the conversation takes its focus first, and its place at the end.
      await new Promise((resolve) => requestAnimationFrame(resolve))
      // Another one was asked for meanwhile.
      if (revealRound.current !== round) return null
      // Looked up in each frame: parts that come before it meanwhile give it another index.
      const message = messageAt(shownParts.current, seq)
      if (!message) return null
      if (message.seq !== sought) foundIn = frame
      sought = message.seq
      follow.release()
      const element = follow.scroller.current?.querySelector<HTMLElement>(`[data-seq="${message.seq}"]`)
      if (element) {
        element.scrollIntoView({ block: 'center' })
        if (frame - foundIn >= STEADY_FRAMES) return element
        continue
      }
      foundIn = frame + 1
      virtualizer.current?.scrollToIndex(message.index, { align: 'center' })
    }
    return null
  }
  const { scroller, toEnd, showSent, hold, openAt, changed } = follow
  useLayoutEffect(() => {
    if (sentId !== null) toEnd()
  }, [sentId, toEnd])
  useLayoutEffect(() => {
    if (slipKey !== null) showSent()
  }, [slipKey, showSent])
  const placeSeq = place === null || place === 'awaited' ? null : place.seq
  const placeTop = place === null || place === 'awaited' ? 0 : place.topPx
  // What is held must be there to be held, also in the moment in which what is before it comes.
  const { indexes: openIndexes, onAct } = useOpenRows(useMemo(() => parts.map(keyOf), [parts]))
  const kept = useMemo(() => {
    const held = placeSeq === null ? null : messageAt(parts, placeSeq)
    return held === null ? openIndexes : [...openIndexes, held.index]
  }, [parts, placeSeq, openIndexes])
  useLayoutEffect(() => {
    if (placeSeq !== null) openAt(() => messageIn(scroller.current, placeSeq), placeTop)
  }, [placeSeq, placeTop, openAt, scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other parts move what is in view
  useLayoutEffect(changed, [parts, changed])

  /** Another branch is shown around the place at which they are compared: that stays where it is. [UI12] */
  function holdBranch(event: MouseEvent): void {
    const view = scroller.current
    const chosen = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-branch]') : null
    const branch = chosen?.dataset['branch']
    if (!view || !chosen || branch === undefined) return
    const topPx = chosen.getBoundingClientRect().top - view.getBoundingClientRect().top
    hold(() => view.querySelector(`[data-branch="${CSS.escape(branch)}"]`), topPx)
  }
  return (
    <div className="thread-frame">
      {isFinding && (
        <Suspense fallback={null}>
          <FindBar
            store={store}
            view={scroller}
            reveal={reveal}
            onClose={() => {
              setFinding(false)
              scroller.current?.focus({ preventScroll: true })
            }}
          />
        </Suspense>
      )}
      <div
        ref={follow.scroller}
        className="thread"
        role="log"
        aria-live="off"
        aria-label={say('common.conversation')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard
        tabIndex={0}
        data-pinned={follow.isPinned}
        onKeyDown={onThreadKey}
        onClickCapture={holdBranch}
      >
        <div className="column">
          <div ref={follow.content}>
            {parts.length === 0 && window.firstSeq === 1 && children}
            <div ref={follow.rows} onPointerDownCapture={onAct} onFocusCapture={onAct}>
              <Virtualizer
                ref={virtualizer}
                scrollRef={follow.scroller}
                as={PressableRows}
                item={Row}
                itemSize={UNSEEN_PX}
                shift={growsAtStart}
                keepMounted={kept}
                bufferSize={isWhole && parts.length <= WHOLE_PARTS ? BUFFER_PX.whole : BUFFER_PX.few}
              >
                {parts.map((part) => (
                  <Part
                    key={keyOf(part)}
                    part={part}
                    store={store}
                    context={context}
                    acts={acts}
                    attachments={attachments}
                    runState={runState}
                    isNewest={part === lastTurn}
                  />
                ))}
              </Virtualizer>
            </div>
            <SummarisingCard store={store} />
            <PendingSlips store={store} />
          </div>
          <div ref={follow.room} aria-hidden="true" />
        </div>
      </div>
      {(window.items.length === 0 || !isFirst || place !== null) && (
        <OlderPages store={store} scroller={follow.scroller} />
      )}
      {follow.offersJump && (
        <button type="button" className="button jump" data-testid="jump-latest" onClick={follow.jump}>
          <Icon name="down" />
          {newCount === 0 ? say('message.jump-to-latest') : say('message.jump-to-latest-new', { count: newCount })}
        </button>
      )}
    </div>
  )
}

/** A row of the thread, which says its place. */
function Row({ index, style, children, ref }: CustomItemComponentProps) {
  return (
    <div ref={ref} style={style} data-row={index}>
      {children}
    </div>
  )
}

interface PartProps extends Omit<ThreadProps, 'children'> {
  readonly part: ThreadPart
  readonly runState: RunState
  readonly isNewest: boolean
}

function Part({ part, store, context, acts, attachments, runState, isNewest }: PartProps) {
  const { exclusive } = runState
  switch (part.type) {
    case 'turn':
      return (
        <Turn
          turn={part}
          store={store}
          context={context}
          acts={acts}
          attachments={attachments}
          open={exclusive?.runId === part.runId ? exclusive : null}
          isBusy={exclusive !== null}
          isNewest={isNewest}
        />
      )
    case 'checkpoint':
      return <CheckpointCard part={part} context={context} acts={acts} isBusy={exclusive !== null} />
    case 'window':
      return <WindowLine leftOutCount={part.leftOutCount} />
    case 'aside':
      return <AsideLine item={part.item} />
    case 'line':
      return part.item.state !== 'erased' && part.item.code === 'files-restored' ? (
        <RestoredLine item={part.item} acts={acts} isBusy={exclusive !== null} />
      ) : (
        <LineEntry item={part.item} store={store} setAside={part.setAside} acts={acts} isBusy={exclusive !== null} />
      )
  }
}

/** The newest message that is on its way: whoever sends one wants to see what becomes of it. */
function lastSentId({ outbox }: ConversationState): string | null {
  return outbox.findLast(({ command }) => command.name === 'send-message')?.command.commandId ?? null
}

/** The newest message that waits in the thread itself for its turn to begin. */
function lastSlipKey({ outbox, overview }: ConversationState): string | null {
  return pendingSlips(outbox, overview).at(-1)?.key ?? null
}

/** The message that begins at an entry, where it is drawn. */
function messageIn(view: HTMLElement | null, seq: number): Element | null {
  return view?.querySelector(`[data-seq="${seq}"]`) ?? null
}

type PlaceAt = Extract<ReadingPlace, { type: 'at' }>

/** The place to open at, once its entries are here: earlier pages are read for it. Null for the end, and where they cannot be read. */
function usePlaceHere(store: ConversationStore, opening: ReadingPlace | null): PlaceAt | 'awaited' | null {
  const place = opening?.type === 'at' ? opening : null
  const seq = place?.seq ?? null
  const hasFailed = useConversation(store, ({ older }) => older === 'failed')
  const isHere = useConversation(store, (state) => seq === null || isWindowAt(state, seq) === true)
  const isMissing = useConversation(store, (state) => seq !== null && isWindowAt(state, seq) === false)
  const isReading = useConversation(store, ({ older }) => older === 'loading')
  const firstSeq = useConversation(store, ({ window }) => window.firstSeq)
  // Each page that came asks for the next one: its reading may have begun and ended between two renderings.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that came is known by the first entry
  useEffect(() => {
    if (isMissing && !isReading) store.loadOlder()
  }, [isMissing, isReading, firstSeq, store])
  if (place === null || hasFailed) return null
  return isHere ? place : 'awaited'
}

/** How many messages and steps have come since the view was left standing. */
function useNewCount(store: ConversationStore, isPinned: boolean): number {
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => setSince(isPinned ? null : (store.getSnapshot().window.items.at(-1)?.seq ?? 0)), [store, isPinned])
  return useConversation(store, ({ window: { items } }) => {
    if (since === null) return 0
    const known = items.findLastIndex(({ seq }) => seq <= since)
    return items.slice(known + 1).filter(({ role }) => role === 'user' || role === 'assistant' || role === 'error')
      .length
  })
}

/** Whether the entries from this one on are here; null while that cannot be said, or nothing more can be read. */
function isWindowAt({ window, caughtUp, older }: ConversationState, seq: number): boolean | null {
  if (!caughtUp || older === 'failed') return null
  return window.firstSeq <= Math.max(1, seq)
}

/** The message that an entry belongs to, and its part: what was found may be a title, or a piece of it. */
function messageAt(parts: readonly ThreadPart[], seq: number): { readonly index: number; readonly seq: number } | null {
  const messages = parts.flatMap((part, index) => {
    if (part.type !== 'turn') return []
    const first = part.items.find(({ role }) => role !== 'user')
    return part.items.filter((item) => item.role === 'user' || item === first).map((item) => ({ index, seq: item.seq }))
  })
  return messages.findLast((message) => message.seq <= seq) ?? messages[0] ?? null
}

/** Whether parts have come before those of the last rendering: then what is in view must stay there. */
function useGrowthAtStart(parts: readonly ThreadPart[]): boolean {
  const before = useRef<readonly ThreadPart[]>([])
  const [first] = before.current
  const grows = first !== undefined && parts[0] !== undefined && keyOf(parts[0]) !== keyOf(first)
  useLayoutEffect(() => {
    before.current = parts
  }, [parts])
  return grows
}

function keyOf(part: ThreadPart): string {
  switch (part.type) {
    case 'turn':
      return part.runId
    case 'window':
      return 'window'
    case 'checkpoint':
    case 'aside':
    case 'line':
      return String(part.item.seq)
  }
}

/** What was sent and is not in the log yet, or waits for its run to start. */
function PendingSlips({ store }: { readonly store: ConversationStore }) {
  const outbox = useConversation(store, (state) => state.outbox)
  const overview = useConversation(store, (state) => state.overview)
  const slips = pendingSlips(outbox, overview)
  return slips.map(({ key, text }) => (
    <section key={key} className="turn" data-testid="turn" data-state="submitting">
      <article className="entry-row" data-testid="msg-user">
        <div className="ledger">
          <span className="time">{timeOfDay(firstPendingAt(overview) ?? Date.now())}</span>
        </div>
        <div className="slip pending">
          <div className="words" dir="auto">
            {text}
          </div>
        </div>
      </article>
    </section>
  ))
}

/** Nearer to the top than this the page before is read, in pixels: a few screens, so that a quick reader does not reach the top before it. */
const READ_AHEAD_PX = 5_000

interface OlderPagesProps {
  readonly store: ConversationStore
  readonly scroller: RefObject<HTMLDivElement | null>
}

/** Reads earlier pages as the reader comes near them, and says so where it takes a while. */
function OlderPages({ store, scroller }: OlderPagesProps) {
  const older = useConversation(store, (state) => state.older)
  const isCaughtUp = useConversation(store, (state) => state.caughtUp)
  const firstSeq = useConversation(store, (state) => state.window.firstSeq)
  const hasOlder = firstSeq > 1

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that came between two renderings is known by the first entry
  useEffect(() => {
    const element = scroller.current
    if (!element || !hasOlder || !isCaughtUp || older !== 'idle') return
    function readIfNear(): void {
      if (element && element.scrollTop < READ_AHEAD_PX) store.loadOlder()
    }
    const frame = requestAnimationFrame(readIfNear)
    element.addEventListener('scroll', readIfNear, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener('scroll', readIfNear)
    }
  }, [store, scroller, hasOlder, firstSeq, isCaughtUp, older])

  if (older === 'idle') return null
  return (
    <p className="older" role="status" data-testid="older-pages" data-state={older}>
      {older === 'loading' ? (
        say('page.reading-earlier-messages')
      ) : (
        <>
          {say('page.earlier-messages-could-not-be')}
          <button type="button" className="link-button" onClick={store.loadOlder}>
            {say('common.try-again')}
          </button>
        </>
      )}
    </p>
  )
}

/** Whether something has been so for a while. Once it has, that stays. */
function useRested(isSo: boolean, restMs: number): boolean {
  const [hasRested, setRested] = useState(false)
  useEffect(() => {
    if (!isSo || hasRested) return
    const timer = setTimeout(() => setRested(true), restMs)
    return () => clearTimeout(timer)
  }, [isSo, hasRested, restMs])
  return hasRested
}

/** How long a message that was looked for stays marked, in milliseconds. */
const MARKED_MS = 2_000

/** What showing a message needs. */
interface ShowTarget {
  readonly target: MessageTarget | null
  /** Whether the entries from there on are here; null while nothing of the conversation is. */
  readonly isHere: boolean | null
  readonly loadOlder: () => void
  /** Brings its part into view. @returns the element of the message, once it is drawn; null where there is none. */
  readonly reveal: (seq: number) => Promise<HTMLElement | null>
}

/** Reads back to the message, brings it into view, gives it the focus and marks it for a moment. Once for each time it is asked for. */
function useShownTarget({ target, isHere, loadOlder, reveal }: ShowTarget): void {
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const key = target ? `${target.seq} ${target.round}` : null
    if (!target || isHere === null || shown.current === key) return
    if (!isHere) {
      loadOlder()
      return
    }
    shown.current = key
    void reveal(target.seq).then(mark)
  })
}

function mark(element: HTMLElement | null): void {
  if (!element) return
  element.focus({ preventScroll: true })
  element.dataset['found'] = 'true'
  setTimeout(() => delete element.dataset['found'], MARKED_MS)
}

const MESSAGE = '[data-testid="msg-user"], [data-testid="msg-assistant"]'

/** Keys that press a button of the message that has the focus. They act there only. */
const BUTTONS: Readonly<Record<string, string>> = {
  c: '.quiet-acts .copy-button',
  e: '[data-key="e"]',
  r: '[data-key="r"]',
  b: '[data-key="b"]',
  '[': '[data-key="["]',
  ']': '[data-key="]"]',
}

/** Moves from message to message, and acts on the one that has the focus. */
function onThreadKey(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: thread, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return
  const isMessage = target.matches(MESSAGE)
  if (!isMessage && target !== thread) return
  const step = key === 'j' ? 1 : key === 'k' ? -1 : 0
  if (step !== 0) {
    event.preventDefault()
    const messages = [...thread.querySelectorAll<HTMLElement>(MESSAGE)]
    const index = isMessage ? messages.indexOf(target) + step : step > 0 ? firstInView(messages) : messages.length - 1
    messages[index]?.focus()
    return
  }
  const selector = isMessage ? BUTTONS[key] : undefined
  if (selector === undefined) return
  const button = target.querySelector<HTMLElement>(selector)
  if (!button) return
  event.preventDefault()
  button.click()
}

function firstInView(messages: readonly HTMLElement[]): number {
  const index = messages.findIndex((message) => message.getBoundingClientRect().bottom > 60)
  return index < 0 ? 0 : index
}
