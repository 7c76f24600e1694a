import type { Client, MemoryApi, MemoryEdit } from '@holdfast/client'
import type { MemoriesAnswer, MemoryRow } from '@holdfast/protocol'
import { useCallback, useId, useState } from 'react'
import { goToMessage, messagePath } from '../shared/address.ts'
import { useAsked, useTold } from '../shared/ask-server.ts'
import { listTime } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { SaveLink } from '../shared/save-link.tsx'
import { SureButton } from './sure-button.tsx'

/** Reads, finds, writes, changes and forgets memories, and turns them on and off. */
export function MemoriesPage({ client }: { readonly client: Client }) {
  const [query, setQuery] = useState('')
  const shelf = useMemories(client.memories, query.trim())
  const searchId = useId()
  const fileId = useId()
  const { answer, problem, imported } = shelf
  if (answer === null) return <p className="meta">{problem ?? say('memories.reading-the-memories')}</p>
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
      {problem !== null && <p role="alert">{problem}</p>}
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
        <SaveLink
          client={client}
          className="link-button"
          target={client.memories.exportAddress}
          fileName="holdfast-memories.json"
        >
          {say('memories.export')}
        </SaveLink>
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

interface ItemProps {
  readonly memory: MemoryRow
  readonly onChange: (change: MemoryEdit) => Promise<boolean>
  readonly onRemove: () => void
}

/** One memory, where it came from, and what can be done with it. */
function MemoryItem({ memory, onChange, onRemove }: ItemProps) {
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
  readonly onSave: (change: MemoryEdit) => Promise<boolean>
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

/** What is remembered, as far as it is asked for, and what can be done with it. */
interface MemoryShelf {
  /** Null until it is here. */
  readonly answer: MemoriesAnswer | null
  /** Why it could not be read, or changed. */
  readonly problem: string | null
  /** What the last import brought, in words; null for none. */
  readonly imported: string | null
  /** @returns whether it was written down. */
  add(text: string): Promise<boolean>
  change(memoryId: string, change: MemoryEdit): Promise<boolean>
  remove(memoryId: string): void
  removeAll(): void
  setOn(isOn: boolean): void
  importFile(file: Blob): void
}

/** The memories that hold some words, read anew after every change from here. */
function useMemories(api: MemoryApi, query: string): MemoryShelf {
  const ask = useCallback(() => api.list(query), [api, query])
  const [asked, askAgain] = useAsked(ask)
  const telling = useTold()
  const [imported, setImported] = useState<string | null>(null)

  async function doing(work: () => Promise<unknown>): Promise<boolean> {
    setImported(null)
    const isDone = await telling.run(work)
    askAgain()
    return isDone
  }

  async function takeIn(file: Blob): Promise<void> {
    const list = parsed(await file.text())
    if (list === null) {
      setImported(say('memories.this-file-holds-no-memories'))
      return
    }
    let words = ''
    const isDone = await doing(async () => {
      const { savedCount, knownCount, refused } = await api.importList(list)
      words = [
        say('memories.added', { added: savedCount, known: knownCount }),
        ...(refused.length === 0
          ? []
          : [say('memories.left-out', { count: refused.length, reason: refused[0]?.reason ?? '' })]),
      ].join('; ')
    })
    if (isDone) setImported(words)
  }

  return {
    answer: asked.value,
    problem: telling.problem ?? asked.problem,
    imported,
    add: (text) => doing(() => api.add(text)),
    change: (memoryId, change) => doing(() => api.change(memoryId, change)),
    remove: (memoryId) => void doing(() => api.remove(memoryId)),
    removeAll: () => void doing(api.removeAll),
    setOn: (isOn) => void doing(() => api.setOn(isOn)),
    importFile: (file) => void takeIn(file),
  }
}

/** What a file with a list of memories holds; null for any other. */
function parsed(text: string): { readonly memories: readonly unknown[] } | null {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null || !('memories' in read)) return null
    return Array.isArray(read.memories) ? { memories: read.memories } : null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}
