import type { Client, ConversationStore, SettingChanges } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { EXTERNAL_AGENT } from '@holdfast/conversation'
import { askedSetting } from '../shared/asked-setting.ts'
import { say } from '../shared/language/say.ts'
import { useAgentInUse } from './agent-in-use.ts'
import { AgentPicker } from './agent-picker.tsx'

interface AgentProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly onChoose: (name: string, settings: SettingChanges) => void
}

/** Who answers in a conversation. A switch says first what it breaks in the cache. */
export function ChosenAgent({ client, store, onChoose }: AgentProps) {
  const { agent } = useAgentInUse(client, store)
  const asked = useConversation(store, ({ outbox }) => askedSetting(outbox, 'agentId'))
  return (
    <AgentPicker
      client={client}
      chosenId={asked ?? agent?.agentId ?? null}
      chosenName={agent?.name ?? null}
      onChoose={({ id, name }) => onChoose(say('page.switch-to', { model: name }), { agentId: id })}
    />
  )
}

/** Says where the agent of a conversation is not any more what it was when it was chosen. */
export function AgentLine({ client, store, onChoose }: AgentProps) {
  const { agent, row, standing } = useAgentInUse(client, store)
  if (agent === null || standing === 'as-chosen' || standing === 'unknown') return null
  // What is wrong with a program is said with its choices.
  if (standing === 'gone' && agent.agentId.startsWith(EXTERNAL_AGENT)) return null
  if (standing === 'gone')
    return (
      <p className="connection agent-line" data-testid="agent-line" data-state="gone">
        {say('agents.name-was-deleted-or-is', { name: agent.name })}
      </p>
    )
  return (
    <p className="connection agent-line" data-testid="agent-line" data-state="changed">
      {say('agents.was-changed', { name: agent.name })}{' '}
      <button
        type="button"
        className="link-button"
        onClick={() => onChoose(say('agents.take-over', { name: row?.name ?? agent.name }), { agentId: agent.agentId })}
      >
        {say('agents.take-over-the-changes')}
      </button>
    </p>
  )
}
