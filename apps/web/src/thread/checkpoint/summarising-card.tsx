import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { Glyph } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { useSecondsSince } from '../../shared/use-seconds.ts'

/** A summary that is being made by itself: it answers nothing, and can be called off. */
export function SummarisingCard({ store }: { readonly store: ConversationStore }) {
  const run = useConversation(store, (state) => state.overview.runState.exclusive)
  if (run?.purpose !== 'checkpoint') return null
  return (
    <SummarisingLine
      startedAt={run.startedAt}
      onCancel={run.stopRequestedAt === null ? () => store.stop('stop') : null}
    />
  )
}

interface SummarisingLineProps {
  readonly startedAt: number
  /** Null where it ends with its turn. */
  readonly onCancel: (() => void) | null
}

/** The words for a summary under way. */
export function SummarisingLine({ startedAt, onCancel }: SummarisingLineProps) {
  const seconds = useSecondsSince(startedAt)
  return (
    <div className="summarising" data-testid="summarising">
      <Glyph name="running" lively />
      <span>{say('checkpoint.summarising', { seconds })}</span>
      {onCancel && (
        <button type="button" className="link-button" onClick={onCancel}>
          {say('common.cancel')}
        </button>
      )}
    </div>
  )
}
