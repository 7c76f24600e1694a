import type { QuestionChoice } from '@holdfast/client'
import { answerProblems, asksForSecret, type PendingQuestion, type QuestionWish } from '@holdfast/conversation'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Said } from '../language/said.tsx'
import { say } from '../language/say.ts'
import { AskingCard } from './asking-card.tsx'
import { contentOf, emptyForm } from './question-answer.ts'
import { QuestionFieldRow } from './question-fields.tsx'
import { useArmed } from './use-armed.ts'

interface QuestionCardProps {
  readonly question: PendingQuestion
  /** Whether an answer is on its way. */
  readonly isAnswered: boolean
  readonly onAnswer: (choice: QuestionChoice) => void
}

/**
 * What a running call asks. It takes no focus, says who asks before what is asked, and its buttons take effect a
 * moment after it came, so that nothing that was being typed or clicked answers it. [TOOL11]
 */
export function QuestionCard({ question, isAnswered, onAnswer }: QuestionCardProps) {
  const { questionId, source, message, wish, at } = question
  const isArmed = useArmed(questionId) && !isAnswered

  function answer(choice: Omit<QuestionChoice, 'questionId'>): void {
    if (isArmed) onAnswer({ questionId, ...choice })
  }

  const refusals = (
    <>
      <button type="button" className="button" aria-disabled={!isArmed} onClick={() => answer({ action: 'decline' })}>
        {say('questions.decline')}
      </button>
      <button
        type="button"
        className="button"
        aria-disabled={!isArmed}
        title={say('questions.cancel-means')}
        onClick={() => answer({ action: 'cancel' })}
      >
        {say('questions.cancel')}
      </button>
    </>
  )
  return (
    <AskingCard
      {...{
        testId: 'question-card',
        title: say('questions.asks-you', { source }),
        at,
        place: null,
        isArmed,
        isAnswered,
      }}
    >
      <p className="question-message" dir="auto">
        {message}
      </p>
      <Wish {...{ source, wish, isArmed, refusals }} onAccept={(content) => answer({ action: 'accept', ...content })} />
    </AskingCard>
  )
}

interface WishProps<Type extends QuestionWish['type']> {
  readonly source: string
  readonly wish: Extract<QuestionWish, { type: Type }>
  readonly isArmed: boolean
  readonly refusals: ReactNode
  readonly onAccept: (answer: Pick<QuestionChoice, 'content'>) => void
}

function Wish(props: WishProps<QuestionWish['type']>) {
  const { wish } = props
  switch (wish.type) {
    case 'form':
      return <FormWish {...props} wish={wish} />
    case 'page':
      return <PageWish {...props} wish={wish} />
  }
}

/** Fields to fill in. What is wrong is said beside its field, and nothing is sent before it fits. */
function FormWish({ source, wish: { fields }, isArmed, refusals, onAccept }: WishProps<'form'>) {
  const [form, setForm] = useState(() => emptyForm(fields))
  const [isChecked, setChecked] = useState(false)
  const rows = useRef<HTMLFormElement>(null)
  const problems = isChecked ? answerProblems(fields, contentOf(fields, form)) : []

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (!isArmed) return
    const content = contentOf(fields, form)
    const [first] = answerProblems(fields, content)
    if (!first) {
      onAccept({ content })
      return
    }
    setChecked(true)
    const row = [...(rows.current?.querySelectorAll('[data-field]') ?? [])].find(
      (one) => one.getAttribute('data-field') === first.field,
    )
    row?.querySelector<HTMLElement>('input, select')?.focus()
  }

  return (
    <form ref={rows} className="question" noValidate onSubmit={onSubmit}>
      {fields.map((field) => (
        <QuestionFieldRow
          key={field.name}
          field={field}
          filled={form[field.name] ?? ''}
          problem={problems.find((problem) => problem.field === field.name)?.message ?? null}
          onFill={(filled) => setForm({ ...form, [field.name]: filled })}
        />
      ))}
      {fields.length > 0 && <SecretWarning source={source} isLoud={asksForSecret(fields)} />}
      <div className="permission-buttons" data-armed={isArmed}>
        <button type="submit" className="button primary" aria-disabled={!isArmed}>
          {say('questions.accept')}
        </button>
        {refusals}
      </div>
    </form>
  )
}

/** A form is no place for secrets: the server reads what is written, and so does this conversation. */
function SecretWarning({ source, isLoud }: { readonly source: string; readonly isLoud: boolean }) {
  if (!isLoud) return <p className="meta">{say('questions.no-secrets', { source })}</p>
  return (
    <p className="problem" role="note" data-testid="secret-warning">
      {say('questions.asks-for-secret', { source })}
    </p>
  )
}

/** A page of whoever asks. It is opened by the person alone, with all of its address read before. */
function PageWish({ source, wish: { url }, isArmed, refusals, onAccept }: WishProps<'page'>) {
  const { host } = new URL(url)
  return (
    <>
      <p>
        <Said
          of="questions.wants-page"
          values={{ source, host }}
          tags={{ strong: (inner) => <strong dir="ltr">{inner}</strong> }}
        />
      </p>
      {host.split('.').some((label) => label.startsWith('xn--')) && (
        <p className="problem" role="note">
          {say('questions.look-alike')}
        </p>
      )}
      <p className="permission-what">
        <code dir="ltr">{url}</code>
      </p>
      <div className="permission-buttons" data-armed={isArmed}>
        <a
          className="button primary"
          aria-disabled={!isArmed}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          onClick={(event) => (isArmed ? onAccept({}) : event.preventDefault())}
        >
          {say('questions.open', { host })}
        </a>
        {refusals}
      </div>
    </>
  )
}
