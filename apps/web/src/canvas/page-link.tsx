import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { Canvases, TranscriptCall } from '@holdfast/conversation'
import { setDock } from '../shared/address.ts'
import { isObject } from '../shared/is-object.ts'
import { say } from '../shared/language/say.ts'
import { type PagePlace, showVersion } from './opened-pages.ts'

interface PageLinkProps {
  readonly store: ConversationStore
  readonly call: TranscriptCall
}

/** Opens the page that a call wrote, in the version that it wrote; nothing where it wrote none, or that is gone. [PREV11] */
export function PageLink({ store, call }: PageLinkProps) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const elementId = useConversation(store, ({ overview }) => writtenVersion(overview.canvases, call)?.elementId ?? null)
  const seq = useConversation(store, ({ overview }) => writtenVersion(overview.canvases, call)?.seq ?? null)
  if (elementId === null || seq === null) return null
  const place: PagePlace = { conversationId, elementId }
  return (
    <button
      type="button"
      className="link-button page-link"
      data-testid="page-link"
      onClick={() => {
        showVersion(place, seq)
        setDock('canvas')
      }}
    >
      {say('canvas.page-on-canvas')}
    </button>
  )
}

function writtenVersion(canvases: Canvases, { output, resultSeq }: TranscriptCall) {
  const [answer] = output
  const given: unknown = answer?.type === 'text' && answer.text.startsWith('{') ? parsed(answer.text) : null
  if (!isObject(given) || resultSeq === null) return null
  const pages = Object.values(canvases).flatMap(({ elements }) =>
    elements.flatMap((element) => (element.type === 'page' && element.id === given['id'] ? [element] : [])),
  )
  return pages
    .flatMap(({ id, versions }) => versions.map(({ seq, canvasVersion }) => ({ elementId: id, seq, canvasVersion })))
    .findLast(({ seq, canvasVersion }) => canvasVersion === given['version'] && seq < resultSeq)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}
