import { type CanvasElement, type Canvases, type Json, shownElements } from '@holdfast/conversation'
import { timeText } from './export-options.ts'

/** A piece of an element, as every kind of export can write it. */
export type CanvasBlock =
  | { readonly type: 'words'; readonly text: string }
  /** Markdown of the agent. */
  | { readonly type: 'body'; readonly text: string }
  | { readonly type: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
  /** Code, word for word. */
  | { readonly type: 'source'; readonly text: string }
  | { readonly type: 'items'; readonly items: readonly { readonly text: string; readonly checked: boolean }[] }

/** An element as a reader sees it, with what a person answered. */
export interface ExportedElement {
  readonly id: string
  readonly title: string
  readonly blocks: readonly CanvasBlock[]
}

/** What stands on the canvas of one agent at the end of the log. */
export interface ExportedCanvas {
  readonly heading: string
  readonly elements: readonly ExportedElement[]
}

/** The canvases of a conversation on which something is, in the order of their first change. [CANVAS3] */
export function exportedCanvases(state: Canvases, agentNames: ReadonlyMap<string, string>): readonly ExportedCanvas[] {
  const filled = Object.entries(state).filter(([, { elements }]) => elements.length > 0)
  return filled.map(([agentId, canvas]) => ({
    heading: filled.length === 1 ? 'Canvas' : `Canvas of ${agentNames.get(agentId) ?? agentId}`,
    elements: shownElements(canvas).map((element) => ({
      id: element.id,
      title: element.title ?? 'Text',
      blocks: blocksOf(element).filter((block) => !(block.type === 'body' && block.text.trim() === '')),
    })),
  }))
}

/** What a person gave to a question of the canvas, in words. */
export function answerText(answer: Json): string {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return valueText(answer)
  return Object.entries(answer)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('; ')
}

function blocksOf(element: CanvasElement): CanvasBlock[] {
  switch (element.type) {
    case 'card':
      return [...(element.figure === undefined ? [] : [words(element.figure)]), body(element.body)]
    case 'text':
      return [body(element.body)]
    case 'chart': {
      const { labels, series, unit } = element
      return [
        words(`${element.kind} chart${unit === undefined || unit === '' ? '' : ` in ${unit}`}`),
        {
          type: 'table',
          columns: ['', ...series.map(({ name }) => name)],
          rows: labels.map((label, index) => [label, ...series.map(({ values }) => valueText(values[index] ?? null))]),
        },
      ]
    }
    case 'table':
      return [
        {
          type: 'table',
          columns: element.columns.map(({ name }) => name),
          rows: element.rows.map((row) => row.map(valueText)),
        },
      ]
    case 'media':
      return [words(`${element.kind}: ${element.url ?? 'a file of the conversation'}`), words(element.description)]
    case 'progress':
      return [words(`${element.value} of ${element.maximum}`), words(element.caption)]
    case 'timer':
      return [words(`Ends at ${timeText(element.endsAt)}`)]
    case 'checklist':
      return [{ type: 'items', items: element.items }]
    case 'page':
      return [words(element.description), { type: 'source', text: element.html }]
    case 'form': {
      const { answer, fields } = element
      const rows = fields.map(({ name, label }) => [label, valueText(answer?.values?.[name] ?? null)])
      return [
        body(element.body),
        { type: 'table', columns: ['Question', 'Answer'], rows },
        words(answeredAt(answer, answer?.values === null)),
      ]
    }
    case 'confirmation': {
      const { answer, choices } = element
      const chosen = choices.find(({ id }) => id === answer?.choiceId)?.label ?? answer?.choiceId
      const said = `Choices: ${choices.map(({ label }) => label).join(', ')}`
      return [
        body(element.body),
        words(said),
        words(chosen == null ? answeredAt(answer, answer?.choiceId === null) : `Chosen: ${chosen}`),
      ]
    }
  }
}

const NOT_ANSWERED = 'Not answered.'

function answeredAt(answer: { readonly at: number } | null, isErased: boolean): string {
  if (answer === null) return NOT_ANSWERED
  return `Answered at ${timeText(answer.at)}${isErased ? '; what was given was erased' : ''}`
}

function words(text: string): CanvasBlock {
  return { type: 'words', text }
}

function body(text: string): CanvasBlock {
  return { type: 'body', text }
}

function valueText(value: Json): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
