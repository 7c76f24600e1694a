import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { type RefObject, useEffect } from 'react'
import { say } from './language/say.ts'

/** Nearer to the top than this the page before is read, in pixels: a few screens, so that a quick reader does not reach the top before it. */
const READ_AHEAD_PX = 5_000

interface OlderPagesProps {
  readonly store: ConversationStore
  readonly scroller: RefObject<HTMLDivElement | null>
}

/** Reads earlier pages as the reader comes near them, and says so where it takes a while. */
export function OlderPages({ store, scroller }: OlderPagesProps) {
  const older = useConversation(store, (state) => state.older)
  const isCaughtUp = useConversation(store, (state) => state.caughtUp)
  const hasOlder = useConversation(store, (state) => state.window.firstSeq > 1)

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
  }, [store, scroller, hasOlder, isCaughtUp, older])

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
