import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { TranscriptItem } from '@holdfast/conversation'
import { CopyButton } from '../../shared/copy-button.tsx'
import { Icon } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { type TurnPart, wordsOf } from '../thread-parts.ts'
import { editedContent } from './edited-content.ts'
import { EraseButton } from './erase-button.tsx'
import type { ThreadActs } from './thread-acts.ts'

interface SlipActionsProps {
  readonly turn: TurnPart
  readonly item: TranscriptItem
  readonly acts: ThreadActs
  readonly isBusy: boolean
  readonly onEdit: () => void
  readonly store: ConversationStore
}

/** What can be done with a message of one's own, and which of its branches is shown. */
export function SlipActions({ turn, item, acts, isBusy, onEdit, store }: SlipActionsProps) {
  const isPinned = useConversation(store, ({ overview }) => overview.pins.includes(item.seq))
  const canEdit = item.state !== 'erased' && editedContent(item, '.') !== null
  return (
    <div className="slip-acts">
      {turn.branch && <BranchSwitch branch={turn.branch} acts={acts} isBusy={isBusy} />}
      <span className="quiet-acts">
        {item.state !== 'erased' && <CopyButton text={() => wordsOf(item.parts)} label={say('message.copy-message')} />}
        {canEdit && turn.keptSeq !== null && (
          <button
            type="button"
            className="link-button"
            data-key="e"
            aria-label={say('message.edit-message')}
            onClick={onEdit}
          >
            {say('common.edit')}
          </button>
        )}
        {item.state !== 'erased' && (
          <button
            type="button"
            className="link-button"
            data-testid="pin"
            aria-label={say('message.pin-message')}
            aria-pressed={isPinned}
            title={say('message.every-summary-carries-a-pinned')}
            onClick={() => store.pinMessage(item.seq, !isPinned)}
          >
            {isPinned ? say('message.pinned') : say('common.pin')}
          </button>
        )}
        {item.state !== 'erased' && <EraseButton seqs={[item.seq]} what="message" acts={acts} isBusy={isBusy} />}
      </span>
    </div>
  )
}

interface BranchSwitchProps {
  readonly branch: NonNullable<TurnPart['branch']>
  readonly acts: ThreadActs
  readonly isBusy: boolean
}

function BranchSwitch({ branch, acts, isBusy }: BranchSwitchProps) {
  const { index, lastRunIds } = branch
  function select(place: number): void {
    const lastRunId = lastRunIds[place]
    if (lastRunId !== undefined) acts.whenFree(() => acts.selectBranch(lastRunId))
  }
  return (
    <span
      className="branch"
      data-testid="branch"
      data-state={`${index + 1}/${lastRunIds.length}`}
      data-branch={lastRunIds.join(' ')}
    >
      <button
        type="button"
        className="icon-button"
        data-key="["
        aria-label={say('message.previous-branch')}
        aria-disabled={isBusy || index === 0}
        onClick={() => select(index - 1)}
      >
        <Icon name="left" />
      </button>
      <span className="meta">
        <span className="visually-hidden">{say('message.branch')} </span>
        {`${index + 1}/${lastRunIds.length}`}
      </span>
      <button
        type="button"
        className="icon-button"
        data-key="]"
        aria-label={say('message.next-branch')}
        aria-disabled={isBusy || index === lastRunIds.length - 1}
        onClick={() => select(index + 1)}
      >
        <Icon name="right" />
      </button>
    </span>
  )
}
