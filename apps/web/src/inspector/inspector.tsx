import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useContextUse } from '../context/use-context-use.ts'
import { Icon } from '../icons.tsx'
import { useSystemEntries } from '../system-entries.ts'
import { ToolPanel } from '../tool-panel/tool-panel.tsx'
import { CacheSection } from './cache-section.tsx'
import { ContextSection } from './context-section.tsx'
import { CostSection } from './cost-section.tsx'
import { NextRequestSection } from './next-request-section.tsx'
import { RunSection } from './run-section.tsx'
import { SummariseSection } from './summarise-section.tsx'
import { type DockTab, setDock } from './use-dock.ts'

interface DockProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly tab: DockTab
}

const TABS: readonly { readonly tab: DockTab; readonly name: string }[] = [
  { tab: 'inspector', name: 'Inspector' },
  { tab: 'tools', name: 'Tools' },
]

/** What stands beside a conversation: what the model sees of it, or its tools. */
export function Dock({ client, store, tab }: DockProps) {
  return (
    <aside className="dock" aria-label="Workspace dock" data-testid={tab}>
      <header className="bar">
        <nav className="dock-tabs" aria-label="Workspace dock">
          {TABS.map(({ tab: own, name }) => (
            <button
              key={own}
              type="button"
              aria-current={own === tab ? 'page' : undefined}
              data-testid={`dock-tab-${own}`}
              onClick={() => setDock(own)}
            >
              {name}
            </button>
          ))}
        </nav>
        <button type="button" className="icon-button" aria-label="Close inspector" onClick={() => setDock(null)}>
          <Icon name="close" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <section className="dock-body" tabIndex={0} aria-label={TABS.find((row) => row.tab === tab)?.name}>
        {tab === 'inspector' ? (
          <Inspector client={client} store={store} />
        ) : (
          <ToolPanel client={client} store={store} />
        )}
      </section>
    </aside>
  )
}

/** What the model sees of a conversation, what it cost, and what was sent. */
function Inspector({ client, store }: Omit<DockProps, 'tab'>) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const use = useContextUse(client, store)
  const context = client.context(conversationId)
  const [showsAsides, showAsides] = useSystemEntries()
  return (
    <>
      <ContextSection use={use} />
      <SummariseSection context={context} store={store} />
      <CostSection store={store} />
      <CacheSection store={store} />
      <NextRequestSection context={context} store={store} />
      <RunSection context={context} store={store} />
      <section className="inspector-part">
        <label className="check">
          <input type="checkbox" checked={showsAsides} onChange={({ target }) => showAsides(target.checked)} />
          Show requests for titles and summaries in the thread
        </label>
      </section>
    </>
  )
}
