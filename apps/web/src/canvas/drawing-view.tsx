import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useRef } from 'react'
import { say } from '../language/say.ts'
import type { CanvasActs } from './canvas-acts.ts'
import { type DrawingElement, drawingElements } from './drawing-elements.ts'
import { ElementBody } from './element-body.tsx'

/** What the model is writing now, by a hatched edge. It follows the stream on its own, so that nothing else is drawn. */
export function DrawingElements({ store }: { readonly store: ConversationStore }) {
  const draft = useConversation(store, (state) => state.draft)
  return drawingElements(draft).map((drawing) => <Drawing key={drawing.key} drawing={drawing} />)
}

/** Nothing can be done with what is not there yet. */
const NO_ACTS: CanvasActs = { isOnline: false, conversationId: null, act: async () => null, ask: () => {} }

function Drawing({ drawing }: { readonly drawing: DrawingElement }) {
  const svg = useRef<SVGSVGElement>(null)
  const { type, title, content } = drawing
  return (
    <article
      className="element drawing"
      data-testid="canvas-drawing"
      data-type={type}
      data-state="streaming"
      aria-hidden="true"
      inert
    >
      <header>
        <h3 dir="auto">{title === '' ? '…' : title}</h3>
        <span className="element-word">{say('canvas.drawing')}</span>
      </header>
      {content !== null && type !== 'form' && type !== 'confirmation' && (
        <ElementBody
          element={{ ...content, id: drawing.key, number: 0, pinned: false, addedSeq: 0, changed: NOT_CHANGED }}
          acts={NO_ACTS}
          svg={svg}
          isFull={false}
          asTable={false}
        />
      )}
    </article>
  )
}

const NOT_CHANGED = { seq: 0, byPerson: false } as const
