import type { MemoryChange } from '@holdfast/client'
import type { MemoryRow } from '@holdfast/protocol'
import { useId, useState } from 'react'
import { listTime } from '../format.ts'
import { say } from '../language/say.ts'
import { goToMessage, messagePath } from '../message-target.ts'
import { SureButton } from './sure-button.tsx'

interface ItemProps {
  readonly memory: MemoryRow
  readonly onChange: (change: MemoryChange) => Promise<boolean>
  readonly onRemove: () => void
}

/** One memory, where it came from, and what can be done with it. */
export function MemoryItem({ memory, onChange, onRemove }: ItemProps) {
  const [isEditing, setEditing] = useState(false)
  const { text, isPinned, agentId, createdAt, from } = memory
  if (isEditing) return <EditMemory text={text} onSave={onChange} onDone={() => setEditing(false)} />
  return (
    <article className="memory" data-testid="memory" data-state={isPinned ? 'pinned' : 'plain'}>
      <p dir="auto">{text}</p>
      <div className="memory-acts">
        <span className="meta">
          <time>{listTime(createdAt, Date.now())}</time>
          {isPinned && [' · ', say('memories.pinned')]}
          {agentId !== null && [' · ', say('memories.only-for', { agent: agentId })]}
          {from === null && [' · ', say('memories.written-by-you')]}
        </span>
        {from !== null && <Source from={from} />}
        <button type="button" className="link-button" onClick={() => void onChange({ isPinned: !isPinned })}>
          {isPinned ? say('common.unpin') : say('common.pin')}
        </button>
        <button type="button" className="link-button" onClick={() => setEditing(true)}>
          {say('common.edit')}
        </button>
        <SureButton name={say('memories.forget')} sure={say('memories.forget-for-good')} onSure={onRemove} />
      </div>
    </article>
  )
}

/** The message that was being answered when it was saved. */
function Source({ from: { conversationId, seq } }: { readonly from: NonNullable<MemoryRow['from']> }) {
  return (
    <a
      className="link-button"
      href={messagePath(conversationId, seq)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        goToMessage(conversationId, seq)
      }}
    >
      {say('memories.where-it-came-from')}
    </a>
  )
}

interface EditProps {
  readonly text: string
  readonly onSave: (change: MemoryChange) => Promise<boolean>
  readonly onDone: () => void
}

function EditMemory({ text, onSave, onDone }: EditProps) {
  const [draft, setDraft] = useState(text)
  const id = useId()
  return (
    <form
      className="memory-add"
      onSubmit={(event) => {
        event.preventDefault()
        void onSave({ text: draft }).then((isDone) => isDone && onDone())
      }}
    >
      <div className="field">
        <label htmlFor={id}>{say('memories.memory')}</label>
        <input
          id={id}
          type="text"
          dir="auto"
          // biome-ignore lint/a11y/noAutofocus: it opens where its button was, at the person's wish
          autoFocus
          value={draft}
          onChange={({ target }) => setDraft(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
            event.preventDefault()
            onDone()
          }}
        />
      </div>
      <button type="submit" className="button small">
        {say('common.save')}
      </button>
    </form>
  )
}
