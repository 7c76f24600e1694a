import type { McpServerRow } from '@holdfast/protocol'

const WORDS: Readonly<Record<McpServerRow['changes'][number]['type'], string>> = {
  'tool-added': 'new tool',
  'tool-changed': 'changed',
  'tool-removed': 'gone',
  'instructions-changed': 'instructions',
}

/** In what a server is not what was accepted. Nothing of it counts until a person accepts it. [TOOL9] */
export function ServerChanges({ server, onAccept }: { readonly server: McpServerRow; readonly onAccept: () => void }) {
  const { name, changes } = server
  if (changes.length === 0) return null
  return (
    <div className="server-changes" data-testid="server-changes">
      <p>
        <strong>{name}</strong> has changed what it offers. Until you accept it, the old words stay and changed tools do
        not run.
      </p>
      {changes.slice(0, 50).map((change) => (
        <details key={`${change.type} ${change.name ?? ''}`}>
          <summary>{`${WORDS[change.type]}${change.name === null ? '' : ` ${change.name}`}`}</summary>
          {change.before !== null && <pre className="before">{JSON.stringify(change.before, null, 2)}</pre>}
          {change.after !== null && <pre className="after">{JSON.stringify(change.after, null, 2)}</pre>}
        </details>
      ))}
      {changes.length > 50 && <p className="meta">{`and ${changes.length - 50} more`}</p>}
      <button type="button" className="button small" onClick={onAccept}>
        Accept what it offers now
      </button>
    </div>
  )
}
