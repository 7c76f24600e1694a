import * as z from 'zod'
import { Json } from '../json.ts'
import { ElementContent } from './element-content.ts'

/** What stands in the foreground: nothing, elements, or media. */
export const CanvasMode = z.enum(['ambient', 'content', 'media'])
export type CanvasMode = z.infer<typeof CanvasMode>

/** How elements are placed; `auto` follows the room that there is. */
export const CanvasLayout = z.enum(['auto', 'column', 'grid', 'focus'])
export type CanvasLayout = z.infer<typeof CanvasLayout>

/** The tint of the canvas, and of nothing else. */
export const CanvasTheme = z.enum(['plain', 'green', 'blue', 'amber', 'rose', 'violet'])
export type CanvasTheme = z.infer<typeof CanvasTheme>

/** How urgent a notification is. */
export const NotificationTone = z.enum(['neutral', 'good', 'warning', 'bad'])

const elementId = z.string().min(1).max(200)

/** Names that an update never sets: the server does. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'type', 'number', 'answer', 'pinned', 'changed', 'addedSeq', 'versions'],
])

/** New values of an element's fields, by name; what is absent stays. */
export const ElementFields = z
  .record(z.string(), Json)
  .refine((fields) => Object.keys(fields).every((name) => !OWN_FIELDS.has(name)), {
    error: `These fields cannot be set: ${[...OWN_FIELDS].join(', ')}`,
  })
export type ElementFields = z.infer<typeof ElementFields>

/** One change of a canvas, as the log holds it. Ids come from the server. [CANVAS1] */
export const CanvasOperation = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('add-element'),
    elementId,
    /** Counts the elements that the canvas ever had; ids are made of it and never used again. */
    number: z.int().positive(),
    content: ElementContent,
  }),
  z.object({ type: z.literal('update-element'), elementId, fields: ElementFields }),
  z.object({ type: z.literal('remove-element'), elementId }),
  z.object({ type: z.literal('pin-element'), elementId, pinned: z.boolean() }),
  z.object({ type: z.literal('check-item'), elementId, itemId: z.string(), checked: z.boolean() }),
  z.object({
    type: z.literal('answer-form'),
    elementId,
    values: z.record(z.string(), Json),
  }),
  z.object({ type: z.literal('answer-confirmation'), elementId, choiceId: z.string() }),
  z.object({ type: z.literal('set-mode'), mode: CanvasMode, layout: CanvasLayout.exactOptional() }),
  z.object({ type: z.literal('set-theme'), theme: CanvasTheme }),
  z.object({ type: z.literal('clear-canvas') }),
  /** Brings back what the last removal or clearing took. [CANVAS3] */
  z.object({ type: z.literal('restore-removed') }),
  /** Shown once to whoever looks; nothing of it stays. [CANVAS3] */
  z.object({ type: z.literal('notify'), text: z.string().trim().min(1).max(500), tone: NotificationTone }),
])
export type CanvasOperation = z.infer<typeof CanvasOperation>
