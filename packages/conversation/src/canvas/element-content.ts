import * as z from 'zod'
import { Json } from '../json.ts'

const title = z.string().trim().min(1).max(200)
const body = z.string().max(65_536)
const tone = z.enum(['neutral', 'good', 'warning', 'bad'])
const figure = z.number()
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'Use letters, digits, - and _; at most 40')

/** One thing to tick off. */
const CheckItem = z.object({
  id: name,
  text: z.string().trim().min(1).max(500),
  checked: z.boolean().default(false),
  /** Who ticked it last, where it was a person. */
  byPerson: z.boolean().default(false),
})

/** One question of a form. */
const FormField = z.object({
  name,
  label: z.string().trim().min(1).max(200),
  kind: z.enum(['text', 'long-text', 'number', 'choice', 'toggle']),
  choices: z.array(z.string().trim().min(1).max(100)).min(1).max(100).exactOptional(),
  required: z.boolean().default(false),
})

/** One answer that a person may choose. */
const Choice = z.object({
  id: name,
  label: z.string().trim().min(1).max(60),
  /** `primary` is the one that is meant, `destructive` one that cannot be taken back. */
  style: z.enum(['plain', 'primary', 'destructive']).default('plain'),
})

const given = {
  userId: z.string().min(1),
  /** Milliseconds since the Unix epoch. */
  at: z.int().nonnegative(),
}

/** What a person wrote into a form; null where that was erased. [UI48] */
const FormAnswer = z.object({ values: z.record(z.string(), Json).nullable(), ...given })

/** What a person chose; null where that was erased. [UI48] */
const ConfirmationAnswer = z.object({ choiceId: z.string().nullable(), ...given })

/** A titled piece of Markdown. */
export const CardContent = z.object({
  type: z.literal('card'),
  title,
  body: body.default(''),
  /** One value to be read at a glance, such as `96 %`. */
  figure: z.string().max(40).exactOptional(),
  tone: tone.default('neutral'),
})

/** Markdown to be read at length. */
export const TextContent = z.object({ type: z.literal('text'), title: title.exactOptional(), body: body.min(1) })

/** Figures over labels. A pie has one series. */
export const ChartContent = z.object({
  type: z.literal('chart'),
  title,
  kind: z.enum(['bar', 'line', 'area', 'pie']),
  labels: z.array(z.string().max(80)).min(1).max(500),
  series: z
    .array(z.object({ name: z.string().trim().min(1).max(80), values: z.array(figure.nullable()).max(500) }))
    .min(1)
    .max(8),
  unit: z.string().max(20).exactOptional(),
})

/** Rows under named columns. */
export const TableContent = z.object({
  type: z.literal('table'),
  title,
  columns: z
    .array(z.object({ name: z.string().trim().min(1).max(80), kind: z.enum(['text', 'number']).default('text') }))
    .min(1)
    .max(50),
  rows: z.array(z.array(z.union([z.string().max(10_000), figure, z.boolean(), z.null()]))).max(100_000),
})

/** A picture, sound or film: a file of the conversation, or from an address of which nothing is loaded before a person asks for it. [SEC3] */
export const MediaContent = z.object({
  type: z.literal('media'),
  title,
  kind: z.enum(['image', 'audio', 'video']),
  url: z
    .url({ protocol: /^https?$/, error: 'Give a whole http or https address' })
    .max(2_000)
    .exactOptional(),
  /** The file of the conversation, by the id of its upload. */
  attachmentId: z.string().min(1).max(200).exactOptional(),
  /** What it shows, for people who do not see or hear it. */
  description: z.string().max(1_000).default(''),
})

/** How far something is. */
export const ProgressContent = z.object({
  type: z.literal('progress'),
  title,
  value: figure.nonnegative(),
  maximum: figure.positive().default(100),
  caption: z.string().max(300).default(''),
})

/** Time that runs to an end. Both in milliseconds since the Unix epoch. */
export const TimerContent = z.object({
  type: z.literal('timer'),
  title,
  startedAt: z.int().nonnegative(),
  endsAt: z.int().nonnegative(),
})

/** Things to tick off, by the agent or by a person. */
export const ChecklistContent = z.object({
  type: z.literal('checklist'),
  title,
  items: z.array(CheckItem).min(1).max(200),
})

/** Questions to a person, answered once, all together. */
export const FormContent = z.object({
  type: z.literal('form'),
  title,
  body: z.string().max(4_000).default(''),
  fields: z.array(FormField).min(1).max(30),
  submitLabel: z.string().trim().min(1).max(40).default('Send'),
  answer: FormAnswer.nullable().default(null),
})

