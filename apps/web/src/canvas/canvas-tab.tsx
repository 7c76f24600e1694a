import type { Client, ConversationStore, PastCanvas } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import {
  type Canvas,
  type CanvasElement,
  CanvasLayout,
  CanvasMode,
  CanvasTheme,
  canvasOf,
  canvasSummary,
  DEFAULT_AGENT_ID,
  shownElements,
} from '@holdfast/conversation'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../shared/icons.tsx'
import { pointAt } from '../shared/insert-words.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { type CanvasActs, createCanvasActs } from './canvas-acts.ts'
import { CanvasHistory } from './canvas-history.tsx'
import { type DrawingElement, drawingElements } from './drawing-elements.ts'
import { ElementBody } from './element-body.tsx'
import { ElementView } from './element-view.tsx'

/** The canvas of a conversation's agent: what it shows beside its words. */
export function CanvasTab({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const canvases = useConversation(store, (state) => state.overview.canvases)
  const current = useConversation(store, (state) => state.overview.settings.agentId ?? DEFAULT_AGENT_ID)
  const isCaughtUp = useConversation(store, (state) => state.caughtUp)
  const summarySeq = useConversation(store, (state) => lastSummarySeq(state.window.items))
  const agents = useObservable(client.agents, ({ value }) => value?.agents)
  const items = useConversation(store, (state) => state.window.items)
  const namesThen = useMemo(
    () => new Map(items.flatMap((item) => ('agentName' in item ? [[item.agentId, item.agentName] as const] : []))),
    [items],
  )
  const isOnline = useObservable(client.link, (link) => link.type === 'live')
  const [chosen, setChosen] = useState<string | null>(null)
  const [open, setOpen] = useState<Row | null>(null)
  const [past, setPast] = useState<PastCanvas | null>(null)
  const [said, setSaid] = useState('')
  const agentId = chosen ?? current
  const canvas = canvasOf(canvases, agentId)
  const shown = past ?? canvas
  const elements = useMemo(() => past?.elements ?? shownElements(canvas), [past, canvas])
  const openedAt = useRef<number | null>(null)
  if (openedAt.current === null && isCaughtUp) openedAt.current = store.getSnapshot().overview.head
  const acts = useMemo(
    () =>
      createCanvasActs({
        client,
        conversationId,
        agentId,
        isOnline,
        ask: (elementId) => pointAt({ type: 'canvas', elementId }),
      }),
    [client, conversationId, agentId, isOnline],
  )
  const pastActs = useMemo(() => ({ ...PAST_ACTS, pages: acts.pages }), [acts])
  const summary = useMemo(() => past?.summary ?? canvasSummary(canvas), [past, canvas])
  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => setSaid(''), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])

  async function act(action: 'clear' | 'restore'): Promise<void> {
    setSaid(
      (await acts.act({ elementId: 'canvas', action })) ??
        (action === 'clear' ? say('canvas.cleared') : say('canvas.brought-back')),
    )
  }

  function toggle(row: Row): void {
    if (open === 'history') setPast(null)
    setOpen(open === row ? null : row)
  }

  function choose(id: string): void {
    setPast(null)
    if (open === 'history') setOpen(null)
    setChosen(id === current ? null : id)
  }

  const others = Object.keys(canvases).filter((id) => id !== current)
  /** As the agent is called now, or was when it was chosen. */
  const nameOf = (id: string): string =>
    agents?.find((agent) => agent.id === id)?.name ?? namesThen.get(id) ?? say('canvas.agent-that-is-gone')
  return (
    <div
      className="canvas"
      data-testid="canvas"
      data-theme-tint={shown.theme}
      data-version={shown.version}
      data-state={past === null ? 'now' : 'past'}
    >
      <div className="canvas-bar">
        <h2 className="visually-hidden">{say('common.canvas')}</h2>
        {others.length > 0 && (
          <label>
            {say('canvas.canvas-of')}{' '}
            <select value={agentId} onChange={({ target }) => choose(target.value)}>
              {[current, ...others].map((id) => (
                <option key={id} value={id}>
                  {id === DEFAULT_AGENT_ID ? say('canvas.this-conversation') : nameOf(id)}
                </option>
              ))}
            </select>
          </label>
        )}
        {past === null && canvas.removed !== null && (
          <button
            type="button"
            className="link-button"
            aria-disabled={!isOnline}
            onClick={() => isOnline && void act('restore')}
          >
            {canvas.removed.elements.length === 1
              ? say('canvas.undo-remove')
              : say('canvas.bring-back', { count: canvas.removed.elements.length })}
          </button>
        )}
        {past === null && elements.length > 0 && (
          <button
            type="button"
            className="link-button"
            aria-disabled={!isOnline}
            onClick={() => isOnline && void act('clear')}
          >
            {say('canvas.clear')}
          </button>
        )}
        <span className="meta canvas-count">{countWords(elements, summary)}</span>
        <BarButton row="look" icon="sliders" words={say('canvas.view')} open={open} onToggle={toggle} />
        <BarButton row="history" icon="clock" words={say('canvas.history')} open={open} onToggle={toggle} />
        <BarButton row="summary" icon="eye" words={say('canvas.what-the-model-sees')} open={open} onToggle={toggle} />
      </div>
      {open === 'look' && <CanvasLook canvas={canvas} acts={acts} onSaid={setSaid} />}
      {open === 'history' && (
        <CanvasHistory
          client={client}
          conversationId={conversationId}
          agentId={agentId}
          version={canvas.version}
          onShow={setPast}
        />
      )}
      {open === 'summary' && (
        <pre className="canvas-summary" data-testid="canvas-summary" dir="auto">
          {summary === '' ? say('canvas.nothing-the-canvas-was-never') : summary}
        </pre>
      )}
      <div className="canvas-grid" data-mode={shown.mode} data-layout={shown.layout}>
        {elements.map((element) => (
          <ElementView
            key={element.id}
            element={element}
            acts={past === null ? acts : pastActs}
            isUpdated={isUpdated(element, openedAt.current)}
            isBeforeSummary={element.addedSeq < summarySeq && element.changed.seq < summarySeq}
            onSaid={setSaid}
          />
        ))}
        {past === null && agentId === current && <DrawingElements store={store} />}
      </div>
      {elements.length === 0 && past === null && <EmptyCanvas isCaughtUp={isCaughtUp} />}
      {elements.length === 0 && past !== null && <p className="canvas-empty">{say('canvas.the-canvas-was-clear')}</p>}
      <p className="canvas-said" role="status">
        {said}
      </p>
    </div>
  )
}

