import type { AgentRow } from '@holdfast/protocol'
import { say } from '../language/say.ts'
import { agentFacts } from './agent-facts.ts'

interface AgentViewProps {
  readonly row: AgentRow
  readonly onDuplicate: () => void
  readonly onClose: () => void
}

/** What an agent is set to that is not this person's to change: shared with them, or the installation's. [AGENT4] */
export function AgentView({ row, onDuplicate, onClose }: AgentViewProps) {
  const { name } = row
  return (
    <section className="agent-form" data-testid="agent-view" aria-label={say('agents.agent-name', { name })}>
      <h3 dir="auto">{name}</h3>
      <dl className="agent-facts">
        {agentFacts(row).map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd dir="auto" className={fact.isCode ? 'mono' : undefined}>
              {fact.value}
            </dd>
          </div>
        ))}
      </dl>
      <div className="setting-acts">
        <button type="button" className="button" onClick={onDuplicate}>
          {say('agents.duplicate')}
        </button>
        <button type="button" className="link-button" onClick={onClose}>
          {say('common.close')}
        </button>
      </div>
    </section>
  )
}
