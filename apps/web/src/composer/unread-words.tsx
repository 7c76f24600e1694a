import { say } from '../shared/language/say.ts'
import type { UnreadHere } from './unread-here.ts'

interface UnreadWordsProps {
  readonly unread: UnreadHere
  /** Takes the words into the field. */
  readonly onBack: (words: string) => void
}

/** Offers the words of what cannot be sent any more. */
export function UnreadWords({ unread: { commands, onForget }, onBack }: UnreadWordsProps) {
  return commands.map(({ id, words }) => (
    <div key={id} className="refused" role="alert" data-testid="unread-words">
      <span>
        {say('composer.written-before-an-update')} <q dir="auto">{shortened(words)}</q>
      </span>
      <button
        type="button"
        className="link-button"
        onClick={() => {
          onBack(words)
          onForget(id)
        }}
      >
        {say('composer.back-to-the-field')}
      </button>
      <button type="button" className="link-button" onClick={() => onForget(id)}>
        {say('queue.discard')}
      </button>
    </div>
  ))
}

const SHOWN_CHARS = 120

function shortened(words: string): string {
  const line = words.trim().replace(/\s+/g, ' ')
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS - 1).trimEnd()}…` : line
}
