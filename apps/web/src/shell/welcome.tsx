import type { AgentRow } from '@holdfast/protocol'
import { AgentMark } from '../agents/agent-mark.tsx'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'

const STARTERS = [
  {
    command: '/demo stream-long',
    seconds: 20,
    name: 'welcome.watch-it-stream',
    says: 'welcome.forty-paragraphs-at-a-reading',
  },
  {
    command: '/demo thinking',
    seconds: 5,
    name: 'welcome.see-it-think-first',
    says: 'welcome.thinking-in-one-line-then',
  },
  {
    command: '/demo canvas-dashboard',
    seconds: 10,
    name: 'welcome.draw-on-the-canvas',
    says: 'welcome.cards-a-chart-a-table',
  },
  {
    command: '/demo drop-mid-stream',
    seconds: 5,
    name: 'welcome.lose-the-line',
    says: 'welcome.the-stream-breaks-off-in',
  },
  { command: '/demo cjk', seconds: 2, name: 'welcome.other-scripts', says: 'welcome.chinese-japanese-and-korean' },
] as const

interface WelcomeProps {
  /** Who answers; null where it is not known yet. */
  readonly agent: AgentRow | null
  readonly onStart: (text: string) => void
}

/** What an empty conversation shows: what can be tried. */
export function Welcome({ agent, onStart }: WelcomeProps) {
  if (agent !== null && agent.starters.length > 0) return <AgentWelcome agent={agent} onStart={onStart} />
  return (
    <div className="welcome">
      <h2>{say('welcome.nothing-is-connected-yet-and')}</h2>
      <p>{say('welcome.the-demo-follows-a-script')}</p>
      <ul className="starters">
        {STARTERS.map(({ command, seconds, name, says }) => (
          <li className="starter-row" key={command}>
            <span className="starter-figure">{say('welcome.seconds', { seconds })}</span>
            <button type="button" className="starter" onClick={() => onStart(command)}>
              <strong className="starter-name">{say(name)}</strong>
              <span className="starter-says">{say(says)}</span>
              <span className="starter-arrow">
                <Icon name="right" />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What an agent offers to begin with. */
function AgentWelcome({ agent, onStart }: { readonly agent: AgentRow; readonly onStart: (text: string) => void }) {
  return (
    <div className="welcome" data-testid="agent-welcome">
      <h2 dir="auto">{agent.name}</h2>
      {agent.description !== '' && <p dir="auto">{agent.description}</p>}
      <ul className="starters">
        {agent.starters.map((text) => (
          <li className="starter-row" key={text}>
            <span className="starter-figure">
              <AgentMark agentId={agent.id} name={agent.name} avatar={agent.avatar} />
            </span>
            <button type="button" className="starter" onClick={() => onStart(text)}>
              <strong className="starter-name" dir="auto">
                {text}
              </strong>
              <span className="starter-arrow">
                <Icon name="right" />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
