import type { Client } from '@holdfast/client'
import { useId, useState } from 'react'
import { MemoryItem } from './memory-item.tsx'
import { SureButton } from './sure-button.tsx'
import { useMemories } from './use-memories.ts'

/** Reads, finds, writes, changes and forgets memories, and turns them on and off. */
export function MemoriesPage({ client }: { readonly client: Client }) {
  const [query, setQuery] = useState('')
  const shelf = useMemories(client.memories, query.trim())
  const searchId = useId()
  const fileId = useId()
  const { answer, act, imported } = shelf
  if (answer === null) return <p className="meta">{act.problem ?? 'Reading the memories…'}</p>
  const { memories, totalCount, mostMemories, isOn } = answer
  return (
    <section className="memories-page" aria-label="Memories" data-testid="memories-page">
      <p className="settings-lead">
        What agents keep of you beyond a conversation. Only you see it. An agent is told what is for every agent and
        what is its own; you can turn that off for one conversation in its inspector.
      </p>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={({ target }) => shelf.setOn(target.checked)} />
        Agents are told these, and may add to them
      </label>
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
    </section>
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
