import {
  CardContent,
  ChartContent,
  ChecklistContent,
  ConfirmationContent,
  FormContent,
  type Json,
  MediaContent,
  PageContent,
  ProgressContent,
  TableContent,
  TextContent,
} from '@holdfast/conversation'
import * as z from 'zod'

const text = z.string().trim().min(1).max(500)

/** A thing to tick off, by its words alone or with its state. */
const Item = z.union([
  text,
  z.object({
    id: ChecklistContent.shape.items.element.shape.id.exactOptional(),
    text,
    checked: z.boolean().default(false),
  }),
])

/** A column, by its name alone or with its kind. */
const Column = z.union([z.string().trim().min(1).max(80), TableContent.shape.columns.element])

const { id: choiceId, label, style } = ConfirmationContent.shape.choices.element.shape

/** What each tool takes: what its element shows, without what the server adds. */
export const ELEMENT_INPUTS = {
  card: CardContent.omit({ type: true }),
  text: TextContent.omit({ type: true }),
  chart: ChartContent.omit({ type: true }),
  table: TableContent.omit({ type: true, columns: true }).extend({ columns: z.array(Column).min(1).max(50) }),
  media: MediaContent.omit({ type: true, attachmentId: true }).extend({
    attachment: z
      .string()
      .min(1)
      .max(300)
      .exactOptional()
      .describe('In the place of an address: the name of a file that the person sent in this conversation.'),
  }),
  progress: ProgressContent.omit({ type: true }),
  timer: z.object({
    title: CardContent.shape.title,
    duration_seconds: z.number().positive().max(31_536_000).describe('How long it runs from now on.'),
  }),
  checklist: z.object({ title: CardContent.shape.title, items: z.array(Item).min(1).max(200) }),
  form: FormContent.omit({ type: true, answer: true }),
  confirmation: ConfirmationContent.omit({ type: true, answer: true, choices: true }).extend({
    choices: z
      .array(z.object({ id: choiceId.exactOptional(), label, style }))
      .min(1)
      .max(6)
      .default([
        { id: 'yes', label: 'Yes', style: 'primary' },
        { id: 'no', label: 'No', style: 'plain' },
      ]),
  }),
  page: PageContent.omit({ type: true, versions: true }).extend({
    html: PageContent.shape.html.describe('One whole HTML document with its own styles and scripts inside.'),
  }),
} as const

type Fields = Readonly<Record<string, Json>>

/** The content of a timer that begins now. */
export function timerFields(fields: Fields, now: number): Record<string, Json> {
  const { duration_seconds: durationSeconds, ...rest } = fields
  if (typeof durationSeconds !== 'number') return { ...rest }
  return { ...rest, startedAt: now, endsAt: now + Math.max(1, Math.round(durationSeconds * 1_000)) }
}
