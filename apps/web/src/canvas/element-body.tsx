import type { CanvasElement, ContentOf, ElementContent } from '@holdfast/conversation'
import { type RefObject, useMemo } from 'react'
import { say } from '../language/say.ts'
import { Markdown } from '../markdown/markdown.tsx'
import type { CanvasActs } from './canvas-acts.ts'
import { ChartView } from './chart-view.tsx'
import { figureText } from './figure-text.ts'
import { ConfirmationElement, FormElement } from './question-elements.tsx'
import { ChecklistElement, MediaElement, ProgressElement, TimerElement } from './small-elements.tsx'
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
      return asTable ? <ChartTable {...{ isFull, keptAs }} chart={element} /> : <ChartView chart={element} svg={svg} />
    case 'table':
      return <TableElement {...{ isFull, keptAs }} table={element} />
    case 'media':
      return <MediaElement media={element} />
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
      return [element.title, element.description, element.url]
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
        ...element.fields.map(({ name, label }) => `${label}: ${answerText(element.answer?.values[name])}`),
      ]
    case 'confirmation':
      return [
        element.title,
        element.body,
        element.answer === null ? '' : say('canvas.chosen', { choice: element.answer.choiceId }),
      ]
    case 'chart':
    case 'table':
      return [element.title]
  }
}

function answerText(value: unknown): string {
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}
