import * as z from 'zod'

/** Bounds on what a person is asked and answers. Sizes in characters. */
export const QUESTION_LIMITS = {
  messageChars: 4_000,
  fields: 30,
  options: 200,
  titleChars: 200,
  descriptionChars: 1_000,
  /** A text for which the question itself names no bound. */
  textChars: 10_000,
  addressChars: 4_000,
} as const

/** A name such as `__proto__` would not be a member of an answer like any other. */
const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^(?!__proto__$)/, 'It may not be named __proto__')
const title = z.string().min(1).max(QUESTION_LIMITS.titleChars)
const optionValue = z.string().max(QUESTION_LIMITS.titleChars)
const about = {
  name,
  title,
  description: z.string().max(QUESTION_LIMITS.descriptionChars).exactOptional(),
  required: z.boolean(),
}
const options = z
  .array(z.object({ value: optionValue, title }))
  .min(1)
  .max(QUESTION_LIMITS.options)

/** One thing that a person is asked for. */
export const QuestionField = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    ...about,
    format: z.enum(['email', 'uri', 'date', 'date-time']).exactOptional(),
    minLength: z.int().nonnegative().exactOptional(),
    maxLength: z.int().nonnegative().exactOptional(),
    default: z.string().max(QUESTION_LIMITS.textChars).exactOptional(),
  }),
  z.object({
    type: z.literal('number'),
    ...about,
    isInteger: z.boolean(),
    minimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    default: z.number().exactOptional(),
  }),
  z.object({ type: z.literal('boolean'), ...about, default: z.boolean().exactOptional() }),
  z.object({ type: z.literal('choice'), ...about, options, default: optionValue.exactOptional() }),
  z.object({
    type: z.literal('choices'),
    ...about,
    options,
    minItems: z.int().nonnegative().exactOptional(),
    maxItems: z.int().nonnegative().exactOptional(),
    default: z.array(optionValue).max(QUESTION_LIMITS.options).exactOptional(),
  }),
])
export type QuestionField = z.infer<typeof QuestionField>

/** What a person is asked to do: fill in fields, or open a page of whoever asks and do there what it wants. */
export const QuestionWish = z.discriminatedUnion('type', [
  z.object({ type: z.literal('form'), fields: z.array(QuestionField).max(QUESTION_LIMITS.fields) }),
  z.object({ type: z.literal('page'), url: z.url({ protocol: /^https?$/ }).max(QUESTION_LIMITS.addressChars) }),
])
export type QuestionWish = z.infer<typeof QuestionWish>

/** What a person answered, by the names of the fields; a field that was left empty is absent. */
export const AnswerContent = z.record(name, z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
export type AnswerContent = z.infer<typeof AnswerContent>

/** One thing that is wrong with an answer. */
export interface AnswerProblem {
  readonly field: string
  readonly message: string
}

/** What keeps an answer from being taken, field by field; nothing for one that fits. [TOOL11] */
export function answerProblems(fields: readonly QuestionField[], content: AnswerContent): readonly AnswerProblem[] {
  const known = new Set(fields.map((field) => field.name))
  const problems = fields.flatMap((field) => {
    const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined
    const message = value === undefined ? (field.required ? 'This is needed' : null) : problemOf(field, value)
    return message === null ? [] : [{ field: field.name, message }]
  })
  const unknown = Object.keys(content).filter((given) => !known.has(given))
  return [...problems, ...unknown.map((field) => ({ field, message: 'This was not asked for' }))]
}

/** Whether the names or words of fields are those of secrets, which no form may ask for. */
export function asksForSecret(fields: readonly QuestionField[]): boolean {
  return fields.some((field) => SECRET.test(`${field.name} ${field.title} ${field.description ?? ''}`))
}

const SECRET =
  /pass[\s_-]?(?:word|phrase|code)|\bpwd\b|secret|\bcredentials?\b|api[\s_-]?key|private[\s_-]?key|\baccess[\s_-]?key|token\b|\bcvv\b|\bcvc\b|credit[\s_-]?card|card[\s_-]?number|\biban\b|social[\s_-]?security|\bssn\b|\b(?:2fa|otp|pin)\b/i

function problemOf(field: QuestionField, value: AnswerContent[string]): string | null {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? textProblem(field, value) : 'This has to be a text'
    case 'number':
      return typeof value === 'number' ? numberProblem(field, value) : 'This has to be a number'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'This has to be yes or no'
    case 'choice':
      return field.options.some((option) => option.value === value) ? null : 'Choose one of the options'
    case 'choices':
      return Array.isArray(value) ? choicesProblem(field, value) : 'Choose among the options'
  }
}

type FieldOf<Type extends QuestionField['type']> = Extract<QuestionField, { type: Type }>

const FORMATS = {
  email: { fits: (text: string) => z.email().safeParse(text).success, words: 'an e-mail address' },
  uri: { fits: (text: string) => URL.canParse(text), words: 'an address such as https://example.org' },
  date: { fits: (text: string) => z.iso.date().safeParse(text).success, words: 'a date such as 2026-03-31' },
  'date-time': {
    fits: (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success,
    words: 'a date and time such as 2026-03-31T09:30:00Z',
  },
} as const

function textProblem(field: FieldOf<'text'>, text: string): string | null {
  const { format, minLength, maxLength, required } = field
  const bound = QUESTION_LIMITS.textChars
  const most = maxLength === undefined ? bound : Math.min(maxLength, bound)
  const chars = [...text].length
  if (required && text === '') return 'This is needed'
  if (minLength !== undefined && chars < minLength) return `This has to have at least ${minLength} characters`
  if (chars > most) return `This may have at most ${most} characters`
  return format === undefined || FORMATS[format].fits(text) ? null : `This has to be ${FORMATS[format].words}`
}

function numberProblem({ isInteger, minimum, maximum }: FieldOf<'number'>, value: number): string | null {
  if (!Number.isFinite(value)) return 'This has to be a number'
  if (isInteger && !Number.isSafeInteger(value)) return 'This has to be a whole number'
  if (minimum !== undefined && value < minimum) return `This has to be at least ${minimum}`
  if (maximum !== undefined && value > maximum) return `This may be at most ${maximum}`
  return null
}

function choicesProblem(field: FieldOf<'choices'>, values: readonly string[]): string | null {
  const { options: offered, required, minItems, maxItems } = field
  if (values.some((value) => !offered.some((option) => option.value === value))) return 'Choose among the options'
  if (new Set(values).size < values.length) return 'Choose each option once'
  if (minItems !== undefined && values.length < minItems) return `Choose at least ${minItems}`
  if (required && values.length === 0) return 'Choose at least 1'
  return maxItems !== undefined && values.length > maxItems ? `Choose at most ${maxItems}` : null
}