/** What stands under the bar. */
type Row = 'look' | 'history' | 'summary'

interface BarButtonProps {
  readonly row: Row
  readonly icon: 'sliders' | 'clock' | 'eye'
  readonly words: string
  readonly open: Row | null
  readonly onToggle: (row: Row) => void
}

function BarButton({ row, icon, words, open, onToggle }: BarButtonProps) {
  return (
    <button type="button" className="canvas-sees" aria-pressed={open === row} onClick={() => onToggle(row)}>
      <Icon name={icon} />
      {words}
    </button>
  )
}

/** What was can be looked at and copied, and not changed. */
const PAST_ACTS: CanvasActs = {
  isOnline: false,
  conversationId: null,
  act: async () => say('canvas.this-is-how-it-was'),
  ask: (elementId) => pointAt({ type: 'canvas', elementId }),
  media: null,
  pages: null,
}

/** How long the tab says what was done, in milliseconds. */
const SAID_MS = 4_000

function EmptyCanvas({ isCaughtUp }: { readonly isCaughtUp: boolean }) {
  if (!isCaughtUp) return <p className="canvas-empty">{say('canvas.reading-the-canvas')}</p>
  return <p className="canvas-empty">{say('canvas.the-canvas-is-clear-agents')}</p>
}

function countWords(elements: readonly CanvasElement[], summary: string): string {
  if (elements.length === 0) return ''
  return say('canvas.elements-and-tokens', { count: elements.length, tokens: Math.ceil(summary.length / 4) })
}

