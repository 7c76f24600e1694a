import type { Client, PastCanvas } from '@holdfast/client'
import type { CanvasOperation } from '@holdfast/conversation'
import type { CanvasChanges } from '@holdfast/protocol'
import { useCallback, useEffect, useId, useMemo, useState } from 'react'
import { useAsked, useAskedAtRest } from '../shared/ask-server.ts'
import { exactTime } from '../shared/format.ts'
import { say, type TextKey } from '../shared/language/say.ts'

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
  const [answer] = useAsked(ask)
  /** The entry that is looked at, which stays the same when the canvas changes meanwhile; null where that is the newest. */
  const [seq, setSeq] = useState<number | null>(null)
  const read = useMemo(
    () => (seq === null ? null : () => client.canvas(conversationId).readAt({ agentId, seq })),
    [client, conversationId, agentId, seq],
  )
  const { asked, isNewest } = useAskedAtRest(read, RESTS_MS)
  const { value: past, problem } = asked
  const id = useId()

  useEffect(() => {
    if (seq === null) onShow(null)
    else if (isNewest && past !== null) onShow(past)
  }, [seq, isNewest, past, onShow])

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
        {(seq === null ? null : problem) ?? words}
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

/** What each operation did. */
const WORDS = {
  'add-element': 'canvas.change-add-element',
  'update-element': 'canvas.change-update-element',
  'remove-element': 'canvas.change-remove-element',
  'pin-element': 'canvas.change-pin-element',
  'check-item': 'canvas.change-check-item',
  'answer-form': 'canvas.change-answer',
  'answer-confirmation': 'canvas.change-answer',
  'set-mode': 'canvas.change-set-mode',
  'set-theme': 'canvas.change-set-theme',
  'clear-canvas': 'canvas.change-clear-canvas',
  'restore-removed': 'canvas.change-restore-removed',
  notify: 'canvas.change-notify',
} as const satisfies Readonly<Record<CanvasOperation['type'], TextKey>>

/** A change in words, with whoever made it. */
function changeWords({ operation, elementId, byPerson }: CanvasChanges['changes'][number]): string {
  const values = { who: byPerson ? 'person' : 'agent', element: elementId ?? '' }
  return (
    isKnown(operation) ? say(WORDS[operation], values) : say('canvas.change-other', { ...values, operation })
  ).trim()
}

function isKnown(operation: string): operation is CanvasOperation['type'] {
  return Object.hasOwn(WORDS, operation)
}
