import {
  type AnswerContent,
  answerProblems,
  asksForSecret,
  type Entry,
  listing,
  type NewEntry,
  overview,
  pendingQuestions,
  QuestionField,
  QuestionWish,
  toListing,
  transcript,
} from '@holdfast/conversation'
import {
  conversationCreated,
  inputAdmitted,
  logOf,
  runFinished,
  runStarted,
  stepFinished,
  toolCallBlock,
  toolCallStarted,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { describe, expect, it } from 'vitest'

const about = { name: 'f', title: 'F', required: false } as const
const options = ['a', 'b', 'c'].map((value) => ({ value, title: value.toUpperCase() }))

describe('an answer fits what was asked', () => {
  it.each<[QuestionField, AnswerContent[string], string | null]>([
    [{ ...about, type: 'text' }, 'words', null],
    [{ ...about, type: 'text' }, 7, 'This has to be a text'],
    [{ ...about, type: 'text', required: true }, '', 'This is needed'],
    [{ ...about, type: 'text', minLength: 2 }, 'é', 'This has to have at least 2 characters'],
    [{ ...about, type: 'text', maxLength: 2 }, 'abc', 'This may have at most 2 characters'],
    [{ ...about, type: 'text', maxLength: 2 }, '👍👍', null],
    [{ ...about, type: 'text' }, 'x'.repeat(10_001), 'This may have at most 10000 characters'],
    [{ ...about, type: 'text', format: 'email' }, 'ada@example.org', null],
    [{ ...about, type: 'text', format: 'email' }, 'ada', 'This has to be an e-mail address'],
    [{ ...about, type: 'text', format: 'uri' }, 'https://example.org/a', null],
    [{ ...about, type: 'text', format: 'uri' }, 'example', 'This has to be an address such as https://example.org'],
    [{ ...about, type: 'text', format: 'date' }, '2026-02-28', null],
    [{ ...about, type: 'text', format: 'date' }, '2026-02-30', 'This has to be a date such as 2026-03-31'],
    [{ ...about, type: 'text', format: 'date-time' }, '2026-02-28T09:30:00+02:00', null],
    [
      { ...about, type: 'text', format: 'date-time' },
      '2026-02-28',
      'This has to be a date and time such as 2026-03-31T09:30:00Z',
    ],
    [{ ...about, type: 'number', isInteger: false }, 3.14, null],
    [{ ...about, type: 'number', isInteger: true }, 3.14, 'This has to be a whole number'],
    [{ ...about, type: 'number', isInteger: false }, Number.NaN, 'This has to be a number'],
    [{ ...about, type: 'number', isInteger: false, minimum: 1 }, 0, 'This has to be at least 1'],
    [{ ...about, type: 'number', isInteger: false, maximum: 9 }, 10, 'This may be at most 9'],
    [{ ...about, type: 'boolean' }, false, null],
    [{ ...about, type: 'boolean' }, 'yes', 'This has to be yes or no'],
    [{ ...about, type: 'choice', options }, 'b', null],
    [{ ...about, type: 'choice', options }, 'B', 'Choose one of the options'],
    [{ ...about, type: 'choices', options }, ['a', 'c'], null],
    [{ ...about, type: 'choices', options }, 'a', 'Choose among the options'],
    [{ ...about, type: 'choices', options }, ['d'], 'Choose among the options'],
    [{ ...about, type: 'choices', options }, ['a', 'a'], 'Choose each option once'],
    [{ ...about, type: 'choices', options, minItems: 2 }, ['a'], 'Choose at least 2'],
    [{ ...about, type: 'choices', options, maxItems: 1 }, ['a', 'b'], 'Choose at most 1'],
    [{ ...about, type: 'choices', options, required: true }, [], 'Choose at least 1'],
  ])('%j and %j: %s', (field, value, message) => {
    const content = { f: value }
    expect(answerProblems([QuestionField.parse(field)], content)).toEqual(
      message === null ? [] : [{ field: 'f', message }],
    )
  })

  it('[TOOL11] what is needed is not left out, and what was not asked for is not taken', () => {
    const field: QuestionField = { ...about, type: 'text', required: true }
    expect(answerProblems([field], {})).toEqual([{ field: 'f', message: 'This is needed' }])
    expect(answerProblems([field], { f: 'a', toString: 'b' })).toEqual([
      { field: 'toString', message: 'This was not asked for' },
    ])
    expect(answerProblems([{ ...field, name: 'toString' }], {})).toHaveLength(1)
  })

  it('[TOOL11] a page has an address of the web, and a field no name that is none', () => {
    expect(QuestionWish.safeParse({ type: 'page', url: 'javascript:alert(1)' }).success).toBe(false)
    expect(QuestionField.safeParse({ ...about, name: '__proto__', type: 'text' }).success).toBe(false)
  })

  it.each([
    ['password', true],
    ['Passwort or pass phrase', true],
    ['API key', true],
    ['Your access token', true],
    ['PIN', true],
    ['Card number', true],
    ['Spinning wheel', false],
    ['How many tokens may it use', false],
    ['Opinion', false],
    ['Colour', false],
  ])('[TOOL11] %j is a secret: %s', (title, isSecret) => {
    expect(asksForSecret([{ ...about, title, type: 'text' }])).toBe(isSecret)
  })
})

const engine = { type: 'engine' } as const
const asked: NewEntry = {
  type: 'question-asked',
  actor: engine,
  runId: 'run_1',
  stepId: 'step_1',
  questionId: 'q1',
  userId: 'user_1',
  callId: 'c1',
  tool: 'paint',
  source: 'paint',
  message: 'Which?',
  wish: { type: 'form', fields: [] },
}
const begun = [
  conversationCreated('user_1'),
  inputAdmitted('input_1', 'Paint'),
  runStarted('run_1', 'turn'),
  userMessageSent('run_1', 'input_1', 'Paint'),
  stepFinished('run_1', 'step_1', [toolCallBlock('c1', 'paint')]),
  toolCallStarted('run_1', 'step_1', { callId: 'c1', name: 'paint' }),
  asked,
]
const settled: NewEntry = {
  type: 'question-settled',
  actor: engine,
  questionId: 'q1',
  outcome: 'accepted',
  by: 'person',
  content: { colour: 'red' },
}

function stateAfter(entries: readonly NewEntry[]) {
  const log: readonly Entry[] = logOf('conversation_1', [...entries])
  return {
    pending: overview.reduce(overview.initial, log).pendingQuestions.map(({ questionId }) => questionId),
    row: toListing(listing.reduce(listing.initial, log)).state,
    call: transcript.reduce(transcript.initial, log).items.find(({ role }) => role === 'assistant')?.toolCalls[0],
  }
}

describe('a question in the log', () => {
  it('[TOOL11] waits for its person, and stays with its call for good', () => {
    expect(stateAfter(begun)).toMatchObject({
      pending: ['q1'],
      row: 'waiting-for-answer',
      call: { state: 'running', questions: [{ questionId: 'q1', source: 'paint', message: 'Which?', settled: null }] },
    })
    expect(stateAfter([...begun, settled])).toMatchObject({
      pending: [],
      row: 'running',
      call: { questions: [{ settled: { outcome: 'accepted', by: 'person', content: { colour: 'red' } } }] },
    })
  })

  it('[TOOL11] is not open any more when its run has ended', () => {
    expect(stateAfter([...begun, runFinished('run_1', 'interrupted')]).pending).toEqual([])
    expect(pendingQuestions.reduce([], logOf('c', begun))).toHaveLength(1)
  })
})
