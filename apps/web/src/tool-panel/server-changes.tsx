import type { McpServerRow } from '@holdfast/protocol'
import { Said } from '../language/said.tsx'
import { type PlainKey, say } from '../language/say.ts'

const WORDS: Readonly<Record<McpServerRow['changes'][number]['type'], PlainKey>> = {
  'tool-added': 'tool-panel.new-tool',
  'tool-changed': 'tool-panel.changed',
  'tool-removed': 'tool-panel.gone',
  'instructions-changed': 'tool-panel.instructions',
}

/** In what a server is not what was accepted. Nothing of it counts until a person accepts it. [TOOL9] */
export function ServerChanges({ server, onAccept }: { readonly server: McpServerRow; readonly onAccept: () => void }) {
  const { name, changes } = server
  if (changes.length === 0) return null
  return (
    <div className="server-changes" data-testid="server-changes">
      <p>
        <Said of="tool-panel.has-changed" values={{ name }} tags={{ strong: (inner) => <strong>{inner}</strong> }} />
      </p>
      {changes.slice(0, 50).map((change) => (
        <details key={`${change.type} ${change.name ?? ''}`}>
          <summary>{[say(WORDS[change.type]), change.name].filter((word) => word !== null).join(' ')}</summary>
          {change.before !== null && <pre className="before">{JSON.stringify(change.before, null, 2)}</pre>}
          {change.after !== null && <pre className="after">{JSON.stringify(change.after, null, 2)}</pre>}
        </details>
      ))}
      {changes.length > 50 && <p className="meta">{say('tool-panel.and-more', { count: changes.length - 50 })}</p>}
      <button type="button" className="button small" onClick={onAccept}>
        {say('tool-panel.accept-what-it-offers-now')}
      </button>
    </div>
  )
}
