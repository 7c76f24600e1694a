import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { PendingPermission } from '@holdfast/conversation'
import { useEffect, useRef, useState } from 'react'
import { useFocusGoesOn } from '../shared/focus-goes-on.ts'
import { Glyph } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { answerRequest, isAnswered } from './answer-request.ts'
import { askedAct } from './asked-act.ts'
import { objectOf, shortName } from './call-words.ts'
import { useArmed, useDeniable, useUnseen, waitForReading } from './use-armed.ts'

/** The oldest request in one line above the composer, where its card is out of view. */
export function PermissionDock({ store }: { readonly store: ConversationStore }) {
  const [request] = useConversation(store, (state) => state.overview.pendingPermissions)
  return request ? <DockLine key={request.requestId} store={store} request={request} /> : null
}

function DockLine({ store, request }: { readonly store: ConversationStore; readonly request: PendingPermission }) {
  const isSent = useConversation(store, (state) => isAnswered(state.outbox, request.requestId))
  const isCardVisible = useCardVisible()
  // What was not shown is said beside the buttons of the card: there it is allowed. [UI122]
  const isShown = useUnseen(request.requestId) === null
  const isArmed = useArmed(request.requestId) && isShown && !isSent
  const mayDeny = useDeniable(request.requestId) && !isSent
  const isCut = isCutInLine(request.input)
  useEffect(() => {
    if (isCut) waitForReading(request.requestId)
  }, [isCut, request.requestId])
  if (isCardVisible) return null
  return <DockButtons store={store} request={request} isArmed={isArmed} mayDeny={mayDeny} />
}

interface DockButtonsProps {
  readonly store: ConversationStore
  readonly request: PendingPermission
  readonly isArmed: boolean
  readonly mayDeny: boolean
}

function DockButtons({ store, request, isArmed, mayDeny }: DockButtonsProps) {
  const line = useRef<HTMLDivElement>(null)
  useFocusGoesOn(line)

  function answer(decision: 'allow' | 'deny'): void {
    if (decision === 'allow' ? isArmed : mayDeny)
      answerRequest(store, request.requestId, { decision, scope: 'call', reason: null, andStop: false })
  }

  return (
    <div ref={line} className="permission-dock" data-testid="permission-dock">
      <Glyph name="waiting" lively={false} />
      <strong>{say('common.permission-needed')}</strong>
      <span className="tool-name">{shortName(request.tool)}</span>
      <span className="tool-object">{objectOf(request.input)}</span>
      <button type="button" className="button" aria-disabled={!isArmed} onClick={() => answer('allow')}>
        {say('common.allow-once')}
      </button>
      <button type="button" className="button" aria-disabled={!mayDeny} onClick={() => answer('deny')}>
        {say('common.deny')}
      </button>
      <button type="button" className="link-button" onClick={showCard}>
        {say('common.show')}
      </button>
    </div>
  )
}

/** Whether the line does not hold all that the call would do: it is read in the card. [UI32] */
function isCutInLine(input: unknown): boolean {
  const act = askedAct(input)
  // The line names the file and shows nothing of the change.
  if (act.type === 'write' || act.type === 'edit' || act.type === 'edits') return true
  if (act.type !== 'command' && act.type !== 'page') return false
  const text = act.type === 'command' ? act.line : act.address
  return text.length > LINE_LENGTH || text.includes('\n')
}

/** As much as a line shows without being cut, in UTF-16 code units. */
const LINE_LENGTH = 60

const CARD = '[data-testid="permission-card"]'

function showCard(): void {
  document.querySelector(CARD)?.scrollIntoView({ block: 'nearest' })
}

/** Whether the card can be seen. Rows far from the view are not in the page at all. */
function useCardVisible(): boolean {
  const [isVisible, setVisible] = useState(true)
  useEffect(() => {
    let watched: Element | null = null
    const observer = new IntersectionObserver(
      (entries) => setVisible(entries.some(({ isIntersecting }) => isIntersecting)),
      { threshold: 0.2 },
    )
    function watch(): void {
      const card = document.querySelector(CARD)
      if (card === watched) return
      if (watched) observer.unobserve(watched)
      watched = card
      if (card) observer.observe(card)
      else setVisible(false)
    }
    const timer = setInterval(watch, 500)
    watch()
    return () => {
      clearInterval(timer)
      observer.disconnect()
    }
  }, [])
  return isVisible
}
