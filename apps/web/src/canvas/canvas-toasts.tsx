import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { DEFAULT_AGENT_ID } from '@holdfast/conversation'
import { useEffect, useState } from 'react'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'

/** How long a message is shown, in milliseconds; it waits while it is pointed at or focused. */
const SHOWN_MS = 6_000

/** What the agent says once, to whoever looks when it does. Nothing of it comes back after a reload. [CANVAS3] */
export function CanvasToasts({ store }: { readonly store: ConversationStore }) {
  const agentId = useConversation(store, (state) => state.overview.settings.agentId ?? DEFAULT_AGENT_ID)
  const told = useConversation(store, (state) => state.notifications)
  const [seenSeq, setSeenSeq] = useState(() => store.getSnapshot().notifications.at(-1)?.seq ?? 0)
  const [isHeld, setHeld] = useState(false)
  const toasts = told.filter((toast) => toast.seq > seenSeq && toast.agentId === agentId)
  const firstSeq = toasts[0]?.seq ?? null
  useEffect(() => {
    if (firstSeq === null || isHeld) return
    const timer = setTimeout(() => setSeenSeq(firstSeq), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [firstSeq, isHeld])
  return (
    <div
      className="canvas-toasts"
      role="status"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toasts.map(({ seq, text, tone }) => (
        <p key={seq} className="canvas-toast" data-testid="canvas-toast" data-tone={tone}>
          <span dir="auto">{text}</span>
          <button
            type="button"
            className="icon-button"
            aria-label={say('common.dismiss')}
            onClick={() => setSeenSeq(seq)}
          >
            <Icon name="close" />
          </button>
        </p>
      ))}
    </div>
  )
}
