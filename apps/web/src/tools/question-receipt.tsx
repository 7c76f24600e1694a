import type { AnswerContent, QuestionWish, TranscriptQuestion } from '@holdfast/conversation'
import { exactTime } from '../shared/format.ts'
import { Glyph } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'

type Settled = NonNullable<TranscriptQuestion['settled']>

/** What a call asked, and what became of it, kept for good. [TOOL11] */
export function QuestionReceipt({ question }: { readonly question: TranscriptQuestion }) {
  const { source, message, wish, settled } = question
  if (settled === null) return null
  const given = shownAnswer(wish, settled.content ?? {})
  return (
    <div className="receipt" data-testid="question-receipt">
      <Glyph name={settled.outcome === 'accepted' ? 'ok' : 'denied'} lively={false} />
      <span dir="auto">{say('questions.asked', { source, message })}</span>
      <span>{say(outcomeKey(settled), { at: exactTime(settled.at) })}</span>
      {given.length > 0 && (
        <dl className="given">
          {given.map(({ name, title, words }) => (
            <div key={name}>
              <dt dir="auto">{title}</dt>
              <dd dir="auto">{words}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function outcomeKey({ outcome, by }: Settled) {
  switch (by) {
    case 'person':
      return OUTCOMES[outcome]
    case 'call':
      return 'questions.call-ended'
    case 'stop':
      return 'questions.stopped'
    case 'recovery':
      return 'questions.lost'
  }
}

const OUTCOMES = {
  accepted: 'questions.accepted',
  declined: 'questions.declined',
  cancelled: 'questions.cancelled',
} as const satisfies Readonly<Record<Settled['outcome'], string>>

function shownAnswer(wish: QuestionWish, content: AnswerContent) {
  if (wish.type === 'page') return []
  return wish.fields.flatMap((field) => {
    const value = content[field.name]
    if (value === undefined) return []
    const titles = 'options' in field ? new Map(field.options.map((option) => [option.value, option.title])) : null
    const words = [value]
      .flat()
      .map((one) => (typeof one === 'boolean' ? say(one ? 'questions.yes' : 'questions.no') : wordOf(one, titles)))
    return [{ name: field.name, title: field.title, words: words.join(', ') }]
  })
}

function wordOf(value: string | number, titles: ReadonlyMap<string, string> | null): string {
  return titles?.get(String(value)) ?? String(value)
}
