import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { type AgentInUse, EXTERNAL_AGENT } from '@holdfast/conversation'
import { useContextUse } from '../composer/context/use-context-use.ts'
import { RememberHere } from '../memories/remember-here.tsx'
import { say } from '../shared/language/say.ts'
import { useSystemEntries } from '../shared/system-entries.ts'
import { CacheSection } from './cache-section.tsx'
import { ContextSection, SummariseSection } from './context-section.tsx'
import { CostSection } from './cost-section.tsx'
import { LimitsHere } from './limits-here.tsx'
import { MapSection } from './map-section.tsx'
import { NextRequestSection } from './next-request-section.tsx'
import { RunSection } from './run-section.tsx'

/** What the model sees of a conversation, what it cost, and what was sent. */
export function Inspector({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const use = useContextUse(client, store)
  const context = client.context(conversationId)
  // A program sends its own requests, which are not made here: what would be said of ours is not so for it. [UI108, AGENT39]
  const program = useConversation(store, ({ overview: { settingLayers } }) => programOf(settingLayers.agent))
  const [showsAsides, showAsides] = useSystemEntries()
  return (
    <div data-testid="inspector">
      <h2 className="visually-hidden">{say('common.inspector')}</h2>
      {program === null ? (
        <>
          <ContextSection use={use} />
          <SummariseSection context={context} store={store} />
        </>
      ) : use.value?.heldBy === 'agent' && use.value.usedTokens > 0 ? (
        <ContextSection use={use} />
      ) : (
        <section className="inspector-part" data-testid="inspector-external">
          <h3>{say('inspector.context')}</h3>
          <p className="meta">{say('external.keeps-its-own-context', { name: program })}</p>
        </section>
      )}
      <CostSection context={context} store={store} />
      {program === null && (
        <>
          <CacheSection store={store} />
          <NextRequestSection context={context} store={store} />
          <MapSection client={client} conversationId={conversationId} />
        </>
      )}
      <RunSection context={context} store={store} />
      <LimitsHere store={store} />
      {program === null && <RememberHere store={store} />}
      <section className="inspector-part">
        <label className="check">
          <input type="checkbox" checked={showsAsides} onChange={({ target }) => showAsides(target.checked)} />
          {say('inspector.show-requests-for-titles-and')}
        </label>
      </section>
    </div>
  )
}

/** The name of the program that answers; null where a model of the installation does. */
function programOf(agent: AgentInUse | null): string | null {
  return agent?.agentId.startsWith(EXTERNAL_AGENT) ? agent.name : null
}
