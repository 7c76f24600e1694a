import type { Client } from '@holdfast/client'
import { useId, useState } from 'react'
import { say } from '../language/say.ts'
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
  if (answer === null) return <p className="meta">{act.problem ?? say('memories.reading-the-memories')}</p>
  const { memories, totalCount, mostMemories, isOn } = answer
  return (
    <section className="memories-page" aria-label={say('memories.memories')} data-testid="memories-page">
      <p className="settings-lead">{say('memories.what-agents-keep-of-you')}</p>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={({ target }) => shelf.setOn(target.checked)} />
        {say('memories.agents-are-told-these-and')}
      </label>
      <AddMemory onAdd={shelf.add} />
      {totalCount > 0 && (
        <div className="field">
          <label htmlFor={searchId}>{say('memories.search-memories')}</label>
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
          {say('memories.export')}
        </a>
        <label htmlFor={fileId}>{say('memories.import-a-file')}</label>
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
          <SureButton
            name={say('memories.forget-all')}
            sure={say('memories.forget-all-for-good', { count: totalCount })}
            onSure={shelf.removeAll}
          />
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
        <label htmlFor={id}>{say('memories.remember-this')}</label>
        <input id={id} type="text" dir="auto" value={text} onChange={({ target }) => setText(target.value)} />
      </div>
      <button type="submit" className="button small">
        {say('common.add')}
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
  if (isSearch) return say('memories.found-of', { found: shown, all: totalCount })
  if (totalCount === 0) return say('memories.nothing-is-remembered-yet-tell')
  return say('memories.of-at-most', { count: totalCount, most: mostMemories })
}
