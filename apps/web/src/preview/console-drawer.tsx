import { say } from '../shared/language/say.ts'
import type { SessionState } from './session-state.ts'

interface ConsoleDrawerProps {
  readonly state: SessionState
  /** What the dev server printed last. */
  readonly log: string
  readonly onClear: () => void
}

/** What the page and its server said. Words of strangers, as text. */
export function ConsoleDrawer({ state: { console, consoleCounts }, log, onClear }: ConsoleDrawerProps) {
  return (
    <section
      className="preview-console"
      aria-label={say('preview.console', { count: consoleCounts.all })}
      data-testid="preview-console"
    >
      <header>
        <span>{say('preview.console-counts', { errors: consoleCounts.error, warnings: consoleCounts.warn })}</span>
        <button type="button" className="link-button" onClick={onClear}>
          {say('preview.clear')}
        </button>
      </header>
      <ol dir="ltr">
        {console.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing of their own, and only leave at the beginning
          <li key={index} data-level={line.level}>
            {line.text}
            {line.count > 1 && <span className="meta"> ×{line.count}</span>}
          </li>
        ))}
      </ol>
      {log !== '' && (
        <details>
          <summary>{say('preview.log')}</summary>
          <pre className="preview-log" dir="ltr">
            {log}
          </pre>
        </details>
      )}
    </section>
  )
}
