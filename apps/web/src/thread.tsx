import { type ConversationState, type ConversationStore, windowItems } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { Virtualizer } from 'virtua'
import { timeOfDay } from './format.ts'
import { Icon } from './icons.tsx'
import { LineEntry } from './line-entry.tsx'
import { OlderPages } from './older-pages.tsx'
import { firstPendingAt, pendingSlips } from './pending.ts'
import { type ThreadPart, threadParts } from './thread-parts.ts'
import { Turn } from './turn.tsx'
import { useFollowScroll } from './use-follow-scroll.ts'

/** Up to so many parts all are in the page, so that the browser's own search finds them. */
const WHOLE_PARTS = 300

/** How far beyond the view parts are in the page, in pixels: all of them, or a few screens. */
const BUFFER_PX = { whole: 1_000_000, few: 1_200 } as const

/** The conversation as far as it is here: settled turns, the one being written, and what is on its way. */
export function Thread({ store, children }: { readonly store: ConversationStore; readonly children: React.ReactNode }) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const window = useConversation(store, (state) => state.window)
  const path = useConversation(store, (state) => state.overview.path)
  const runState = useConversation(store, (state) => state.overview.runState)
  const isDemo = useConversation(store, isDemoModel)
  const parts = useMemo(() => threadParts(windowItems(window, path)), [window, path])
  const follow = useFollowScroll(conversationId)
  const growsAtStart = useGrowthAtStart(parts)
  return (
    <div className="thread-frame">
      <div
        ref={follow.scroller}
        className="thread"
        role="log"
        aria-live="off"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard
        tabIndex={0}
        data-pinned={follow.isPinned}
      >
        <div ref={follow.content} className="column">
          {parts.length === 0 && window.firstSeq === 1 && children}
          <Virtualizer
            scrollRef={follow.scroller}
            shift={growsAtStart}
            bufferSize={parts.length > WHOLE_PARTS ? BUFFER_PX.few : BUFFER_PX.whole}
          >
            {parts.map((part, index) =>
              part.type === 'turn' ? (
                <Turn
                  key={part.runId}
                  turn={part}
                  store={store}
                  open={runState.exclusive?.runId === part.runId ? runState.exclusive : null}
                  lastTurn={runState.lastTurn?.runId === part.runId ? runState.lastTurn : null}
                  isNewest={index === parts.length - 1}
                  isDemo={isDemo}
                />
              ) : (
                <LineEntry key={part.item.seq} item={part.item} />
              ),
            )}
          </Virtualizer>
          <PendingSlips store={store} />
        </div>
      </div>
      <OlderPages store={store} scroller={follow.scroller} />
      {follow.offersJump && (
        <button type="button" className="button jump" data-testid="jump-latest" onClick={follow.jump}>
          <Icon name="down" />
          Jump to latest
        </button>
      )}
    </div>
  )
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

function keyOf(part: ThreadPart): string | number {
  return part.type === 'turn' ? part.runId : part.item.seq
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

/** The demo model answers where no other is chosen. */
function isDemoModel({ overview }: ConversationState): boolean {
  return (overview.settings.modelId ?? 'demo') === 'demo'
}
