import { say } from '../../shared/language/say.ts'
import type { MentionQuery } from './mention-query.ts'
import type { Offer } from './offers.ts'

interface MentionMenuProps {
  readonly id: string
  readonly type: MentionQuery['type']
  readonly offers: readonly Offer[]
  readonly active: number
  readonly isLoading: boolean
  readonly onChoose: (offer: Offer) => void
}

/** What can be chosen while `/` or `@` is written. The focus stays in the field, which moves the choice. */
export function MentionMenu({ id, type, offers, active, isLoading, onChoose }: MentionMenuProps) {
  const label = say(type === 'prompt' ? 'mentions.prompts' : 'mentions.resources')
  if (offers.length === 0)
    return (
      <p className="mention-menu meta" role="status" data-testid="mention-menu">
        {isLoading ? say('mentions.reading') : say(type === 'prompt' ? 'mentions.no-prompt' : 'mentions.no-name')}
      </p>
    )
  return (
    <div className="mention-menu" data-testid="mention-menu">
      <div id={id} role="listbox" aria-label={label}>
        {offers.map((offer, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys, as for every list of proposals
          <div
            key={offer.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(offer)}
          >
            <span className="tool-name" dir="auto">
              {offer.name}
            </span>
            {offer.server !== '' && (
              <span className="meta" dir="auto">
                {offer.server}
              </span>
            )}
            <span className="meta mention-about" dir="auto">
              {offer.description}
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
