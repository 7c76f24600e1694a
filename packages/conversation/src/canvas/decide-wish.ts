import * as z from 'zod'
import type { Json } from '../json.ts'
import type { Canvas, CanvasElement } from './canvas.ts'
import { type CanvasLimits, jsonSizeBytes } from './canvas-limits.ts'
import {
  type CanvasLayout,
  type CanvasMode,
  CanvasOperation,
  type CanvasTheme,
  ElementFields,
} from './canvas-operation.ts'
import { type ContentOf, ElementContent } from './element-content.ts'

/** What an agent or a person asks of a canvas, not checked against it yet. */
export type CanvasWish =
  /** `content` is what an element of that kind shows; the server gives the id. */
  | { readonly type: 'add'; readonly content: Json }
  | { readonly type: 'update'; readonly elementId: string; readonly fields: { readonly [name: string]: Json } }
  | { readonly type: 'remove'; readonly elementId: string }
  | { readonly type: 'pin'; readonly elementId: string; readonly pinned: boolean }
  | { readonly type: 'check'; readonly elementId: string; readonly itemId: string; readonly checked: boolean }
  /** A person's answer to a form (values by field) or a confirmation (the id of a choice). */
  | { readonly type: 'answer'; readonly elementId: string; readonly value: Json }
  | { readonly type: 'set-mode'; readonly mode: CanvasMode; readonly layout: CanvasLayout | null }
  | { readonly type: 'set-theme'; readonly theme: CanvasTheme }
  | { readonly type: 'notify'; readonly text: string; readonly tone: 'neutral' | 'good' | 'warning' | 'bad' }
  | { readonly type: 'clear' }
  | { readonly type: 'restore' }

/** Why a wish was refused. Nothing was changed. */
export type CanvasRefusalCode =
  | 'unknown-element'
  | 'bad-element'
  | 'too-large'
  | 'canvas-full'
  | 'already-answered'
  | 'not-yours'
  | 'nothing-to-restore'

/** What becomes of a wish. */
export type CanvasDecision =
  | {
      readonly type: 'accepted'
      readonly operation: CanvasOperation
      /** Null where the wish is about the whole canvas. */
      readonly elementId: string | null
    }
  | { readonly type: 'refused'; readonly code: CanvasRefusalCode; readonly text: string }

/** Who asks; an agent never answers its own questions. */
export interface WishContext {
  readonly isPerson: boolean
  readonly limits: CanvasLimits
}

/**
 * What a wish does to a canvas, or why it does nothing: in words on which whoever asked can act. [CANVAS1, CANVAS4,
 * CANVAS5]
 */
export function decideWish(canvas: Canvas, wish: CanvasWish, context: WishContext): CanvasDecision {
  switch (wish.type) {
    case 'add':
      return addition(canvas, wish.content, context.limits)
    case 'update':
      return withElement(canvas, wish.elementId, (element) => update(canvas, { element, fields: wish.fields }, context))
    case 'remove':
      return withElement(canvas, wish.elementId, ({ id }) => accepted({ type: 'remove-element', elementId: id }))
    case 'pin':
      return withElement(canvas, wish.elementId, ({ id }) =>
        accepted({ type: 'pin-element', elementId: id, pinned: wish.pinned }),
      )
    case 'check':
      return withElement(canvas, wish.elementId, (element) => check(element, wish))
    case 'answer':
      return withElement(canvas, wish.elementId, (element) =>
        context.isPerson
          ? answer(canvas, { element, value: wish.value }, context)
          : refused('not-yours', 'Only the person answers what you ask.'),
      )
    case 'set-mode': {
      const { mode, layout } = wish
      return accepted({ type: 'set-mode', mode, ...(layout === null ? {} : { layout }) })
    }
    case 'set-theme':
      return accepted({ type: 'set-theme', theme: wish.theme })
    case 'notify':
      return checkedOperation({ type: 'notify', text: wish.text, tone: wish.tone })
    case 'clear':
      return accepted({ type: 'clear-canvas' })
    case 'restore':
      return restoration(canvas, context.limits)
  }
}

