import { type Client, type PastCanvas, RequestFailedError } from '@holdfast/client'
import type { CanvasChanges } from '@holdfast/protocol'
import { useCallback, useEffect, useId, useState } from 'react'
import { exactTime } from '../format.ts'
import { say } from '../language/say.ts'
import { errorText } from '../problem-words.ts'
import { useAnswer } from '../use-answer.ts'
import { changeWords } from './change-words.ts'

/** So long the slider rests before the server is asked, in milliseconds. */
const RESTS_MS = 120

interface HistoryProps {
  readonly client: Client
  readonly conversationId: string
  readonly agentId: string
  /** The canvas's version now: another one asks for the changes again. */
  readonly version: number
  /** Takes the canvas as it was; null where it is shown as it is. */
  readonly onShow: (past: PastCanvas | null) => void
}

/** A slider over the changes of a canvas, which shows it as it was after each. The arrows, Home and End move it. [CANVAS2] */
export function CanvasHistory({ client, conversationId, agentId, version, onShow }: HistoryProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a canvas that changed has another history
  const ask = useCallback(
    () => client.canvas(conversationId).changes(agentId),
    [client, conversationId, agentId, version],
  )
  const [answer] = useAnswer(ask)
  /** The entry that is looked at, which stays the same when the canvas changes meanwhile; null where that is the newest. */
  const [seq, setSeq] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()

  useEffect(() => {
    if (seq === null) {
      onShow(null)
      return
    }
    let isCurrent = true
    const timer = setTimeout(() => {
      void readAt({ client, conversationId, agentId, seq }).then((read) => {
        if (!isCurrent) return
        setProblem(read.type === 'failed' ? read.problem : null)
        if (read.type === 'here') onShow(read.past)
      })
    }, RESTS_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, conversationId, agentId, seq, onShow])

  if (answer.type === 'asking') return <p className="canvas-row meta">{say('canvas.reading-its-history')}</p>
  if (answer.type === 'failed') return <p className="canvas-row">{answer.problem}</p>
  const { changes, earlierCount } = answer.value
  if (changes.length === 0) return <p className="canvas-row meta">{say('canvas.the-canvas-has-not-changed')}</p>
  const found = seq === null ? -1 : changes.findIndex((change) => change.seq === seq)
  const place = found < 0 ? changes.length - 1 : found
  const words = placeWords({ changes, earlierCount }, place, found < 0)
  return (
    <div className="canvas-row canvas-history">
      <label htmlFor={id}>{say('canvas.history')}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={changes.length - 1}
        value={place}
        aria-valuetext={words}
        onChange={({ target }) => {
          const next = Number(target.value)
          setSeq(next === changes.length - 1 ? null : (changes[next]?.seq ?? null))
        }}
      />
      <button type="button" className="link-button" aria-disabled={found < 0} onClick={() => setSeq(null)}>
        {say('canvas.now')}
      </button>
      <p className="meta" role="status">
        {problem ?? words}
      </p>
    </div>
  )
}

function placeWords(
  { changes, earlierCount }: Pick<CanvasChanges, 'changes' | 'earlierCount'>,
  place: number,
  isNow: boolean,
): string {
  const change = changes[place]
  if (!change) return ''
  const count = { number: place + 1 + earlierCount, all: changes.length + earlierCount }
  return [
    isNow ? say('canvas.now') : say('canvas.as-it-was'),
    say('canvas.change-of', count),
    exactTime(change.at),
    changeWords(change),
  ].join(' · ')
}

type Read = { readonly type: 'here'; readonly past: PastCanvas } | { readonly type: 'failed'; readonly problem: string }

async function readAt(asked: {
  readonly client: Client
  readonly conversationId: string
  readonly agentId: string
  readonly seq: number
}): Promise<Read> {
  const { client, conversationId, agentId, seq } = asked
  try {
    return { type: 'here', past: await client.canvas(conversationId).readAt({ agentId, seq }) }
  } catch (error) {
    if (!(error instanceof RequestFailedError)) throw error
    return { type: 'failed', problem: errorText(error) }
  }
}
