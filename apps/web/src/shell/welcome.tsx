import type { AgentRow } from '@holdfast/protocol'
import { AgentMark } from '../agents/agent-mark.tsx'
import { Icon } from '../shared/icons.tsx'
import { insertWords } from '../shared/insert-words.ts'
import { say } from '../shared/language/say.ts'

/** Who would answer: the script of this computer alone, that script beside models, a model, or nobody knows yet. */
export type WelcomeModel = 'demo-alone' | 'demo' | 'real' | 'unknown'

/** What the demo shows, in the order in which one tries it. Each is a message to the demo model and to no other. */
const TOUR = [
  {
    command: '/demo stream-long',
    seconds: 20,
    name: 'welcome.watch-it-stream',
    says: 'welcome.forty-paragraphs-at-a-reading',
  },
  { command: '/demo sub-agent', seconds: 10, name: 'welcome.be-asked-first', says: 'welcome.a-tool-waits-for-you' },
  {
    command: '/demo canvas-dashboard',
    seconds: 10,
    name: 'welcome.draw-on-the-canvas',
    says: 'welcome.cards-a-chart-a-table',
  },
  {
    command: '/demo fill-context 80',
    seconds: 5,
    name: 'welcome.fill-the-window',
    says: 'welcome.the-meter-shows',
  },
  {
    command: '/demo drop-mid-stream',
    seconds: 5,
    name: 'welcome.lose-the-line',
    says: 'welcome.the-stream-breaks-off-in',
  },
] as const

/** Beginnings of messages: the person ends and sends them. */
const BEGINNINGS = [
  { name: 'welcome.explain-something', says: 'welcome.explain-says', words: 'welcome.explain-words' },
  { name: 'welcome.rework-a-text', says: 'welcome.rework-says', words: 'welcome.rework-words' },
  { name: 'welcome.plan-a-task', says: 'welcome.plan-says', words: 'welcome.plan-words' },
  { name: 'welcome.see-it-drawn', says: 'welcome.drawn-says', words: 'welcome.drawn-words' },
] as const

interface WelcomeProps {
  /** The agent that answers; null where it is not known yet. */
  readonly agent: AgentRow | null
  readonly model: WelcomeModel
  /** Sends words to whoever answers. */
  readonly onStart: (text: string) => void
  /** Sends a command to the demo model, whoever else would answer. */
  readonly onDemo: (command: string) => void
}

/** What an empty conversation shows: how one can begin. */
export function Welcome({ agent, model, onStart, onDemo }: WelcomeProps) {
  if (agent !== null && agent.starters.length > 0) return <AgentWelcome agent={agent} onStart={onStart} />
  switch (model) {
    case 'unknown':
      return null
    case 'real':
      return <ModelWelcome onDemo={onDemo} />
    case 'demo':
    case 'demo-alone':
      return (
        <div className="welcome" data-testid="demo-welcome">
          <h2>
            {say(model === 'demo' ? 'welcome.the-demo-model-answers-here' : 'welcome.nothing-is-connected-yet-and')}
          </h2>
          <p>{say('welcome.the-demo-follows-a-script')}</p>
          <Tour onDemo={onDemo} />
        </div>
      )
  }
}

/** Where a model answers: what one might ask it, and the demo beside it. Nothing is sent before the person sends it. */
function ModelWelcome({ onDemo }: Pick<WelcomeProps, 'onDemo'>) {
  return (
    <div className="welcome" data-testid="model-welcome">
      <h2>{say('welcome.what-is-it-about')}</h2>
      <p>{say('welcome.a-beginning-comes-into-the')}</p>
      <ul className="starters">
        {BEGINNINGS.map(({ name, says, words }) => (
          <li className="starter-row" key={name}>
            <span className="starter-figure" />
            <StarterButton name={say(name)} says={say(says)} onPress={() => insertWords(say(words))} />
          </li>
        ))}
      </ul>
      <details className="welcome-demo">
        <summary>{say('welcome.see-it-work-first')}</summary>
        <Tour onDemo={onDemo} />
      </details>
    </div>
  )
}

function Tour({ onDemo }: Pick<WelcomeProps, 'onDemo'>) {
  return (
    <ul className="starters">
      {TOUR.map(({ command, seconds, name, says }) => (
        <li className="starter-row" key={command}>
          <span className="starter-figure">{say('welcome.seconds', { seconds })}</span>
          <StarterButton name={say(name)} says={say(says)} onPress={() => onDemo(command)} />
        </li>
      ))}
    </ul>
  )
}

interface StarterButtonProps {
  readonly name: string
  readonly says: string
  readonly onPress: () => void
}

function StarterButton({ name, says, onPress }: StarterButtonProps) {
  return (
    <button type="button" className="starter" onClick={onPress}>
      <strong className="starter-name">{name}</strong>
      <span className="starter-says">{says}</span>
      <span className="starter-arrow">
        <Icon name="right" />
      </span>
    </button>
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