function addition(canvas: Canvas, given: Json, limits: CanvasLimits): CanvasDecision {
  if (canvas.elements.length >= limits.elements)
    return refused(
      'canvas-full',
      `The canvas holds ${canvas.elements.length} elements, and ${limits.elements} is the most. Update or remove one first.`,
    )
  const sizeBytes = jsonSizeBytes(given)
  const problem = sizeProblem(sizeBytes, mostBytesOf(isPage(given), limits))
  if (problem !== null) return refused('too-large', problem)
  const parsed = ElementContent.safeParse(given)
  if (!parsed.success) return refused('bad-element', issuesText(parsed.error))
  if ('answer' in parsed.data && parsed.data.answer !== null)
    return refused('not-yours', 'Only the person answers what you ask.')
  if (parsed.data.type === 'page' && parsed.data.versions.length > 0)
    return refused('bad-element', 'The canvas counts the versions of a page itself.')
  const total = totalProblem(canvas.elements, sizeBytes, limits)
  if (total !== null) return refused('canvas-full', total)
  const number = canvas.lastNumber + 1
  const elementId = `${parsed.data.type}-${number}`
  return accepted({ type: 'add-element', elementId, number, content: parsed.data })
}

/** What comes back counts like what is new: a canvas never holds more than it may. */
function restoration({ elements, removed }: Canvas, limits: CanvasLimits): CanvasDecision {
  if (removed === null) return refused('nothing-to-restore', 'Nothing was removed that could be brought back.')
  const there = new Set(elements.map(({ id }) => id))
  const coming = removed.elements.flatMap(({ element }) => (there.has(element.id) ? [] : [element]))
  const count = elements.length + coming.length
  if (count > limits.elements)
    return refused(
      'canvas-full',
      `The canvas would hold ${count} elements, and ${limits.elements} is the most. Remove ${count - limits.elements} first.`,
    )
  const total = totalProblem(elements, jsonSizeBytes(coming), limits)
  return total === null ? accepted({ type: 'restore-removed' }) : refused('canvas-full', total)
}

interface Update {
  readonly element: CanvasElement
  readonly fields: Readonly<Record<string, Json>>
}

function update(canvas: Canvas, { element, fields }: Update, { limits }: WishContext): CanvasDecision {
  const own = ElementFields.safeParse(fields)
  if (!own.success) return refused('bad-element', issuesText(own.error))
  if ('answer' in element && element.answer !== null)
    return refused('already-answered', `${element.id} was answered and stays as it is. Show a new one.`)
  const merged = { ...element, ...own.data }
  const problem = sizeProblem(jsonSizeBytes(merged), mostBytesOf(element.type === 'page', limits))
  if (problem !== null) return refused('too-large', problem)
  const parsed = ElementContent.safeParse(merged)
  if (!parsed.success) return refused('bad-element', issuesText(parsed.error))
  const unknown = Object.keys(own.data).filter((name) => !(name in parsed.data))
  if (unknown.length > 0)
    return refused(
      'bad-element',
      `A ${element.type} has no field ${unknown.map((name) => name.slice(0, 100)).join(', ')}.`,
    )
  const others = canvas.elements.filter((one) => one !== element)
  const total = totalProblem(others, jsonSizeBytes(merged), limits)
  if (total !== null) return refused('canvas-full', total)
  return accepted({ type: 'update-element', elementId: element.id, fields: own.data })
}

function check(element: CanvasElement, wish: Extract<CanvasWish, { type: 'check' }>): CanvasDecision {
  if (element.type !== 'checklist')
    return refused('bad-element', `${element.id} is a ${element.type}, not a checklist.`)
  const { itemId, checked } = wish
  if (!element.items.some(({ id }) => id === itemId))
    return refused(
      'unknown-element',
      `${element.id} has no item ${quoted(itemId)}. It has ${list(element.items.map(({ id }) => id))}.`,
    )
  return accepted({ type: 'check-item', elementId: element.id, itemId, checked })
}

/** The first answer counts; a later one changes nothing and says so. [CANVAS3] */
function answer(
  { elements }: Canvas,
  { element, value }: { readonly element: CanvasElement; readonly value: Json },
  { limits }: WishContext,
): CanvasDecision {
  if (element.type !== 'form' && element.type !== 'confirmation')
    return refused('bad-element', `${element.id} is a ${element.type} and asks nothing.`)
  if (element.answer !== null) return refused('already-answered', `${element.id} was answered before.`)
  if (element.type === 'confirmation') {
    const choice = element.choices.find(({ id }) => id === value)
    if (!choice)
      return refused('bad-element', `${element.id} has the choices ${list(element.choices.map(({ id }) => id))}.`)
    return accepted({ type: 'answer-confirmation', elementId: element.id, choiceId: choice.id })
  }
  const values = answerSchema(element).safeParse(value)
  if (!values.success) return refused('bad-element', issuesText(values.error))
  const sizeBytes = jsonSizeBytes(values.data)
  const limitBytes = limits.elementSizeBytes
  if (sizeBytes > limitBytes)
    return refused('too-large', `The answer has ${sizeBytes} bytes, and ${limitBytes} is the most. Write less.`)
  const total = totalProblem(elements, sizeBytes, limits)
  if (total !== null) return refused('canvas-full', total)
  return accepted({ type: 'answer-form', elementId: element.id, values: values.data })
}

