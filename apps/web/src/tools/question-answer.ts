import type { ConversationStore, OutboxItem, QuestionChoice } from '@holdfast/client'
import type { AnswerContent, QuestionField } from '@holdfast/conversation'

/** What stands in a field: text, a tick, or the options that are chosen. */
export type Filled = string | boolean | readonly string[]

/** What a form holds, by the names of its fields. */
export type FilledForm = Readonly<Record<string, Filled>>

/** A form as it is shown first: with what whoever asks proposes. */
export function emptyForm(fields: readonly QuestionField[]): FilledForm {
  return Object.fromEntries(fields.map((field) => [field.name, proposal(field)]))
}

/** The answer that a form holds; what was left empty is absent. */
export function contentOf(fields: readonly QuestionField[], form: FilledForm): AnswerContent {
  const entries = fields.flatMap((field) => {
    const value = givenValue(field, form[field.name])
    return value === undefined ? [] : [[field.name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Sends a person's answer. */
export function sendAnswer(store: ConversationStore, choice: QuestionChoice): void {
  store.answerQuestion(choice)
}

/** Whether an answer is on its way. */
export function isAnswerSent(outbox: readonly OutboxItem[], questionId: string): boolean {
  return outbox.some(({ command }) => command.name === 'answer-question' && command.questionId === questionId)
}

function proposal(field: QuestionField): Filled {
  switch (field.type) {
    case 'text':
      return field.format === 'date-time' ? localTime(field.default ?? '') : (field.default ?? '')
    case 'choice':
      return field.default ?? ''
    case 'number':
      return field.default === undefined ? '' : String(field.default)
    case 'boolean':
      return field.default ?? false
    case 'choices':
      return field.default ?? []
  }
}

function givenValue(field: QuestionField, filled: Filled | undefined): AnswerContent[string] | undefined {
  switch (field.type) {
    case 'boolean':
      return filled === true
    case 'choices':
      return Array.isArray(filled) && filled.length > 0 ? [...filled] : undefined
    case 'number':
      return typeof filled === 'string' && filled.trim() !== '' ? Number(filled) : undefined
    case 'text':
      if (typeof filled !== 'string' || filled === '') return undefined
      return field.format === 'date-time' ? worldTime(filled) : filled
    case 'choice':
      return typeof filled === 'string' && filled !== '' ? filled : undefined
  }
}

/** The clock of this browser, as its field for a time writes it; what is no time is left out. */
function localTime(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function worldTime(text: string): string {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}
