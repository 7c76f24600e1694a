import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { useId, useState } from 'react'
import { ExportChoicesFields } from '../archive/export-choices.tsx'
import { EXPORT_FORMATS, exportName } from '../archive/export-menu.tsx'
import { FIRST_CHOICES } from '../archive/first-choices.ts'
import { Said } from '../language/said.tsx'
import { say } from '../language/say.ts'

/** Saves one conversation as a file; all at once are saved by the program's command. */
export function ExportSection({ client }: { readonly client: Client }) {
  const id = useId()
  const rows = useObservable(client.conversations, (list) => list.rows)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [choices, setChoices] = useState(FIRST_CHOICES)
  const conversationId = chosenId ?? rows[0]?.id ?? null
  return (
    <section aria-labelledby="settings-export">
      <h2 id="settings-export">{say('settings.export')}</h2>
      <p className="settings-lead">
        <Said of="settings.export-lead" values={{}} tags={{ code: (inner) => <code>{inner}</code> }} />
      </p>
      {conversationId === null ? (
        <p className="meta">{say('settings.there-is-nothing-to-export')}</p>
      ) : (
        <div className="setting-acts">
          <label htmlFor={id} className="visually-hidden">
            {say('settings.conversation-to-export')}
          </label>
          <select
            id={id}
            className="picker"
            value={conversationId}
            onChange={({ target }) => setChosenId(target.value)}
          >
            {rows.map((row) => (
              <option key={row.id} value={row.id}>
                {row.title ?? say('common.untitled')}
              </option>
            ))}
          </select>
          <ExportChoicesFields {...{ client, conversationId, choices }} onChange={setChoices} />
          {EXPORT_FORMATS.map(({ format, name, says }) => (
            <a
              key={format}
              className="button"
              href={client.exportAddress(conversationId, format, choices)}
              title={say(says)}
              download
            >
              {exportName(name)}
            </a>
          ))}
        </div>
      )}
    </section>
  )
}
