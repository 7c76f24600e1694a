import type { CanvasElement, ContentOf } from '@holdfast/conversation'
import { useState } from 'react'
import { clockText } from '../format.ts'
import { say } from '../language/say.ts'
import { useTick } from '../use-seconds.ts'
import type { CanvasActs } from './canvas-acts.ts'
import { figureText } from './figure-text.ts'

/** How far something is, as a bar and in figures. */
export function ProgressElement({ progress }: { readonly progress: ContentOf<'progress'> }) {
  const { title, value, maximum, caption } = progress
  const percent = Math.round((value / maximum) * 100)
  return (
    <div className="progress-element">
      <progress aria-label={title} value={value} max={maximum} />
      <p className="meta">
        {[
          `${percent} %`,
          caption === '' ? say('canvas.value-of', { value: figureText(value), maximum: figureText(maximum) }) : caption,
        ].join(' · ')}
      </p>
    </div>
  )
}

/** The time that is left, counted in whole seconds. */
export function TimerElement({ timer }: { readonly timer: ContentOf<'timer'> }) {
  const { startedAt, endsAt, title } = timer
  const [isCounting, setCounting] = useState(() => Date.now() < endsAt)
  const now = useTick(isCounting)
  const leftMs = Math.max(0, endsAt - now)
  if (isCounting && leftMs === 0) setCounting(false)
  const share = Math.min(1, Math.max(0, (now - startedAt) / (endsAt - startedAt)))
  return (
    <div className="progress-element">
      <p className="timer-figure" role="timer" aria-label={title}>
        {leftMs === 0 ? say('canvas.over') : clockText(Math.ceil(leftMs / 1_000))}
      </p>
      <progress aria-label={say('canvas.time-passed', { title })} value={share} max={1} />
    </div>
  )
}

/** Things to tick off. A tick is shown at once, and taken back where the server refuses it. */
export function ChecklistElement(props: {
  readonly element: CanvasElement & ContentOf<'checklist'>
  readonly acts: CanvasActs
}) {
  const { element, acts } = props
  const { items } = element
  const [problem, setProblem] = useState<string | null>(null)
  const [asked, setAsked] = useState<Asked>({ items, ticks: {} })
  // What the log says counts as soon as it says something new.
  const ticks = asked.items === items ? asked.ticks : {}

  async function check(itemId: string, checked: boolean): Promise<void> {
    if (!acts.isOnline) return
    setAsked({ items, ticks: { ...ticks, [itemId]: checked } })
    const refused = await acts.act({ elementId: element.id, action: 'check', value: { itemId, checked } })
    setProblem(refused)
    if (refused !== null) setAsked({ items, ticks: {} })
  }
  return (
    <div className="checklist">
      {items.map(({ id, text, checked }) => (
        <label key={id} className="check" data-checked={(ticks[id] ?? checked) || undefined}>
          <input
            type="checkbox"
            checked={ticks[id] ?? checked}
            aria-disabled={!acts.isOnline}
            onChange={({ target }) => void check(id, target.checked)}
          />
          <span dir="auto">{text}</span>
        </label>
      ))}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** What was ticked and is not in the log yet, with the items that it was ticked on. */
interface Asked {
  readonly items: ContentOf<'checklist'>['items']
  readonly ticks: Readonly<Record<string, boolean>>
}

/** What stands elsewhere is opened elsewhere: this page loads nothing from other places. [SEC3] */
export function MediaElement({ media }: { readonly media: ContentOf<'media'> }) {
  const { kind, url, description } = media
  const host = URL.parse(url)?.host ?? url
  return (
    <div className="media-element">
      {description !== '' && <p dir="auto">{description}</p>}
      <a className="button" href={url} target="_blank" rel="noreferrer noopener">
        {say('canvas.open-at', { kind, host })}
      </a>
      <p className="meta">{say('canvas.it-is-on-another-computer')}</p>
    </div>
  )
}
