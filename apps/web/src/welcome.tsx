import type { AgentRow } from '@holdfast/protocol'
import { AgentMark } from './agents/agent-mark.tsx'
import { Icon } from './icons.tsx'

const STARTERS = [
  {
    command: '/demo stream-long',
    seconds: 20,
    name: 'Watch it stream',
    says: 'Forty paragraphs at a reading pace. Press Esc or Stop half way.',
  },
  {
    command: '/demo thinking',
    seconds: 5,
    name: 'See it think first',
    says: 'Thinking in one line, then a short reply.',
  },
  {
    command: '/demo canvas-dashboard',
    seconds: 10,
    name: 'Draw on the canvas',
    says: 'Cards, a chart, a table and a question beside the conversation.',
  },
  {
    command: '/demo drop-mid-stream',
    seconds: 5,
    name: 'Lose the line',
    says: 'The stream breaks off in the middle; what was said is kept.',
  },
  { command: '/demo cjk', seconds: 2, name: 'Other scripts', says: 'Chinese, Japanese and Korean.' },
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
      <h2>Nothing is connected yet, and you can try it.</h2>
      <p>The demo follows a script and takes the same path as a real model. Stop and recovery are the real thing.</p>
      <ul className="starters">
        {STARTERS.map(({ command, seconds, name, says }) => (
          <li className="starter-row" key={command}>
            <span className="starter-figure">{`${seconds} s`}</span>
            <button type="button" className="starter" onClick={() => onStart(command)}>
              <strong className="starter-name">{name}</strong>
              <span className="starter-says">{says}</span>
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
              <AgentMark name={agent.name} avatar={agent.avatar} />
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
