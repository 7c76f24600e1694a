import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { type CanvasElement, canvasOf, canvasSummary, DEFAULT_AGENT_ID, shownElements } from '@holdfast/conversation'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../icons.tsx'
import { insertWords } from '../insert-words.ts'
import { createCanvasActs } from './canvas-acts.ts'
import { DrawingElements } from './drawing-view.tsx'
import { ElementView } from './element-view.tsx'

/** The canvas of a conversation's agent: what it shows beside its words. */
export function CanvasTab({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const canvases = useConversation(store, (state) => state.overview.canvases)
  const current = useConversation(store, (state) => state.overview.settings.agentId ?? DEFAULT_AGENT_ID)
  const isCaughtUp = useConversation(store, (state) => state.caughtUp)
  const summarySeq = useConversation(store, (state) => lastSummarySeq(state.window.items))
  const isOnline = useObservable(client.link, (link) => link.type === 'live')
  const [chosen, setChosen] = useState<string | null>(null)
  const [showsSummary, setShowsSummary] = useState(false)
  const [said, setSaid] = useState('')
  const agentId = chosen ?? current
  const canvas = canvasOf(canvases, agentId)
  const elements = useMemo(() => shownElements(canvas), [canvas])
  const openedAt = useRef<number | null>(null)
  if (openedAt.current === null && isCaughtUp) openedAt.current = store.getSnapshot().overview.head
  const acts = useMemo(
    () => createCanvasActs({ client, conversationId, agentId, isOnline, ask: (id) => insertWords(`@canvas:${id} `) }),
    [client, conversationId, agentId, isOnline],
  )
  const summary = useMemo(() => canvasSummary(canvas), [canvas])
  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => setSaid(''), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])

  async function act(action: 'clear' | 'restore'): Promise<void> {
    setSaid((await acts.act({ elementId: 'canvas', action })) ?? (action === 'clear' ? 'Cleared' : 'Brought back'))
  }

  const others = Object.keys(canvases).filter((id) => id !== current)
  return (
    <div className="canvas" data-testid="canvas" data-theme-tint={canvas.theme} data-version={canvas.version}>
      <div className="canvas-bar">
        <h2 className="visually-hidden">Canvas</h2>
        {others.length > 0 && (
          <label>
            Canvas of{' '}
            <select
              value={agentId}
              onChange={({ target }) => setChosen(target.value === current ? null : target.value)}
            >
              {[current, ...others].map((id) => (
                <option key={id} value={id}>
                  {id === DEFAULT_AGENT_ID ? 'this conversation' : id}
                </option>
              ))}
            </select>
          </label>
        )}
        {canvas.removed !== null && (
          <button
            type="button"
            className="link-button"
            aria-disabled={!isOnline}
            onClick={() => isOnline && void act('restore')}
          >
            {canvas.removed.elements.length === 1 ? 'Undo remove' : `Bring back ${canvas.removed.elements.length}`}
          </button>
        )}
        {elements.length > 0 && (
          <button
            type="button"
            className="link-button"
            aria-disabled={!isOnline}
            onClick={() => isOnline && void act('clear')}
          >
            Clear
          </button>
        )}
        <span className="meta canvas-count">{countWords(elements, summary)}</span>
        <button
          type="button"
          className="canvas-sees"
          aria-pressed={showsSummary}
          onClick={() => setShowsSummary(!showsSummary)}
        >
          <Icon name="eye" />
          What the model sees
        </button>
      </div>
      {showsSummary && (
        <pre className="canvas-summary" data-testid="canvas-summary" dir="auto">
          {summary === '' ? 'Nothing: the canvas was never used.' : summary}
        </pre>
      )}
      <div className="canvas-grid" data-mode={canvas.mode} data-layout={canvas.layout}>
        {elements.map((element) => (
          <ElementView
            key={element.id}
            element={element}
            acts={acts}
            isUpdated={isUpdated(element, openedAt.current)}
            isBeforeSummary={element.addedSeq < summarySeq && element.changed.seq < summarySeq}
            onSaid={setSaid}
          />
        ))}
        {agentId === current && <DrawingElements store={store} />}
      </div>
      {elements.length === 0 && <EmptyCanvas isCaughtUp={isCaughtUp} />}
      <p className="canvas-said" role="status">
        {said}
      </p>
    </div>
  )
}

/** How long the tab says what was done, in milliseconds. */
const SAID_MS = 4_000

function EmptyCanvas({ isCaughtUp }: { readonly isCaughtUp: boolean }) {
  if (!isCaughtUp) return <p className="canvas-empty">Reading the canvas…</p>
  return <p className="canvas-empty">The canvas is clear. Agents put cards, charts and tables here.</p>
}

function countWords(elements: readonly CanvasElement[], summary: string): string {
  if (elements.length === 0) return ''
  const count = `${elements.length} ${elements.length === 1 ? 'element' : 'elements'}`
  return `${count} · ≈ ${Math.ceil(summary.length / 4)} tokens`
}

function isUpdated({ addedSeq, changed }: CanvasElement, openedAt: number | null): boolean {
  return openedAt !== null && !changed.byPerson && changed.seq > openedAt && changed.seq > addedSeq
}

function lastSummarySeq(items: ReturnType<ConversationStore['getSnapshot']>['window']['items']): number {
  return items.findLast(({ role }) => role === 'summary')?.seq ?? 0
}
