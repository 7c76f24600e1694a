import type { Client, ExportFormat } from '@holdfast/client'
import { Suspense, useId, useRef, useState } from 'react'
import { Icon } from '../shared/icons.tsx'
import { type PlainKey, say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { SaveLink } from '../shared/save-link.tsx'
import { FIRST_CHOICES } from './first-choices.ts'

const ExportChoicesFields = later(async () => (await import('./export-choices.tsx')).ExportChoicesFields)

/** The kinds of files that a conversation is saved as. */
export const EXPORT_FORMATS: readonly {
  readonly format: ExportFormat
  /** As the format calls itself; null for what has no name. */
  readonly name: string | null
  readonly says: PlainKey
}[] = [
  { format: 'md', name: 'Markdown', says: 'archive.for-reading-and-editing' },
  { format: 'html', name: null, says: 'archive.one-file-without-scripts' },
  { format: 'json', name: 'JSON', says: 'archive.everything-can-be-imported-again' },
]

/** What a format is called. */
export function exportName(name: string | null): string {
  return name ?? say('archive.web-page')
}

/** Saves the conversation as a file, with what is chosen. */
export function ExportMenu({ client, conversationId }: { readonly client: Client; readonly conversationId: string }) {
  const id = useId()
  const menu = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [choices, setChoices] = useState(FIRST_CHOICES)
  return (
    <>
      <button type="button" className="icon-button export-button" aria-label={say('archive.export')} popoverTarget={id}>
        <Icon name="download" />
        <span className="act-words">{say('archive.export')}</span>
      </button>
      <section
        ref={menu}
        id={id}
        popover="auto"
        className="export-menu"
        aria-label={say('archive.export-as')}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <Suspense fallback={null}>
            <ExportChoicesFields
              client={client}
              conversationId={conversationId}
              choices={choices}
              onChange={setChoices}
            />
          </Suspense>
        )}
        {EXPORT_FORMATS.map(({ format, name, says }) => (
          <SaveLink
            key={format}
            client={client}
            target={client.exportAddress(conversationId, format, choices)}
            onChosen={() => menu.current?.hidePopover()}
          >
            <strong>{exportName(name)}</strong>
            <span className="meta">{say(says)}</span>
          </SaveLink>
        ))}
      </section>
    </>
  )
}
