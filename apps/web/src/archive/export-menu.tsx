import type { Client, ExportFormat } from '@holdfast/client'
import { useId, useRef } from 'react'
import { Icon } from '../icons.tsx'

/** The kinds of files that a conversation is saved as. */
export const EXPORT_FORMATS: readonly {
  readonly format: ExportFormat
  readonly name: string
  readonly says: string
}[] = [
  { format: 'md', name: 'Markdown', says: 'For reading and editing' },
  { format: 'html', name: 'Web page', says: 'One file, without scripts' },
  { format: 'json', name: 'JSON', says: 'Everything; can be imported again' },
]

/** Saves the conversation as a file. */
export function ExportMenu({ client, conversationId }: { readonly client: Client; readonly conversationId: string }) {
  const id = useId()
  const menu = useRef<HTMLElement>(null)
  return (
    <>
      <button type="button" className="icon-button export-button" aria-label="Export" popoverTarget={id}>
        <Icon name="download" />
      </button>
      <section ref={menu} id={id} popover="auto" className="export-menu" aria-label="Export as">
        {EXPORT_FORMATS.map(({ format, name, says }) => (
          <a
            key={format}
            href={client.exportAddress(conversationId, format)}
            download
            onClick={() => menu.current?.hidePopover()}
          >
            <strong>{name}</strong>
            <span className="meta">{says}</span>
          </a>
        ))}
      </section>
    </>
  )
}
