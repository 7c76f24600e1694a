import type { Client, ConversationList } from '@holdfast/client'
import { type ReactNode, type RefObject, useEffect, useMemo } from 'react'
import { Virtualizer } from 'virtua'
import { say } from '../../shared/language/say.ts'
import { PressableList } from '../../shared/pressable-rows.tsx'
import type { ListLine } from './list-lines.ts'

/** Up to so many lines all are in the page, so that the browser's own search and letters find them. */
const WHOLE_LINES = 300

/** How far beyond the view lines are in the page, in pixels: all of them, or a few screens. */
const BUFFER_PX = { whole: 1_000_000, few: 1_000 } as const

/** Nearer to the end than this the next page is read, in pixels. */
const READ_AHEAD_PX = 1_500

interface LinesProps {
  readonly client: Client
  readonly lines: readonly ListLine[]
  readonly older: ConversationList['older']
  /** The row that stays in the page wherever the view is. */
  readonly keptId: string | null
  /** What scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly row: (line: Extract<ListLine, { type: 'row' }>) => ReactNode
}

/** The lines of the list. Of a long one only what is near the view is in the page, and older pages come as one goes down. */
export function ConversationLines({ client, lines, older, keptId, scroller, row }: LinesProps) {
  useOlderOnScroll({ client, older, scroller })
  const kept = useMemo(() => {
    const index = lines.findIndex((line) => line.type === 'row' && line.row.id === keptId)
    return index < 0 ? [] : [index]
  }, [lines, keptId])
  return (
    <>
      <Virtualizer
        as={PressableList}
        item="li"
        scrollRef={scroller}
        keepMounted={kept}
        bufferSize={lines.length > WHOLE_LINES ? BUFFER_PX.few : BUFFER_PX.whole}
      >
        {lines.map((line) =>
          line.type === 'group' ? (
            <h2 key={`group ${line.name}`}>{line.name}</h2>
          ) : (
            <div key={line.row.id}>{row(line)}</div>
          ),
        )}
      </Virtualizer>
      {older === 'loading' && <p role="status">{say('list.reading-older-conversations')}</p>}
      {older === 'failed' && (
        <p role="status">
          {say('list.older-conversations-could-not-be')}
          <button type="button" className="link-button" onClick={client.loadOlderConversations}>
            {say('common.try-again')}
          </button>
        </p>
      )}
    </>
  )
}

function useOlderOnScroll({ client, older, scroller }: Pick<LinesProps, 'client' | 'older' | 'scroller'>): void {
  useEffect(() => {
    const element = scroller.current
    if (!element || older !== 'more') return
    function readIfNear(): void {
      if (!element) return
      const below = element.scrollHeight - element.clientHeight - element.scrollTop
      if (below < READ_AHEAD_PX) client.loadOlderConversations()
    }
    const frame = requestAnimationFrame(readIfNear)
    element.addEventListener('scroll', readIfNear, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener('scroll', readIfNear)
    }
  }, [client, older, scroller])
}
