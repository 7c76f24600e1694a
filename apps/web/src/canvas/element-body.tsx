import type { CanvasElement, ContentOf, ElementContent } from '@holdfast/conversation'
import { type RefObject, useMemo, useState } from 'react'
import { clockText } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { Markdown } from '../shared/markdown/markdown.tsx'
import { useTick } from '../shared/use-seconds.ts'
import type { CanvasActs } from './canvas-acts.ts'
import { ChartView } from './chart-view.tsx'
import { figureText } from './figure-text.ts'
import { MediaElement } from './media-element.tsx'
import { PageElement } from './page-element.tsx'
import { ConfirmationElement, FormElement } from './question-elements.tsx'
import { TableElement, type TableProps } from './table-element.tsx'

/** What an element shows. A kind that is not here does not compile. [CANVAS5] */
export function ElementBody(props: {
  readonly element: CanvasElement
  readonly acts: CanvasActs
  readonly svg: RefObject<SVGSVGElement | null>
  /** Whether it has the whole screen. */
  readonly isFull: boolean
  /** Whether a chart is shown as its table. */
  readonly asTable: boolean
}) {
  const { element, acts, svg, isFull, asTable } = props
  const keptAs = acts.conversationId === null ? null : `${acts.conversationId}/${element.id}`
  switch (element.type) {
    case 'card':
      return <CardBody card={element} />
    case 'text':
      return <Markdown text={element.body} isComplete />
    case 'chart':
      return asTable ? (
        <ChartTable isFull={isFull} keptAs={keptAs} chart={element} />
      ) : (
        <ChartView chart={element} svg={svg} />
      )
    case 'table':
      return <TableElement isFull={isFull} keptAs={keptAs} table={element} />
    case 'media':
      return <MediaElement media={element} loader={acts.media} />
    case 'page':
      return <PageElement page={element} acts={acts} isFull={isFull} />
    case 'progress':
      return <ProgressElement progress={element} />
    case 'timer':
      return <TimerElement timer={element} />
    case 'checklist':
      return <ChecklistElement element={element} acts={acts} />
    case 'form':
      return <FormElement element={element} acts={acts} />
    case 'confirmation':
      return <ConfirmationElement element={element} acts={acts} />
  }
}

/** The same figures as a table. */
export function tableOfChart({ title, labels, series }: ContentOf<'chart'>): ContentOf<'table'> {
  return {
    type: 'table',
    title,
    columns: [
      { name: say('canvas.label'), kind: 'text' },
      ...series.map(({ name }) => ({ name, kind: 'number' as const })),
    ],
    rows: labels.map((label, index) => [label, ...series.map(({ values }) => values[index] ?? null)]),
  }
}

/** An element as text for the clipboard. */
export function plainContent(element: ElementContent): readonly string[] {
  switch (element.type) {
    case 'card':
      return [element.title, element.figure ?? '', element.body]
    case 'text':
      return [element.title ?? '', element.body]
    case 'media':
      return [element.title, element.description, element.url ?? '']
    case 'progress':
      return [
        element.title,
        say('canvas.value-of', { value: figureText(element.value), maximum: figureText(element.maximum) }),
        element.caption,
      ]
    case 'timer':
      return [element.title, new Date(element.endsAt).toISOString()]
    case 'checklist':
      return [element.title, ...element.items.map(({ text, checked }) => `${checked ? '[x]' : '[ ]'} ${text}`)]
    case 'form':
      return [
        element.title,
        ...element.fields.map(({ name, label }) => `${label}: ${answerText(element.answer?.values?.[name])}`),
      ]
    case 'confirmation':
      return [
        element.title,
        element.body,
        element.answer?.choiceId == null ? '' : say('canvas.chosen', { choice: element.answer.choiceId }),
      ]
    case 'page':
      return [element.html]
    case 'chart':
    case 'table':
      return [element.title]
  }
}

function CardBody({ card }: { readonly card: ContentOf<'card'> }) {
  return (
    <>
      {card.figure !== undefined && (
        <p className="card-figure" data-tone={card.tone} dir="auto">
          {card.figure}
        </p>
      )}
      {card.body !== '' && <Markdown text={card.body} isComplete />}
    </>
  )
}

function ChartTable({ chart, ...shown }: Omit<TableProps, 'table'> & { readonly chart: ContentOf<'chart'> }) {
  const table = useMemo(() => tableOfChart(chart), [chart])
  return <TableElement {...shown} table={table} />
}

function answerText(value: unknown): string {
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** How far something is, as a bar and in figures. */
function ProgressElement({ progress }: { readonly progress: ContentOf<'progress'> }) {
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
function TimerElement({ timer }: { readonly timer: ContentOf<'timer'> }) {
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
function ChecklistElement(props: {
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
