import type { ConversationStore, QuestionChoice } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import {
  answerProblems,
  asksForSecret,
  markHidden,
  type PendingQuestion,
  type QuestionField,
  type QuestionWish,
} from '@holdfast/conversation'
import { type ReactNode, type SubmitEvent, Suspense, useId, useRef, useState } from 'react'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { AskingCard } from './asking-card.tsx'
import { contentOf, emptyForm, type Filled, isAnswerSent, sendAnswer } from './question-answer.ts'
import { useArmed } from './use-armed.ts'

const ScheduleProposal = later(async () => (await import('./schedule-proposal.tsx')).ScheduleProposal)

/** What calls of a run ask the person, oldest first. */
export function QuestionRequests({ store, runId }: { readonly store: ConversationStore; readonly runId: string }) {
  const pending = useConversation(store, (state) => state.overview.pendingQuestions)
  const outbox = useConversation(store, (state) => state.outbox)
  return pending
    .filter((question) => question.runId === runId)
    .map((question) => (
      <QuestionCard
        key={question.questionId}
        question={question}
        isAnswered={isAnswerSent(outbox, question.questionId)}
        onAnswer={(choice) => sendAnswer(store, choice)}
      />
    ))
}

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
function QuestionCard({ question, isAnswered, onAnswer }: QuestionCardProps) {
  const { questionId, source, message, wish, at, tool } = question
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
  const asked = (
    <Wish
      source={source}
      wish={wish}
      isArmed={isArmed}
      refusals={refusals}
      onAccept={(content) => answer({ action: 'accept', ...content })}
    />
  )
  return (
    <AskingCard
      testId="question-card"
      title={say('questions.asks-you', { source: markHidden(source) })}
      at={at}
      place={null}
      isArmed={isArmed}
      isAnswered={isAnswered}
    >
      <p className="question-message" dir="auto">
        {markHidden(message)}
      </p>
      {tool === 'schedule_propose' && wish.type === 'form' ? (
        <Suspense fallback={null}>
          <ScheduleProposal
            fields={wish.fields}
            isArmed={isArmed}
            onAccept={() => answer({ action: 'accept', content: contentOf(wish.fields, emptyForm(wish.fields)) })}
            onDecline={() => answer({ action: 'decline' })}
          >
            {asked}
          </ScheduleProposal>
        </Suspense>
      ) : (
        asked
      )}
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

  function onSubmit(event: SubmitEvent): void {
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
          values={{ source: markHidden(source), host }}
          tags={{ strong: (inner) => <strong dir="ltr">{inner}</strong> }}
        />
      </p>
      {host.split('.').some((label) => label.startsWith('xn--')) && (
        <p className="problem" role="note">
          {say('questions.look-alike')}
        </p>
      )}
      <p className="permission-what">
        <code dir="ltr">{markHidden(url)}</code>
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

interface QuestionFieldProps {
  readonly field: QuestionField
  readonly filled: Filled
  /** What is wrong with it; null before anybody has looked, and for what fits. */
  readonly problem: string | null
  readonly onFill: (filled: Filled) => void
}

/** One thing that is asked for: what it is called, where it is filled in, and what is wrong with it. */
function QuestionFieldRow({ field, filled, problem, onFill }: QuestionFieldProps) {
  const id = useId()
  const { title, description, required } = field
  const told = { id, describedBy: `${id}-about`, isWrong: problem !== null }
  const label = (
    <>
      {markHidden(title)}
      {!required && field.type !== 'boolean' && <span className="meta optional">{say('questions.optional')}</span>}
    </>
  )
  return (
    <div className="form-field" data-field={field.name}>
      {field.type === 'choices' ? (
        <span id={`${id}-label`} className="form-label" dir="auto">
          {label}
        </span>
      ) : (
        field.type !== 'boolean' && (
          <label htmlFor={id} dir="auto">
            {label}
          </label>
        )
      )}
      <FieldInput field={field} filled={filled} told={told} onFill={onFill} />
      <div id={told.describedBy}>
        {description !== undefined && (
          <p className="meta" dir="auto">
            {markHidden(description)}
          </p>
        )}
        {problem !== null && <p className="problem">{problem}</p>}
      </div>
    </div>
  )
}

interface FieldInputProps extends Pick<QuestionFieldProps, 'field' | 'filled' | 'onFill'> {
  readonly told: { readonly id: string; readonly describedBy: string; readonly isWrong: boolean }
}

function FieldInput({ field, filled, told, onFill }: FieldInputProps) {
  const about = { id: told.id, 'aria-describedby': told.describedBy, 'aria-invalid': told.isWrong }
  const text = typeof filled === 'string' ? filled : ''
  switch (field.type) {
    case 'text':
      return (
        <input
          {...about}
          {...TEXT_INPUTS[field.format ?? 'plain']}
          autoComplete="off"
          aria-required={field.required}
          dir="auto"
          value={text}
          onChange={(event) => onFill(event.target.value)}
        />
      )
    case 'number':
      return (
        <input
          {...about}
          type="text"
          inputMode={field.isInteger ? 'numeric' : 'decimal'}
          dir="auto"
          autoComplete="off"
          aria-required={field.required}
          value={text}
          onChange={(event) => onFill(event.target.value)}
        />
      )
    case 'boolean':
      return (
        <label className="check">
          <input {...about} type="checkbox" checked={filled === true} onChange={(e) => onFill(e.target.checked)} />
          <span dir="auto">{markHidden(field.title)}</span>
        </label>
      )
    case 'choice':
      return (
        <select {...about} aria-required={field.required} value={text} onChange={(event) => onFill(event.target.value)}>
          <option value="">{say(field.required ? 'questions.choose' : 'questions.none')}</option>
          {field.options.map(({ value, title }) => (
            <option key={value} value={value}>
              {markHidden(title)}
            </option>
          ))}
        </select>
      )
    case 'choices': {
      const chosen = Array.isArray(filled) ? filled : []
      return (
        <fieldset className="choices" aria-labelledby={`${told.id}-label`} aria-describedby={told.describedBy}>
          {field.options.map(({ value, title }) => (
            <label key={value} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={(event) =>
                  onFill(event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
                }
              />
              <span dir="auto">{markHidden(title)}</span>
            </label>
          ))}
        </fieldset>
      )
    }
  }
}

const TEXT_INPUTS = {
  plain: { type: 'text' },
  email: { type: 'text', inputMode: 'email' },
  uri: { type: 'text', inputMode: 'url' },
  date: { type: 'date' },
  'date-time': { type: 'datetime-local' },
} as const
