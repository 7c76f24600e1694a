import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { canvasOf } from '@holdfast/conversation'
import { useEffect } from 'react'
import { drawnType } from '../canvas/drawing-tools.ts'
import { readDock, setDock, useDock } from '../shared/address.ts'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { useMedia } from '../shared/use-media.ts'

/**
 * Where there is room for both and nothing stands there, the canvas opens by itself as soon as its first element is being
 * written, and the preview when an agent has shown its first page: the focus stays where it is. [UI82]
 */
function useOpensByItself(store: ConversationStore): void {
  const isWide = useMedia('(min-width: 1200px)')
  useEffect(() => {
    let known = store.getSnapshot()
    return store.subscribe(() => {
      const before = known
      known = store.getSnapshot()
      if (!before.caughtUp || !isWide || readDock() !== null) return
      if (!hasElements(before) && hasElements(known)) setDock('canvas')
      else if (!hasShownPage(before) && hasShownPage(known)) setDock('preview')
    })
  }, [store, isWide])
}

/** Opens the canvas, and says how much is on it. */
export function CanvasButton({ store }: { readonly store: ConversationStore }) {
  const dock = useDock()
  const count = useConversation(store, ({ overview }) => countOf(overview))
  useOpensByItself(store)
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
      <span className="act-words">{say('common.canvas')}</span>
    </button>
  )
}

/** Whether a call has shown a page. */
function hasShownPage({ overview }: ReturnType<ConversationStore['getSnapshot']>): boolean {
  const metrics = overview.toolMetrics['preview_start']
  if (metrics === undefined) return false
  const { callCount, errorCount, deniedCount, abortedCount } = metrics
  return callCount > errorCount + deniedCount + abortedCount
}

/** Whether anything is on the canvas, or is being written for it. */
function hasElements({ overview, draft }: ReturnType<ConversationStore['getSnapshot']>): boolean {
  return countOf(overview) > 0 || (draft?.blocks.some(({ start }) => drawnType(start) !== undefined) ?? false)
}

function countOf({ canvases, settings }: ReturnType<ConversationStore['getSnapshot']>['overview']): number {
  return canvasOf(canvases, settings.agentId).elements.length
}