function isUpdated({ addedSeq, changed }: CanvasElement, openedAt: number | null): boolean {
  return openedAt !== null && !changed.byPerson && changed.seq > openedAt && changed.seq > addedSeq
}

function lastSummarySeq(items: ReturnType<ConversationStore['getSnapshot']>['window']['items']): number {
  return items.findLast(({ role }) => role === 'summary')?.seq ?? 0
}

/** What the model is writing now, by a hatched edge. It follows the stream on its own, so that nothing else is drawn. */
function DrawingElements({ store }: { readonly store: ConversationStore }) {
  const draft = useConversation(store, (state) => state.draft)
  return drawingElements(draft).map((drawing) => <Drawing key={drawing.key} drawing={drawing} />)
}

/** Nothing can be done with what is not there yet. */
const NO_ACTS: CanvasActs = {
  isOnline: false,
  conversationId: null,
  act: async () => null,
  ask: () => {},
  media: null,
  pages: null,
}

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

interface LookProps {
  readonly canvas: Pick<Canvas, 'mode' | 'layout' | 'theme'>
  readonly acts: CanvasActs
  readonly onSaid: (words: string) => void
}

const MODE_WORDS: Readonly<Record<CanvasMode, PlainKey>> = {
  content: 'canvas.elements',
  media: 'canvas.media-first',
  ambient: 'canvas.large-and-quiet',
}

const LAYOUT_WORDS: Readonly<Record<CanvasLayout, PlainKey>> = {
  auto: 'canvas.as-there-is-room',
  column: 'canvas.one-column',
  grid: 'canvas.grid',
  focus: 'canvas.first-one-large',
}

const THEME_WORDS: Readonly<Record<CanvasTheme, PlainKey>> = {
  plain: 'canvas.none',
  green: 'canvas.green',
  blue: 'canvas.blue',
  amber: 'canvas.amber',
  rose: 'canvas.rose',
  violet: 'canvas.violet',
}

/** How the canvas is shown, for every tab: what stands in front, how it is placed, and its tint. [CANVAS3] */
function CanvasLook({ canvas: { mode, layout, theme }, acts, onSaid }: LookProps) {
  async function set(
    action: 'set-mode' | 'set-theme',
    value: CanvasTheme | { mode: CanvasMode; layout: CanvasLayout },
  ) {
    const problem = await acts.act({ elementId: 'canvas', action, value })
    if (problem !== null) onSaid(problem)
  }

  return (
    <div className="canvas-row canvas-look">
      <label>
        {say('common.show')}
        <select
          className="picker boxed"
          value={mode}
          disabled={!acts.isOnline}
          onChange={({ target }) => void set('set-mode', { mode: CanvasMode.parse(target.value), layout })}
        >
          {CanvasMode.options.map((option) => (
            <option key={option} value={option}>
              {say(MODE_WORDS[option])}
            </option>
          ))}
        </select>
      </label>
      <label>
        {say('canvas.layout')}
        <select
          className="picker boxed"
          value={layout}
          disabled={!acts.isOnline}
          onChange={({ target }) => void set('set-mode', { mode, layout: CanvasLayout.parse(target.value) })}
        >
          {CanvasLayout.options.map((option) => (
            <option key={option} value={option}>
              {say(LAYOUT_WORDS[option])}
            </option>
          ))}
        </select>
      </label>
      <label>
        {say('canvas.tint')}
        <select
          className="picker boxed"
          value={theme}
          disabled={!acts.isOnline}
          onChange={({ target }) => void set('set-theme', CanvasTheme.parse(target.value))}
        >
          {CanvasTheme.options.map((option) => (
            <option key={option} value={option}>
              {say(THEME_WORDS[option])}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
