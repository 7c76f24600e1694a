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
  /** Whether the words are still to be shown where they stand last: that may be on a page that is not read yet. */
  const awaits = useRef(false)
  /** Counts what is shown, and ends with the words that it was shown for. */
  const round = useRef(0)
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const window = useConversation(store, (state) => state.window)
  const path = useConversation(store, (state) => state.overview.path)
  const isReading = useConversation(store, (state) => state.window.firstSeq > 1 && state.older !== 'failed')
  const older = useConversation(store, (state) => state.older)
  const hits = useMemo(() => foundHits(visibleItems({ items: window.items, path }), words), [window.items, path, words])
  // From the newest on: that is where the reader is. What is read meanwhile stands before it.
  const current = hits.length === 0 ? null : (hits.length + (chosen ?? -1)) % hits.length

  useEffect(() => field.current?.focus(), [])

  useEffect(() => {
    if (isReading && older === 'idle') store.loadOlder()
  }, [store, isReading, older])

  useEffect(() => {
    const element = view.current
    if (!element) return
    const observer = new MutationObserver(() => markHits(element, words))
    markHits(element, words)
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      // What is still on its way to a place of these words marks nothing any more.
      round.current += 1
      unmark()
    }
  }, [view, words])

  const hasHits = hits.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the words, as soon as they are found
  useEffect(() => {
    if (!awaits.current) return
    if (hasHits) void show(-1)
    awaits.current = !hasHits && isReading
  }, [words, hasHits, isReading])

  async function show(index: number): Promise<void> {
    const hit = hits.at(index)
    if (!hit) return
    round.current += 1
    const own = round.current
    const message = await reveal(hit.seq)
    if (!message || round.current !== own) return
    // Earlier steps of the same reply may have been read meanwhile.
    const { window: read, overview } = store.getSnapshot()
    const known = foundHits(visibleItems({ items: read.items, path: overview.path }), words)
    const inTurn = known.filter(({ seq }) => seq < hit.seq && isIn(message, seq)).length
    const range = markCurrent(message, words, hit.place + inTurn)
    range?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
  }

  function step(by: 1 | -1): void {
    if (hits.length === 0 || current === null) return
    // Counted from the end, so that pages that come before change nothing.
    const next = (current + by + hits.length) % hits.length
    setChosen(next - hits.length)
    void show(next - hits.length)
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
          awaits.current = true
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
