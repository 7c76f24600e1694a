import type { Client, ExportChoices, ExportFormat } from '@holdfast/client'
import { Suspense, useId, useRef, useState } from 'react'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { SaveLink } from '../shared/save-link.tsx'
import { FIRST_CHOICES } from './first-choices.ts'

const ExportChoicesFields = later(async () => (await import('./export-choices.tsx')).ExportChoicesFields)

/** The kinds of files that a conversation is saved as. */
export const EXPORT_FORMATS: readonly {
  readonly format: ExportFormat
  /** As the format calls itself; null for what has no name. */
  readonly name: string | null
}[] = [
  { format: 'md', name: 'Markdown' },
  { format: 'html', name: null },
  { format: 'json', name: 'JSON' },
]

/** What a format is for; with masks, files are left out of what holds everything else. [UI51] */
export function exportSays(format: ExportFormat, { redact }: Pick<ExportChoices, 'redact'>): string {
  if (format === 'json')
    return say(redact ? 'archive.not-everything-with-masks' : 'archive.everything-can-be-imported-again')
  return say(format === 'md' ? 'archive.for-reading-and-editing' : 'archive.one-file-without-scripts')
}

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
        {EXPORT_FORMATS.map(({ format, name }) => (
          <SaveLink
            key={format}
            client={client}
            target={client.exportAddress(conversationId, format, choices)}
            onChosen={() => menu.current?.hidePopover()}
          >
            <strong>{exportName(name)}</strong>
            <span className="meta">{exportSays(format, choices)}</span>
          </SaveLink>
        ))}
      </section>
    </>
  )
}
