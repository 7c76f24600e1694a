import type { OutlineElement } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import type { PreviewSession } from './preview-session.ts'

/** The elements of the page as a list, to pick one by the keyboard. [PREV4] */
export function OutlineList({
  nodes,
  session,
}: {
  readonly nodes: readonly OutlineElement[]
  readonly session: PreviewSession
}) {
  return (
    <ul className="preview-outline" aria-label={say('preview.outline')} data-testid="preview-outline">
      {nodes.map(({ id, depth, label }) => (
        <li key={id}>
          <button
            type="button"
            dir="auto"
            style={{ paddingInlineStart: `${8 + Math.min(depth, 12) * 12}px` }}
            onFocus={() => session.order({ type: 'point', id })}
            onPointerEnter={() => session.order({ type: 'point', id })}
            onPointerLeave={() => session.order({ type: 'point', id: null })}
            onClick={() => session.order({ type: 'pick-node', id })}
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  )
}
