import { type ConversationState, type ConversationStore, windowItems } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useMemo } from 'react'
import { timeOfDay } from './format.ts'
import { Icon } from './icons.tsx'
import { firstPendingAt, pendingSlips } from './pending.ts'
import { threadParts, wordsOf } from './thread-parts.ts'
import { Turn } from './turn.tsx'
import { useFollowScroll } from './use-follow-scroll.ts'

/** The whole conversation: settled turns, the one being written, and what is on its way. */
export function Thread({ store, children }: { readonly store: ConversationStore; readonly children: React.ReactNode }) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const window = useConversation(store, (state) => state.window)
  const path = useConversation(store, (state) => state.overview.path)
  const runState = useConversation(store, (state) => state.overview.runState)
  const isDemo = useConversation(store, isDemoModel)
  const parts = useMemo(() => threadParts(windowItems(window, path)), [window, path])
  const follow = useFollowScroll(conversationId)
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
          {parts.length === 0 && children}
          {parts.map((part) =>
            part.type === 'turn' ? (
              <Turn
                key={part.runId}
                turn={part}
                store={store}
                open={runState.exclusive?.runId === part.runId ? runState.exclusive : null}
                lastTurn={runState.lastTurn?.runId === part.runId ? runState.lastTurn : null}
                isDemo={isDemo}
              />
            ) : (
              <p key={part.item.seq} className="line-entry">
                {wordsOf(part.item.parts) || String(part.item.detail['code'] ?? part.item.detail['reason'] ?? '')}
              </p>
            ),
          )}
          <PendingSlips store={store} />
        </div>
      </div>
      {follow.offersJump && (
        <button type="button" className="button jump" data-testid="jump-latest" onClick={follow.jump}>
          <Icon name="down" />
          Jump to latest
        </button>
      )}
    </div>
  )
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

/** The demo model answers where no other is chosen: there is no other yet. */
function isDemoModel({ overview }: ConversationState): boolean {
  return (overview.settings.modelId ?? 'demo') === 'demo'
}