/** One question to a person, answered once by one of its choices. */
export const ConfirmationContent = z.object({
  type: z.literal('confirmation'),
  title,
  body: z.string().max(4_000).default(''),
  choices: z.array(Choice).min(1).max(6),
  answer: ConfirmationAnswer.nullable().default(null),
})

/** The longest source of a generated page, in UTF-16 code units. [PREV11] */
const PAGE_CHARS = 2_097_152

/** A page that an agent wrote, shown in a frame that reaches nothing. [PREV11] */
export const PageContent = z.object({
  type: z.literal('page'),
  title,
  html: z.string().min(1).max(PAGE_CHARS),
  /** What it is for, for people before they open it. */
  description: z.string().max(1_000).default(''),
  /** The entries by which its source came or changed, oldest first; the canvas at each of them has that source. */
  versions: z
    .array(z.object({ seq: z.int().positive(), at: z.int().nonnegative(), canvasVersion: z.int().positive() }))
    .default([]),
})

/** What one element shows. A kind that is not here is refused, never drawn. [CANVAS5] */
export const ElementContent = z
  .discriminatedUnion('type', [
    CardContent,
    TextContent,
    ChartContent,
    TableContent,
    MediaContent,
    ProgressContent,
    TimerContent,
    ChecklistContent,
    FormContent,
    ConfirmationContent,
    PageContent,
  ])
  .check(({ value, issues }) => {
    for (const { path, message } of contradictions(value))
      issues.push({ code: 'custom', path: [...path], message, input: value })
  })
export type ElementContent =
  | z.infer<typeof CardContent>
  | z.infer<typeof TextContent>
  | z.infer<typeof ChartContent>
  | z.infer<typeof TableContent>
  | z.infer<typeof MediaContent>
  | z.infer<typeof ProgressContent>
  | z.infer<typeof TimerContent>
  | z.infer<typeof ChecklistContent>
  | z.infer<typeof FormContent>
  | z.infer<typeof ConfirmationContent>
  | z.infer<typeof PageContent>

/** The kinds of elements. */
export type ElementType = ElementContent['type']

/** The content of one kind. */
export type ContentOf<Type extends ElementType> = Extract<ElementContent, { type: Type }>

interface Contradiction {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What each field allows by itself and all of them together do not. */
function contradictions(content: ElementContent): Contradiction[] {
  switch (content.type) {
    case 'chart':
      return chartContradictions(content)
    case 'table':
      return tableContradictions(content)
    case 'timer':
      return content.endsAt > content.startedAt ? [] : [{ path: ['endsAt'], message: 'A timer ends after it starts' }]
    case 'progress':
      return content.value <= content.maximum
        ? []
        : [{ path: ['value'], message: `${content.value} is more than the maximum, ${content.maximum}` }]
    case 'checklist':
      return repeated(content.items.map(({ id }) => id)).map((id) => ({
        path: ['items'],
        message: `Two items are ${id}`,
      }))
    case 'form':
      return [
        ...repeated(content.fields.map(({ name }) => name)).map((name) => ({
          path: ['fields'],
          message: `Two fields are named ${name}`,
        })),
        ...content.fields.flatMap(({ kind, choices }, index) =>
          kind === 'choice' && choices === undefined
            ? [{ path: ['fields', index, 'choices'], message: 'A choice needs its choices' }]
            : [],
        ),
      ]
    case 'confirmation':
      return repeated(content.choices.map(({ id }) => id)).map((id) => ({
        path: ['choices'],
        message: `Two choices are ${id}`,
      }))
    case 'media':
      return (content.url === undefined) === (content.attachmentId === undefined)
        ? [{ path: ['url'], message: 'Give either an address or a file' }]
        : []
    case 'card':
    case 'text':
    case 'page':
      return []
  }
}

function chartContradictions({ kind, labels, series }: z.infer<typeof ChartContent>): Contradiction[] {
  const wrong = series.flatMap(({ values }, index) =>
    values.length === labels.length
      ? []
      : [{ path: ['series', index, 'values'], message: `${values.length} values for ${labels.length} labels` }],
  )
  if (kind !== 'pie') return wrong
  const [first] = series
  if (series.length > 1) wrong.push({ path: ['series'], message: `A pie has one series, not ${series.length}` })
  const hasShares = first?.values.every((value) => value !== null && value >= 0) && first.values.some((value) => value)
  if (!hasShares)
    wrong.push({ path: ['series', 0, 'values'], message: 'The values of a pie are not negative, and not all 0' })
  return wrong
}

function tableContradictions({ columns, rows }: z.infer<typeof TableContent>): Contradiction[] {
  const index = rows.findIndex((row) => row.length !== columns.length)
  if (index < 0) return []
  return [{ path: ['rows', index], message: `${rows[index]?.length} cells for ${columns.length} columns` }]
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}
