import type { Client, DamageAnswer } from '@holdfast/client'
import { useCallback } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { SaveLink } from '../shared/save-link.tsx'
import { EXPORT_FORMATS, exportName, exportSays } from './export-menu.tsx'

interface DamageNoticeProps {
  readonly client: Client
  readonly conversationId: string
  /** Whether it is known to be damaged; else it is looked at first, and nothing is said where it is whole. */
  readonly isKnown: boolean
}

/** Says of a damaged conversation what is lost and what can still be read, and saves that. [LOG7] */
export function DamageNotice({ client, conversationId, isKnown }: DamageNoticeProps) {
  const ask = useCallback(() => client.readDamage(conversationId), [client, conversationId])
  const [answer, askAgain] = useAsked(ask)
  if (!isKnown && !(answer.type === 'here' && answer.value.isDamaged)) return null
  return (
    <section
      // Where the composer would be: what skips to it comes here.
      id="composer-input"
      tabIndex={-1}
      className="damage-notice"
      role="alert"
      data-testid="damage-notice"
      data-state={answer.type}
    >
      <h2>{say('damage.this-conversation-is-damaged')}</h2>
      {answer.type === 'asking' && <p className="meta">{say('damage.looking')}</p>}
      {answer.type === 'failed' && (
        <p>
          {say('damage.not-looked', { problem: answer.problem })}{' '}
          <button type="button" className="link-button" onClick={askAgain}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      {answer.type === 'here' && <Extent damage={answer.value} />}
      <p>{say('damage.what-to-do')}</p>
      <div className="acts">
        {EXPORT_FORMATS.map(({ format, name }) => (
          <SaveLink
            key={format}
            client={client}
            className="button small"
            target={client.exportAddress(conversationId, format, null)}
            title={exportSays(format, { redact: false })}
          >
            {say('damage.save-as', { format: exportName(name) })}
          </SaveLink>
        ))}
      </div>
    </section>
  )
}

function Extent({ damage }: { readonly damage: DamageAnswer }) {
  const { readableCount, entryCount, missing, what } = damage
  const first = missing[0]?.from ?? null
  return (
    <>
      <p>
        {entryCount === null
          ? say('damage.readable', { readable: readableCount })
          : say('damage.readable-of', { readable: readableCount, count: entryCount })}{' '}
        {first !== null && say('damage.from-entry', { seq: first })}
      </p>
      {what !== null && (
        <details>
          <summary>{say('damage.what-the-store-says')}</summary>
          <p className="meta" dir="auto">
            {what}
          </p>
        </details>
      )}
    </>
  )
}
