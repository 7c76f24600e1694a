import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useCallback, useEffect, useState } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { ProcessList } from './process-list.tsx'
import { TerminalView } from './terminal-view.tsx'

interface TerminalTabProps {
  readonly client: Client
  readonly store: ConversationStore
}

/** How often it is asked what runs, in milliseconds. */
const ASK_MS = 3_000

/** The terminals of the person in a conversation, and what its agent runs in the background. [UI80, WS30] */
export function TerminalTab({ client, store }: TerminalTabProps) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const list = useCallback(() => client.terminals.list(conversationId), [client, conversationId])
  const [{ value, problem }, askAgain] = useAsked(list)
  const [opened, setOpened] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<string | null>(null)
  const [gone, setGone] = useState<readonly string[]>([])

  useEffect(() => {
    const timer = setInterval(askAgain, ASK_MS)
    return () => clearInterval(timer)
  }, [askAgain])

  const listed = (value?.terminals ?? []).map(({ terminalId }) => terminalId)
  const all = [...listed, ...opened.filter((id) => !listed.includes(id))].filter((id) => !gone.includes(id))
  // What is shown stays until it is put away, also when its shell has ended.
  const shown = chosen !== null && !gone.includes(chosen) ? chosen : (all[0] ?? null)
  const tabs = shown !== null && !all.includes(shown) ? [...all, shown] : all
  const row = value?.terminals.find(({ terminalId }) => terminalId === shown)
  const refusal = value?.refusal ?? null

  function openNew(): void {
    const terminalId = client.terminals.newId()
    setOpened([...opened, terminalId])
    setChosen(terminalId)
  }

  function putAway(terminalId: string): void {
    setGone([...gone, terminalId])
    setOpened(opened.filter((id) => id !== terminalId))
    setChosen(null)
    askAgain()
  }

  function bar() {
    return (
      <>
        {tabs.map((id, index) => (
          <button
            key={id}
            type="button"
            className="button small"
            aria-pressed={id === shown}
            onClick={() => setChosen(id)}
          >
            {say('terminal.number', { number: index + 1 })}
          </button>
        ))}
        {refusal === null && (
          <button type="button" className="button small" data-testid="open-terminal" onClick={openNew}>
            {say('terminal.open')}
          </button>
        )}
        <span className="mono meta" dir="ltr">
          {row?.folder ?? value?.folder}
        </span>
      </>
    )
  }

  if (!value && problem === null) return <p className="meta dock-wait">{say('terminal.asking')}</p>
  return (
    <div className="terminal-tab" data-testid="terminal-tab" data-state={refusal ?? 'allowed'}>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {refusal !== null && <p className="meta">{say(REFUSALS[refusal])}</p>}
      {(refusal === null || tabs.length > 0) && (
        <>
          <p className="terminal-mark">
            <span className="terminal-yours">{say('terminal.yours')}</span> {say('terminal.yours-line')}
          </p>
          {shown === null && <div className="terminal-bar">{bar()}</div>}
        </>
      )}
      {shown !== null && (
        <TerminalView
          key={shown}
          client={client}
          conversationId={conversationId}
          terminalId={shown}
          isNew={opened.includes(shown)}
          onGone={() => putAway(shown)}
        >
          {bar()}
        </TerminalView>
      )}
      <ProcessList
        client={client}
        conversationId={conversationId}
        processes={value?.processes ?? []}
        onEnded={askAgain}
      />
    </div>
  )
}

const REFUSALS = {
  'not-allowed': 'terminal.not-allowed',
  'no-folder': 'terminal.no-folder',
  'none-here': 'terminal.none-here',
} as const
