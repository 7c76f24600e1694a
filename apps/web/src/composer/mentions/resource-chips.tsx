import type { TranscriptPart } from '@holdfast/conversation'
import { say } from '../../shared/language/say.ts'
import type { SentResource } from './use-mentions.ts'

interface ResourceChipsProps {
  readonly resources: readonly SentResource[]
  readonly onRemove: (resource: SentResource) => void
}

/** The resources that go along with the message that is being written. They are read when it is sent. */
export function ResourceChips({ resources, onRemove }: ResourceChipsProps) {
  if (resources.length === 0) return null
  return (
    <ul className="resource-chips" aria-label={say('mentions.along')}>
      {resources.map((resource) => (
        <li key={`${resource.server} ${resource.uri}`} title={resource.uri} data-testid="resource-chip">
          <span dir="auto">{say('mentions.of-server', { name: resource.name, server: resource.server })}</span>
          <button
            type="button"
            className="link-button"
            aria-label={say('mentions.remove', { name: resource.name })}
            onClick={() => onRemove(resource)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The resources that were sent with a message: what the model was sent of them can be read. */
export function SentResources({ parts }: { readonly parts: readonly TranscriptPart[] }) {
  return parts.map((part) =>
    part.type === 'resource' ? (
      <details key={`${part.server} ${part.uri}`} className="sent-resource" data-testid="sent-resource">
        <summary dir="auto">{say('mentions.of-server', { name: part.name, server: part.server })}</summary>
        <p className="meta" dir="auto">
          {part.cut ? say('mentions.sent-in-part', { uri: part.uri }) : part.uri}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
        <pre className="terminal" dir="auto" tabIndex={0}>
          {part.text}
        </pre>
      </details>
    ) : null,
  )
}
