import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useId, useState } from 'react'
import { askedSetting } from '../asked-setting.ts'
import { MemoryItem } from './memory-item.tsx'
import { SureButton } from './sure-button.tsx'
import { useMemories } from './use-memories.ts'

interface PanelProps {
  readonly client: Client
  /** The conversation that is open beside it; null for none. */
  readonly store: ConversationStore | null
  readonly onOpened: () => void
}

/** Reads, finds, writes, changes and forgets memories, and turns them on and off. */
export function MemoriesPanel({ client, store, onOpened }: PanelProps) {
  const [query, setQuery] = useState('')
  const shelf = useMemories(client.memories, query.trim())
  const searchId = useId()
  const fileId = useId()
  const { answer, act, imported } = shelf
  if (answer === null) return <p className="memories-panel">{act.problem ?? 'Reading…'}</p>
  const { memories, totalCount, mostMemories, isOn } = answer
  return (
    <div className="memories-panel" data-testid="memories-panel">
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={({ target }) => shelf.setOn(target.checked)} />
        Agents are told these, and may add to them
      </label>
      {store && isOn && <OfConversation store={store} />}
      <AddMemory onAdd={shelf.add} />
      {totalCount > 0 && (
        <div className="field">
          <label htmlFor={searchId}>Search memories</label>
          <input
            id={searchId}
            type="search"
            dir="auto"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
        </div>
      )}
      {act.problem !== null && <p role="alert">{act.problem}</p>}
      <p className="meta" role="status">
        {imported ?? countWords({ shown: memories.length, totalCount, mostMemories, isSearch: query.trim() !== '' })}
      </p>
      <ul className="memory-list">
        {memories.map((memory) => (
          <li key={memory.memoryId}>
            <MemoryItem
              memory={memory}
              onChange={(change) => shelf.change(memory.memoryId, change)}
              onRemove={() => shelf.remove(memory.memoryId)}
              onOpened={onOpened}
            />
          </li>
        ))}
      </ul>
      <footer className="memory-foot">
        <a className="link-button" href={client.memories.exportAddress} download="holdfast-memories.json">
          Export
        </a>
        <label htmlFor={fileId}>Import a file</label>
        <input
          id={fileId}
          type="file"
          accept="application/json,.json"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) shelf.importFile(file)
            target.value = ''
          }}
        />
        {totalCount > 0 && (
          <SureButton name="Forget all" sure={`Forget all ${totalCount} for good`} onSure={shelf.removeAll} />
        )}
      </footer>
    </div>
  )
}

/** The switch of the open conversation. */
function OfConversation({ store }: { readonly store: ConversationStore }) {
  const known = useConversation(store, ({ overview }) => overview.settings.memories ?? 'on')
  const asked = useConversation(store, ({ outbox }) => askedSetting(outbox, 'memories'))
  const isOn = (asked ?? known) === 'on'
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => store.changeSettings({ memories: target.checked ? 'on' : 'off' })}
      />
      Also in the open conversation
    </label>
  )
}

function AddMemory({ onAdd }: { readonly onAdd: (text: string) => Promise<boolean> }) {
  const [text, setText] = useState('')
  const id = useId()
  return (
    <form
      className="memory-add"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') return
        void onAdd(text).then((isDone) => isDone && setText(''))
      }}
    >
      <div className="field">
        <label htmlFor={id}>Remember this</label>
        <input id={id} type="text" dir="auto" value={text} onChange={({ target }) => setText(target.value)} />
      </div>
      <button type="submit" className="button small">
        Add
      </button>
    </form>
  )
}

function countWords({
  shown,
  totalCount,
  mostMemories,
  isSearch,
}: {
  readonly shown: number
  readonly totalCount: number
  readonly mostMemories: number
  readonly isSearch: boolean
}): string {
  if (isSearch) return `${shown} of ${totalCount} found`
  if (totalCount === 0) return 'Nothing is remembered yet. Tell an agent to remember something, or write it here.'
  return `${totalCount} of at most ${mostMemories}`
}
