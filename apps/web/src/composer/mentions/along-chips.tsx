import type { AttachmentApi, UnsentPart } from '@holdfast/client'
import { Suspense } from 'react'
import { Icon } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { later } from '../../shared/later.tsx'
import { alongWords } from './along-words.ts'
import type { NamedThing } from './named-thing.ts'

const ElementChip = later(async () => (await import('./element-chip.tsx')).ElementChip)

interface AlongChipsProps {
  readonly parts: readonly UnsentPart[]
  /** What has a name here. */
  readonly things: readonly NamedThing[]
  readonly conversationId: string | null
  readonly attachments: AttachmentApi
  readonly onRemove: (part: UnsentPart) => void
  readonly onChange: (part: UnsentPart, next: UnsentPart) => void
}

/** What goes along with the message that is being written, beside its files. It is read when it is sent. [UI20] */
export function AlongChips({ parts, things, conversationId, attachments, onRemove, onChange }: AlongChipsProps) {
  if (parts.length === 0) return null
  return (
    <ul className="along-chips" aria-label={say('mentions.along')}>
      {parts.map((part) => {
        const { kind, name, title } = alongWords(part, things)
        if (part.type === 'element' && conversationId !== null)
          return (
            <Suspense key={part.selector + part.url} fallback={null}>
              <ElementChip
                conversationId={conversationId}
                attachments={attachments}
                part={part}
                kind={kind}
                onChange={(next) => onChange(part, next)}
                onRemove={() => onRemove(part)}
              />
            </Suspense>
          )
        return (
          <li
            key={JSON.stringify(part)}
            title={title}
            data-type={part.type}
            data-testid={part.type === 'resource' ? 'resource-chip' : 'along-chip'}
          >
            <span className="along-name" dir="auto">
              {name}
            </span>
            <span className="meta">{kind}</span>
            <button
              type="button"
              className="icon-button"
              aria-label={say('mentions.remove', { name })}
              onClick={() => onRemove(part)}
            >
              <Icon name="close" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
