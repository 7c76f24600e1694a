import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { visibleItems } from '@holdfast/conversation'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../../shared/icons.tsx'
import { isComposing } from '../../shared/is-composing.ts'
import { say } from '../../shared/language/say.ts'
import { foundHits } from './found-hits.ts'
import { markCurrent, markHits, unmark } from './mark-hits.ts'

interface FindBarProps {
  readonly store: ConversationStore
  readonly view: RefObject<HTMLElement | null>
  /** Brings the message of an entry into view. @returns it, once it is drawn. */
  readonly reveal: (seq: number) => Promise<HTMLElement | null>
  readonly onClose: () => void
}

/** Finds words in all of a conversation, also in what is not drawn: earlier pages are read for it. [UI13] */
export function FindBar({ store, view, reveal, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const window = useConversation(store, (state) => state.window)
  const path = useConversation(store, (state) => state.overview.path)
  const isReading = useConversation(store, (state) => state.window.firstSeq > 1 && state.older !== 'failed')
  const older = useConversation(store, (state) => state.older)
  const hits = useMemo(() => foundHits(visibleItems({ items: window.items, path }), words), [window.items, path, words])
  // From the newest on: that is where the reader is. What is read meanwhile stands before it.
  const current = hits.length === 0 ? null : (hits.length + (chosen ?? -1)) % hits.length

  useEffect(() => {
    field.current?.focus()
    return unmark
  }, [])

  useEffect(() => {
    if (isReading && older === 'idle') store.loadOlder()
  }, [store, isReading, older])

  useEffect(() => {
    const element = view.current
    if (!element) return
    const observer = new MutationObserver(() => markHits(element, words))
    markHits(element, words)
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [view, words])

  async function show(index: number, text: string): Promise<void> {
    const hit = foundHits(visibleItems({ items: store.getSnapshot().window.items, path }), text).at(index)
    if (!hit) return
    const message = await reveal(hit.seq)
    if (!message) return
    const inTurn = hits.filter(({ seq }) => seq < hit.seq && isIn(message, seq)).length
    const range = markCurrent(message, text, hit.place + inTurn)
    range?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
  }

  function step(by: 1 | -1): void {
    if (hits.length === 0 || current === null) return
    // Counted from the end, so that pages that come before change nothing.
    const next = (current + by + hits.length) % hits.length
    setChosen(next - hits.length)
    void show(next - hits.length, words)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter') step(event.shiftKey ? 1 : -1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <search className="find-bar" data-testid="find-bar">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={say('find.in-conversation')}
        placeholder={say('find.in-conversation')}
        dir="auto"
        value={words}
        onChange={({ target }) => {
          setWords(target.value)
          setChosen(null)
          void show(-1, target.value)
        }}
        onKeyDown={onKeyDown}
      />
      <span className="meta" role="status" data-testid="find-count">
        {words.trim() === '' ? '' : countWords(current, hits.length)}
        {isReading && [' ', say('find.reading-earlier')]}
      </span>
      <button type="button" className="icon-button" aria-label={say('find.previous')} onClick={() => step(-1)}>
        <Icon name="up" />
      </button>
      <button type="button" className="icon-button" aria-label={say('find.next')} onClick={() => step(1)}>
        <Icon name="down" />
      </button>
      <button type="button" className="icon-button" aria-label={say('find.close')} onClick={onClose}>
        <Icon name="close" />
      </button>
    </search>
  )
}

/** Whether an entry is drawn in the same message: a reply holds the text of several steps. */
function isIn(message: HTMLElement, seq: number): boolean {
  return message.dataset['testid'] === 'msg-assistant' && seq >= Number(message.dataset['seq'])
}

function countWords(current: number | null, count: number): string {
  return current === null ? say('find.nothing') : say('find.hit-of', { hit: current + 1, count })
}
