import type { AttachmentApi, UnsentPart } from '@holdfast/client'
import { useEffect, useId, useState } from 'react'
import { flashElement, type PreviewSession, shownSession } from '../../preview/preview-session.ts'
import { answerOf } from '../../shared/ask-server.ts'
import { Icon } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { tellProblem } from '../../shared/toasts/toasts.ts'

type ElementPart = Extract<UnsentPart, { type: 'element' }>

interface ElementChipProps {
  readonly conversationId: string
  readonly attachments: AttachmentApi
  readonly part: ElementPart
  readonly kind: string
  readonly onChange: (next: ElementPart) => void
  readonly onRemove: () => void
}

/** What an element is known by. */
const ALWAYS = ['url', 'selector'] as const
/** Each of these can stay here. */
const FIELDS = ['text', 'role', 'source', 'html'] as const
type Field = (typeof FIELDS)[number]

/** An element of a preview that goes along: it shows itself in the preview, and each thing that is sent of it. [PREV4] */
export function ElementChip({ conversationId, attachments, part, kind, onChange, onRemove }: ElementChipProps) {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const { selector } = part
  const name = nameOf(part)

  useEffect(() => {
    const session = shownSession(conversationId)
    if (session === null) return
    const look = () => setMissing(session.getSnapshot().missing.includes(selector))
    look()
    return session.subscribe(look)
  }, [conversationId, selector])

  return (
    <li
      data-type="element"
      data-testid="along-chip"
      title={selector}
      onPointerEnter={() => flashElement(conversationId, selector)}
    >
      <button
        type="button"
        className="along-name"
        dir="auto"
        aria-expanded={isOpen}
        aria-controls={listId}
        onFocus={() => flashElement(conversationId, selector)}
        onClick={() => setOpen(!isOpen)}
      >
        {name}
      </button>
      <span className="meta">{isMissing ? say('preview.not-found-now') : kind}</span>
      <button type="button" className="icon-button" aria-label={say('mentions.remove', { name })} onClick={onRemove}>
        <Icon name="close" />
      </button>
      {isOpen && (
        <dl id={listId} className="element-fields" aria-label={say('preview.goes-along')} data-testid="element-fields">
          {ALWAYS.map((field) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>{part[field]}</dd>
            </div>
          ))}
          {FIELDS.filter((field) => fieldText(part, field) !== '').map((field) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>{fieldText(part, field)}</dd>
              <dd className="element-act">
                <button
                  type="button"
                  className="icon-button"
                  aria-label={say('preview.leave-out', { name: field })}
                  onClick={() => onChange(without(part, field))}
                >
                  <Icon name="close" />
                </button>
              </dd>
            </div>
          ))}
          <ElementPicture conversationId={conversationId} attachments={attachments} part={part} onChange={onChange} />
        </dl>
      )}
    </li>
  )
}

/** A picture of it, which is taken when somebody asks for it, and left out again. [PREV13] */
function ElementPicture({ conversationId, attachments, part, onChange }: Omit<ElementChipProps, 'kind' | 'onRemove'>) {
  const [isBusy, setBusy] = useState(false)
  const { attachmentId, selector } = part
  const session = shownSession(conversationId)

  async function take(from: PreviewSession): Promise<void> {
    setBusy(true)
    const upload = async () =>
      attachments.upload(await from.photograph(selector), {
        signal: new AbortController().signal,
        onProgress: () => {},
      })
    const { value, problem } = await answerOf(upload())
    setBusy(false)
    if (value === null) tellProblem(problem)
    else onChange({ ...part, attachmentId: value.id })
  }

  if (attachmentId !== undefined)
    return (
      <div>
        <dt>{say('preview.picture')}</dt>
        <dd>{say('preview.picture-goes-along')}</dd>
        <dd className="element-act">
          <button
            type="button"
            className="icon-button"
            aria-label={say('preview.leave-out', { name: say('preview.picture') })}
            onClick={() => onChange(withoutPicture(part))}
          >
            <Icon name="close" />
          </button>
        </dd>
      </div>
    )
  if (session === null) return null
  return (
    <div>
      <dt>{say('preview.picture')}</dt>
      <dd>
        <button type="button" className="button small" disabled={isBusy} onClick={() => void take(session)}>
          {say(isBusy ? 'preview.picture-is-taken' : 'preview.picture-of-element')}
        </button>
      </dd>
    </div>
  )
}

function withoutPicture({ attachmentId: _left, ...rest }: ElementPart): ElementPart {
  return rest
}

/** What it is called, and where it is made: `button “Save” · App.jsx:9`. */
function nameOf({ text, selector, source }: ElementPart): string {
  const tag = selector.split(' > ').at(-1) ?? selector
  const called = text === undefined ? tag : `${tag} “${text.slice(0, 30)}”`
  return source === undefined ? called : `${called} · ${source.file.split('/').at(-1)}:${source.line}`
}

function fieldText(part: ElementPart, field: Field): string {
  if (field !== 'source') return part[field] ?? ''
  const { source } = part
  return source === undefined ? '' : `${source.file}:${source.line}:${source.column} (${source.certainty})`
}

function without(part: ElementPart, field: Field): ElementPart {
  if (field === 'html') return { ...part, html: '' }
  const { [field]: _left, ...rest } = part
  return rest
}
