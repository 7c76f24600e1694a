import type { Client } from '@holdfast/client'
import type { ProcessRow } from '@holdfast/protocol'
import { useCallback, useEffect, useState } from 'react'
import { told, useAsked } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'

interface ProcessListProps {
  readonly client: Client
  readonly conversationId: string
  readonly processes: readonly ProcessRow[]
  readonly onEnded: () => void
}

/** How often the output of one is read, in milliseconds. */
const READ_MS = 1_500
const MS = 1_000

/** What the agent runs in the background: the lines, what they print, and a way to end them. [WS30] */
export function ProcessList({ client, conversationId, processes, onEnded }: ProcessListProps) {
  if (processes.length === 0) return null
  return (
    <section className="process-list" aria-label={say('terminal.processes')} data-testid="processes">
      <h3>{say('terminal.processes')}</h3>
      <p className="meta">{say('terminal.processes-line')}</p>
      <ul>
        {processes.map((process) => (
          <Process
            key={process.processId}
            client={client}
            conversationId={conversationId}
            process={process}
            onEnded={onEnded}
          />
        ))}
      </ul>
    </section>
  )
}

interface ProcessProps extends Omit<ProcessListProps, 'processes'> {
  readonly process: ProcessRow
}

function Process({ client, conversationId, process, onEnded }: ProcessProps) {
  const { processId, line, ranMs, end } = process
  const [isOpen, setOpen] = useState(false)
  const [isEnding, setEnding] = useState(false)

  async function stop(): Promise<void> {
    setEnding(true)
    await told(client.terminals.endProcess(conversationId, processId))
    setEnding(false)
    onEnded()
  }

  return (
    <li data-testid="process" data-state={end === null ? 'running' : 'ended'}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <code dir="ltr">{line}</code>
          <span className="meta">
            {end === null ? say('terminal.runs', { seconds: Math.round(ranMs / MS) }) : say('terminal.is-over')}
          </span>
        </summary>
        {end !== null && <p className="meta">{end}</p>}
        {isOpen && <Output client={client} conversationId={conversationId} processId={processId} />}
      </details>
      {end === null && (
        <button
          type="button"
          className="button small"
          disabled={isEnding}
          aria-label={say('terminal.end-name', { line: line.slice(0, 80) })}
          onClick={() => void stop()}
        >
          {say('terminal.end')}
        </button>
      )}
    </li>
  )
}

interface OutputProps {
  readonly client: Client
  readonly conversationId: string
  readonly processId: string
}

function Output({ client, conversationId, processId }: OutputProps) {
  const read = useCallback(
    () => client.terminals.readProcess(conversationId, processId),
    [client, conversationId, processId],
  )
  const [{ value, problem }, askAgain] = useAsked(read)
  useEffect(() => {
    const timer = setInterval(askAgain, READ_MS)
    return () => clearInterval(timer)
  }, [askAgain])
  if (problem !== null) return <p className="problem">{problem}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard
    <pre className="mono process-output" dir="ltr" tabIndex={0}>
      {value === null ? say('terminal.asking') : value.text === '' ? say('terminal.nothing-printed') : value.text}
    </pre>
  )
}
