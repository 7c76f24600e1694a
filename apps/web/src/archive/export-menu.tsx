import type { Client, ExportFormat } from '@holdfast/client'
import { useId, useRef } from 'react'
import { Icon } from '../icons.tsx'
import { type PlainKey, say } from '../language/say.ts'

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

/** Saves the conversation as a file. */
export function ExportMenu({ client, conversationId }: { readonly client: Client; readonly conversationId: string }) {
  const id = useId()
  const menu = useRef<HTMLElement>(null)
  return (
    <>
      <button type="button" className="icon-button export-button" aria-label={say('archive.export')} popoverTarget={id}>
        <Icon name="download" />
      </button>
      <section ref={menu} id={id} popover="auto" className="export-menu" aria-label={say('archive.export-as')}>
        {EXPORT_FORMATS.map(({ format, name, says }) => (
          <a
            key={format}
            href={client.exportAddress(conversationId, format)}
            download
            onClick={() => menu.current?.hidePopover()}
          >
            <strong>{exportName(name)}</strong>
            <span className="meta">{say(says)}</span>
          </a>
        ))}
      </section>
    </>
  )
}
