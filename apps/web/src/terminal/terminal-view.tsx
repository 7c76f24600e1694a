import type { Client } from '@holdfast/client'
import type { Problem } from '@holdfast/protocol'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { pointAt } from '../shared/insert-words.ts'
import { say } from '../shared/language/say.ts'
import { problemText } from '../shared/problem-words.ts'
import type { DrawnTerminal } from './open-screen.ts'

interface TerminalViewProps {
  readonly client: Client
  readonly conversationId: string
  readonly terminalId: string
  readonly isNew: boolean
  /** Stands before what can be done with it. */
  readonly children: ReactNode
  /** It is there no longer, and whoever looked at it knows. */
  readonly onGone: () => void
}

type Stand =
  | { readonly type: 'opening' | 'open' }
  | { readonly type: 'ended'; readonly exitCode: number | null }
  | { readonly type: 'refused'; readonly problem: Problem }

/** One terminal, as it is at the server: what was on its screen is there after a reload, and in another tab. [UI80] */
export function TerminalView({ client, conversationId, terminalId, isNew, children, onGone }: TerminalViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const drawn = useRef<DrawnTerminal | null>(null)
  const [stand, setStand] = useState<Stand>({ type: 'opening' })
  const [hasSelection, setHasSelection] = useState(false)
  const [isSure, setSure] = useState(false)
  const wasNew = useRef(isNew)

  useEffect(() => {
    let isShown = true
    async function draw(): Promise<void> {
      const { openScreen } = await import('./open-screen.ts')
      await document.fonts.ready
      if (!isShown || host.current === null) return
      drawn.current = openScreen({
        host: host.current,
        terminals: client.terminals,
        query: { terminalId, conversationId, isNew: wasNew.current },
        name: say('terminal.screen'),
        listener: {
          onDrawn: () => setStand((known) => (known.type === 'opening' ? { type: 'open' } : known)),
          onSelection: setHasSelection,
          ended: ({ exitCode }) => setStand({ type: 'ended', exitCode }),
          refused: (problem) => setStand({ type: 'refused', problem }),
        },
      })
      wasNew.current = false
      drawn.current.focus()
    }
    void draw()
    return () => {
      isShown = false
      drawn.current?.close()
      drawn.current = null
    }
  }, [client, conversationId, terminalId])

  function quote(): void {
    const text = drawn.current?.selection() ?? ''
    if (text.trim() !== '') pointAt({ type: 'quote', text: text.slice(0, MOST_QUOTED) })
  }

  const isOver = stand.type === 'ended' || stand.type === 'refused'
  return (
    <div className="terminal-view" data-testid="terminal" data-state={stand.type}>
      <div className="terminal-bar">
        {children}
        <button type="button" className="button small terminal-quote" disabled={!hasSelection} onClick={quote}>
          {say('terminal.quote')}
        </button>
        {!isOver && !isSure && (
          <button type="button" className="button small" onClick={() => setSure(true)}>
            {say('terminal.end')}
          </button>
        )}
        {!isOver && isSure && (
          <>
            <button type="button" className="button small danger" onClick={() => drawn.current?.end()}>
              {say('terminal.really-end')}
            </button>
            <button type="button" className="link-button" onClick={() => setSure(false)}>
              {say('common.keep')}
            </button>
          </>
        )}
      </div>
      {isOver && (
        <p className="terminal-over" role="status">
          {stand.type === 'refused' ? problemText(stand.problem) : endWords(stand.exitCode)}{' '}
          <button type="button" className="link-button" onClick={onGone}>
            {say('terminal.put-away')}
          </button>
        </p>
      )}
      <div ref={host} className="terminal-screen" dir="ltr" data-testid="terminal-screen" />
    </div>
  )
}

const MOST_QUOTED = 20_000

function endWords(exitCode: number | null): string {
  return exitCode === null ? say('terminal.ended') : say('terminal.ended-with', { code: exitCode })
}