/** What a form takes: its fields and no others. */
function answerSchema({ fields }: ContentOf<'form'>) {
  return z.strictObject(
    Object.fromEntries(
      fields.map(({ name, kind, choices, required }) => {
        const schema: z.ZodType<Json> = valueSchema(kind, choices ?? [], required)
        return [name, required ? schema : schema.nullable().default(null)]
      }),
    ),
  )
}

function valueSchema(kind: ContentOf<'form'>['fields'][number]['kind'], choices: readonly string[], required: boolean) {
  switch (kind) {
    case 'text':
      return required ? z.string().trim().min(1).max(1_000) : z.string().max(1_000)
    case 'long-text':
      return required ? z.string().trim().min(1).max(20_000) : z.string().max(20_000)
    case 'number':
      return z.number()
    case 'choice':
      return z.enum(choices)
    case 'toggle':
      return z.boolean()
  }
}

function withElement(
  { elements }: Canvas,
  elementId: string,
  decide: (element: CanvasElement) => CanvasDecision,
): CanvasDecision {
  const element = elements.find(({ id }) => id === elementId)
  if (element) return decide(element)
  const ids = elements.map(({ id }) => id)
  return refused('unknown-element', `There is no element ${quoted(elementId)} on the canvas. It has ${list(ids)}.`)
}

function checkedOperation(operation: CanvasOperation): CanvasDecision {
  const parsed = CanvasOperation.safeParse(operation)
  return parsed.success ? accepted(parsed.data) : refused('bad-element', issuesText(parsed.error))
}

function accepted(operation: CanvasOperation): CanvasDecision {
  return { type: 'accepted', operation, elementId: 'elementId' in operation ? operation.elementId : null }
}

function refused(code: CanvasRefusalCode, text: string): CanvasDecision {
  return { type: 'refused', code, text }
}

/** A page is a whole document and may be longer than what is read at a glance. [PREV11] */
function mostBytesOf(isPage: boolean, { elementSizeBytes, canvasSizeBytes }: CanvasLimits): number {
  return isPage ? Math.min(PAGE_SIZE_BYTES, canvasSizeBytes) : elementSizeBytes
}

const PAGE_SIZE_BYTES = 2_097_152

function isPage(given: Json): boolean {
  return typeof given === 'object' && given !== null && 'type' in given && given['type'] === 'page'
}

function sizeProblem(sizeBytes: number, limitBytes: number): string | null {
  if (sizeBytes <= limitBytes) return null
  return `The element has ${sizeBytes} bytes, and ${limitBytes} is the most. Show less of it, or split it into several elements.`
}

function totalProblem(
  elements: readonly CanvasElement[],
  moreBytes: number,
  { canvasSizeBytes }: CanvasLimits,
): string | null {
  const total = jsonSizeBytes(elements) + moreBytes
  if (total <= canvasSizeBytes) return null
  return `The canvas would have ${total} bytes, and ${canvasSizeBytes} is the most. Remove or shorten an element first.`
}

const MOST_ISSUES = 5

function issuesText({ issues }: z.ZodError): string {
  const lines = issues.slice(0, MOST_ISSUES).map(({ path, message }) => {
    const where = path.map(String).join('.').slice(0, 200)
    return where === '' ? message.slice(0, 500) : `${where}: ${message.slice(0, 500)}`
  })
  const more = issues.length > MOST_ISSUES ? ` And ${issues.length - MOST_ISSUES} more.` : ''
  return `${lines.join('. ')}.${more}`
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}

const MOST_LISTED = 20

function list(ids: readonly string[]): string {
  if (ids.length === 0) return 'none'
  const more = ids.length > MOST_LISTED ? ` and ${ids.length - MOST_LISTED} more` : ''
  return `${ids.slice(0, MOST_LISTED).join(', ')}${more}`
}
