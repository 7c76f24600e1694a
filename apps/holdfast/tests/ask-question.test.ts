import type { QuestionField, QuestionWish } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { askQuestion } from '../src/cli/terminal/ask-question.ts'

const options = ['Red', 'Green', 'Blue'].map((title) => ({ value: title.toLowerCase(), title }))
const fields: readonly QuestionField[] = [
  { type: 'text', name: 'who', title: 'Your name', required: true },
  { type: 'text', name: 'mail', title: 'E-mail', required: false, format: 'email' },
  { type: 'number', name: 'coats', title: 'Coats', required: true, isInteger: true, default: 2 },
  { type: 'boolean', name: 'glossy', title: 'Glossy', required: false },
  { type: 'choice', name: 'colour', title: 'Colour', required: true, options },
  { type: 'choices', name: 'extras', title: 'Extras', required: false, options, maxItems: 2 },
]

/** What a person says line by line; the input ends behind it. */
async function asked(wish: QuestionWish, ...lines: readonly string[]) {
  const said = [...lines]
  const told: string[] = []
  const terminal = {
    tell: (line: string) => void told.push(line),
    ask: async (prompt: string) => {
      told.push(prompt)
      return said.shift() ?? null
    },
  }
  const answer = await askQuestion({ source: 'paint', message: 'How?', wish }, terminal)
  return { answer, told, left: said }
}

const form: QuestionWish = { type: 'form', fields: [...fields] }

describe('[TOOL11] a question in the terminal', () => {
  it('asks field by field, again where an answer does not fit, and sends what was meant', async () => {
    const { answer, told, left } = await asked(
      form,
      ...['', 'Ada', 'ada', 'ada@example.org', 'many', '', 'perhaps', 'y', '7', '2', '1 3', 'y'],
    )
    expect(answer).toEqual({
      action: 'accept',
      content: {
        who: 'Ada',
        mail: 'ada@example.org',
        coats: 2,
        glossy: true,
        colour: 'green',
        extras: ['red', 'blue'],
      },
    })
    expect(left).toEqual([])
    expect(told[0]).toBe('paint asks you: How?')
    expect(told.join('\n')).toContain('Write no passwords or keys')
    expect(told.filter((line) => line === '  This is needed.')).toHaveLength(1)
    expect(told).toContain('  This has to be an e-mail address.')
    expect(told).toContain('  This has to be a number.')
    expect(told).toContain('  Choose one of the options.')
  })

  it('leaves out what was left empty, and sends nothing without a yes', async () => {
    const answers = ['Ada', '', '', '', '1', '']
    expect((await asked(form, ...answers, 'y')).answer).toEqual({
      action: 'accept',
      content: { who: 'Ada', coats: 2, colour: 'red' },
    })
    expect((await asked(form, ...answers, '')).answer).toEqual({ action: 'decline' })
    expect((await asked(form, ...answers, 'c')).answer).toEqual({ action: 'cancel' })
  })

  it('is closed by the end of the input, wherever that comes', async () => {
    expect((await asked(form, 'Ada')).answer).toEqual({ action: 'cancel' })
    expect((await asked(form, 'Ada', '', '', '', '1', '')).answer).toEqual({ action: 'cancel' })
  })

  it('names a page and opens none, and says when a secret seems to be asked for', async () => {
    const page = await asked({ type: 'page', url: 'https://example.org/in' }, 'y')
    expect(page.answer).toEqual({ action: 'accept' })
    expect(page.told.join('\n')).toContain('https://example.org/in')
    const secret = { type: 'text', name: 'pin', title: 'PIN', required: true } as const
    expect((await asked({ type: 'form', fields: [secret] })).told.join('\n')).toContain('seems to ask for a secret')
  })
})
