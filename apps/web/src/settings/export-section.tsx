import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { useId, useState } from 'react'
import { EXPORT_FORMATS } from '../archive/export-menu.tsx'

/** Saves one conversation as a file; all at once are saved by the program's command. */
export function ExportSection({ client }: { readonly client: Client }) {
  const id = useId()
  const rows = useObservable(client.conversations, (list) => list.rows)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const conversationId = chosenId ?? rows[0]?.id ?? null
  return (
    <section aria-labelledby="settings-export">
      <h2 id="settings-export">Export</h2>
      <p className="settings-lead">
        JSON holds everything and can be imported again. <code>holdfast export</code> in a terminal saves all
        conversations at once.
      </p>
      {conversationId === null ? (
        <p className="meta">There is nothing to export yet.</p>
      ) : (
        <div className="setting-acts">
          <label htmlFor={id} className="visually-hidden">
            Conversation to export
          </label>
          <select
            id={id}
            className="picker"
            value={conversationId}
            onChange={({ target }) => setChosenId(target.value)}
          >
            {rows.map((row) => (
              <option key={row.id} value={row.id}>
                {row.title ?? 'Untitled'}
              </option>
            ))}
          </select>
          {EXPORT_FORMATS.map(({ format, name, says }) => (
            <a
              key={format}
              className="button"
              href={client.exportAddress(conversationId, format)}
              title={says}
              download
            >
              {name}
            </a>
          ))}
        </div>
      )}
    </section>
  )
}
