import { QUESTION_LIMITS, QuestionField } from '@holdfast/conversation'
import type { ToolQuestion } from '@holdfast/tool'
import * as z from 'zod'
import { hiddenIn } from './hidden-text.ts'
import { isPage } from './is-page.ts'

const Titled = z.looseObject({ const: z.string(), title: z.string() })

/** One property of a form, as servers of any version of the protocol describe it. */
const Property = z.looseObject({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(Titled).optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.looseObject({ enum: z.array(z.string()).optional(), anyOf: z.array(Titled).optional() }).optional(),
  default: z.json().optional(),
})
type Property = z.infer<typeof Property>

/** What a server asks of a person: fields to fill in, or a page to open. Its words are data. [REQ7] */
export const ElicitParameters = z.looseObject({
  message: z.string(),
  mode: z.string().optional(),
  requestedSchema: z
    .looseObject({ properties: z.record(z.string(), Property), required: z.array(z.string()).optional() })
    .optional(),
  url: z.string().optional(),
})
export type ElicitParameters = z.infer<typeof ElicitParameters>

/** A question that can be put before a person, or why not, in words for the server. */
export type ReadQuestion =
  | { readonly type: 'question'; readonly question: ToolQuestion }
  | { readonly type: 'refused'; readonly reason: string }

/** Reads a server's question. What nobody can see, or what cannot be asked by fields, is refused. [TOOL11] */
export function readQuestion(server: string, asked: ElicitParameters): ReadQuestion {
  const { message, mode, requestedSchema, url } = asked
  if (message.length > QUESTION_LIMITS.messageChars)
    return refused(`The message has more than ${QUESTION_LIMITS.messageChars} characters`)
  const hidden = hiddenIn(z.json().parse({ message, requestedSchema: requestedSchema ?? null, url: url ?? null }))
  if (hidden !== null) return refused(`The question holds a hidden character (${hidden})`)
  if (mode === 'url')
    return url === undefined ? refused('The question names no page') : readPage({ server, message, url })
  // What names no mode is a form. https://modelcontextprotocol.io/specification/draft/client/elicitation
  if (mode !== undefined && mode !== 'form') return refused(`A question of mode ${mode.slice(0, 40)} cannot be asked`)
  const entries = requestedSchema === undefined ? [] : Object.entries(requestedSchema.properties)
  const required = new Set(requestedSchema?.required)
  if (entries.length > QUESTION_LIMITS.fields) return refused(`A form may have ${QUESTION_LIMITS.fields} fields`)
  const fields: QuestionField[] = []
  for (const [name, property] of entries) {
    const read = QuestionField.safeParse(fieldOf(name, property, required.has(name)))
    if (!read.success) return refused(`The field ${name.slice(0, 100)} cannot be asked: ${z.prettifyError(read.error)}`)
    if (hasTwice(read.data)) return refused(`The field ${name} has an option twice`)
    fields.push(read.data)
  }
  return { type: 'question', question: { source: server, message, wish: { type: 'form', fields } } }
}

function refused(reason: string): ReadQuestion {
  return { type: 'refused', reason }
}

/** Only what a browser takes for a page, and over a line that nobody reads along, but for one that stands here. */
function readPage({
  server,
  message,
  url,
}: {
  readonly server: string
  readonly message: string
  readonly url: string
}): ReadQuestion {
  const page = URL.canParse(url) ? new URL(url) : null
  if (!page || !isPage(page)) return refused('The page is no https address')
  if (page.username !== '' || page.password !== '') return refused('The address of the page names a user')
  if (page.href.length > QUESTION_LIMITS.addressChars) return refused('The address of the page is too long')
  return { type: 'question', question: { source: server, message, wish: { type: 'page', url: page.href } } }
}

/** A field as we know it, not yet checked. A default that does not fit is left out: the person chooses. */
function fieldOf(name: string, property: Property, required: boolean): unknown {
  const { type, title, description, format, minLength, maxLength, minimum, maximum, minItems, maxItems } = property
  const given = property.default
  const about = { name, title: title ?? name, ...present({ description }), required }
  switch (type) {
    case 'string': {
      const options = optionsOf(property)
      if (options !== null) {
        const isOffered = options.some(({ value }) => value === given)
        return { type: 'choice', ...about, options, ...(isOffered ? { default: given } : {}) }
      }
      const known = FORMATS.find((one) => one === format)
      const text = typeof given === 'string' ? { default: given } : {}
      return { type: 'text', ...about, ...present({ format: known, minLength, maxLength }), ...text }
    }
    case 'number':
    case 'integer': {
      const number = typeof given === 'number' ? { default: given } : {}
      return { type: 'number', ...about, isInteger: type === 'integer', ...present({ minimum, maximum }), ...number }
    }
    case 'boolean':
      return { type: 'boolean', ...about, ...(typeof given === 'boolean' ? { default: given } : {}) }
    case 'array': {
      const options = optionsOf(property.items ?? {}) ?? []
      const chosen = Array.isArray(given) ? given.filter((one) => options.some(({ value }) => value === one)) : null
      return { type: 'choices', ...about, options, ...present({ minItems, maxItems, default: chosen ?? undefined }) }
    }
  }
}

const FORMATS = ['email', 'uri', 'date', 'date-time'] as const

interface Offered {
  readonly enum?: readonly string[] | undefined
  readonly enumNames?: readonly string[] | undefined
  readonly oneOf?: readonly z.infer<typeof Titled>[] | undefined
  readonly anyOf?: readonly z.infer<typeof Titled>[] | undefined
}

function optionsOf(offered: Offered): readonly { readonly value: string; readonly title: string }[] | null {
  const titled = offered.oneOf ?? offered.anyOf
  if (titled) return titled.map((option) => ({ value: option.const, title: option.title || option.const || '—' }))
  if (!offered.enum) return null
  return offered.enum.map((value, index) => ({ value, title: offered.enumNames?.[index] || value || '—' }))
}

function hasTwice(field: QuestionField): boolean {
  if (!('options' in field)) return false
  return new Set(field.options.map(({ value }) => value)).size < field.options.length
}

function present<Members extends Readonly<Record<string, unknown>>>(members: Members): Partial<Members> {
  const kept: Partial<Members> = { ...members }
  for (const [name, value] of Object.entries(members)) if (value === undefined) Reflect.deleteProperty(kept, name)
  return kept
}
