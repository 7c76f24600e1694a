import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { canvasOf } from '@holdfast/conversation'
import { useEffect } from 'react'
import { drawnType } from '../canvas/drawing-tools.ts'
import { Icon } from '../icons.tsx'
import { say } from '../language/say.ts'
import { useMedia } from '../use-media.ts'
import { readDock, setDock, useDock } from './use-dock.ts'

/**
 * Opens the canvas, and says how much is on it. Where there is room for both, the first element opens it by itself as
 * soon as it is being written: the focus stays where it is.
 */
export function CanvasButton({ store }: { readonly store: ConversationStore }) {
  const dock = useDock()
  const isWide = useMedia('(min-width: 1200px)')
  const count = useConversation(store, ({ overview }) => countOf(overview))
  useEffect(() => {
    let known = store.getSnapshot()
    return store.subscribe(() => {
      const before = known
      known = store.getSnapshot()
      const isFirst = !hasElements(before) && hasElements(known)
      if (before.caughtUp && isFirst && isWide && readDock() === null) setDock('canvas')
    })
  }, [store, isWide])
  return (
    <button
      type="button"
      className="icon-button dock-button"
      aria-label={count === 0 ? say('common.canvas') : say('dock.canvas-with', { count })}
      aria-pressed={dock === 'canvas'}
      data-count={count === 0 ? undefined : count}
      onClick={() => setDock(dock === 'canvas' ? null : 'canvas')}
    >
      <Icon name="canvas" />
    </button>
  )
}

/** Whether anything is on the canvas, or is being written for it. */
function hasElements({ overview, draft }: ReturnType<ConversationStore['getSnapshot']>): boolean {
  return countOf(overview) > 0 || (draft?.blocks.some(({ start }) => drawnType(start) !== undefined) ?? false)
}

function countOf({ canvases, settings }: ReturnType<ConversationStore['getSnapshot']>['overview']): number {
  return canvasOf(canvases, settings.agentId).elements.length
}
