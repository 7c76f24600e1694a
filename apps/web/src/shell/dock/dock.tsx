import type { Client, ConversationStore } from '@holdfast/client'
import { type ComponentType, type KeyboardEvent, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { DOCK_TABS, type DockTab, setDock } from '../../shared/address.ts'
import { Icon } from '../../shared/icons.tsx'
import { type PlainKey, say } from '../../shared/language/say.ts'
import { later } from '../../shared/later.tsx'

interface PanelProps {
  readonly client: Client
  readonly store: ConversationStore
}

/** A tab: what it is called, what closes it, and what it shows, loaded when it is opened. */
interface Tab {
  readonly name: PlainKey
  readonly close: PlainKey
  readonly Panel: ComponentType<PanelProps>
  /** Whether it stays as it is behind another tab. */
  readonly isKept?: true
}

const TABS: Readonly<Record<DockTab, Tab>> = {
  inspector: {
    name: 'common.inspector',
    close: 'dock.close-inspector',
    Panel: later(async () => (await import('../../inspector/inspector.tsx')).Inspector),
  },
  tools: {
    name: 'common.tools',
    close: 'dock.close-tools',
    Panel: later(async () => (await import('../../tool-panel/tool-panel.tsx')).ToolPanel),
  },
  canvas: {
    name: 'common.canvas',
    close: 'dock.close-canvas',
    Panel: later(async () => (await import('../../canvas/canvas-tab.tsx')).CanvasTab),
  },
  terminal: {
    name: 'common.terminal',
    close: 'dock.close-terminal',
    Panel: later(async () => (await import('../../terminal/terminal-tab.tsx')).TerminalTab),
  },
  files: {
    name: 'dock.files',
    close: 'dock.close-files',
    Panel: later(async () => (await import('../../files/files-tab.tsx')).FilesTab),
  },
  changes: {
    name: 'review.changes',
    close: 'review.close',
    Panel: later(async () => (await import('../../review/changes-panel.tsx')).ChangesPanel),
  },
  preview: {
    name: 'common.preview',
    close: 'dock.close-preview',
    Panel: later(async () => (await import('../../preview/preview-tab.tsx')).PreviewTab),
    isKept: true,
  },
}

interface DockProps extends PanelProps {
  readonly tab: DockTab
}

/** What stands beside a conversation, one tab at a time. */
export function Dock({ client, store, tab }: DockProps) {
  const { Panel, close } = TABS[tab]
  const tabs = useRef<HTMLDivElement>(null)
  const [kept, setKept] = useState<readonly DockTab[]>([])
  if (TABS[tab].isKept && !kept.includes(tab)) setKept([...kept, tab])
  // There may be more tabs than there is room for.
  useLayoutEffect(() => {
    tabs.current?.querySelector(`#dock-tab-${tab}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
  return (
    <aside className="dock" data-region="dock" aria-label={say('dock.workspace-dock')} data-tab={tab}>
      <header className="bar">
        <div ref={tabs} className="dock-tabs" role="tablist" aria-label={say('dock.workspace-dock')}>
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
              {say(TABS[name].name)}
            </button>
          ))}
        </div>
        <button type="button" className="icon-button" aria-label={say(close)} onClick={() => setDock(null)}>
          <Icon name="close" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <section className="dock-body" id="dock-panel" role="tabpanel" aria-labelledby={`dock-tab-${tab}`} tabIndex={0}>
        <Suspense fallback={<p className="meta dock-wait">{say('dock.opening')}</p>}>
          {!TABS[tab].isKept && <Panel client={client} store={store} />}
          {kept.map((name) => {
            const { Panel: Kept } = TABS[name]
            return (
              <div key={name} className="dock-kept" hidden={name !== tab}>
                <Kept client={client} store={store} />
              </div>
            )
          })}
        </Suspense>
      </section>
    </aside>
  )
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
