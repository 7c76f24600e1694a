import type { Client, ConversationStore } from '@holdfast/client'
import { type KeyboardEvent, Suspense } from 'react'
import { DOCK_TABS, type DockTab, setDock } from '../../shared/address.ts'
import { Icon } from '../../shared/icons.tsx'
import { type PlainKey, say } from '../../shared/language/say.ts'
import { later } from '../../shared/later.tsx'

const Inspector = later(async () => (await import('../../inspector/inspector.tsx')).Inspector)
const ToolPanel = later(async () => (await import('../../tool-panel/tool-panel.tsx')).ToolPanel)
const CanvasTab = later(async () => (await import('../../canvas/canvas-tab.tsx')).CanvasTab)

const TAB_WORDS: Readonly<Record<DockTab, PlainKey>> = {
  inspector: 'common.inspector',
  tools: 'common.tools',
  canvas: 'common.canvas',
}

const CLOSE_WORDS: Readonly<Record<DockTab, PlainKey>> = {
  inspector: 'dock.close-inspector',
  tools: 'dock.close-tools',
  canvas: 'dock.close-canvas',
}

interface DockProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly tab: DockTab
}

/** What stands beside a conversation, one tab at a time. */
export function Dock({ client, store, tab }: DockProps) {
  return (
    <aside className="dock" data-region="dock" aria-label={say('dock.workspace-dock')} data-tab={tab}>
      <header className="bar">
        <div className="dock-tabs" role="tablist" aria-label={say('dock.workspace-dock')}>
          {DOCK_TABS.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`dock-tab-${name}`}
              data-testid={`dock-tab-${name}`}
              aria-selected={name === tab}
              aria-controls="dock-panel"
              tabIndex={name === tab ? 0 : -1}
              onClick={() => setDock(name)}
              onKeyDown={(event) => onTabKey(event, tab)}
            >
              {say(TAB_WORDS[name])}
            </button>
          ))}
        </div>
        <button type="button" className="icon-button" aria-label={say(CLOSE_WORDS[tab])} onClick={() => setDock(null)}>
          <Icon name="close" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <section className="dock-body" id="dock-panel" role="tabpanel" aria-labelledby={`dock-tab-${tab}`} tabIndex={0}>
        <Suspense fallback={<p className="meta dock-wait">{say('dock.opening')}</p>}>
          <Panel client={client} store={store} tab={tab} />
        </Suspense>
      </section>
    </aside>
  )
}

function Panel({ client, store, tab }: DockProps) {
  switch (tab) {
    case 'inspector':
      return <Inspector client={client} store={store} />
    case 'tools':
      return <ToolPanel client={client} store={store} />
    case 'canvas':
      return <CanvasTab client={client} store={store} />
  }
}

/** The arrows go from tab to tab, and open them. */
function onTabKey(event: KeyboardEvent, tab: DockTab): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const next = DOCK_TABS.at((DOCK_TABS.indexOf(tab) + step) % DOCK_TABS.length)
  if (next === undefined) return
  setDock(next)
  document.getElementById(`dock-tab-${next}`)?.focus()
}
