import type { NewEntry, QuestionField } from '@holdfast/conversation'
import { expect, test } from 'vitest'
import { scriptedScene } from './support/scripted-scene.ts'
import { askedWithCalls, begun } from './support/told-turns.ts'

const scene = scriptedScene()

const paint = { callId: 'call_1', name: 'paint__wall', input: { wall: 'north' } }
const turn = [...askedWithCalls({ asked: 'Paint it', answered: 'I will.' }, [paint]), begun('call_1', 'paint__wall')]
const options = [
  { value: 'r', title: 'Red' },
  { value: 'g', title: 'Green' },
]
const fields: readonly QuestionField[] = [
  { type: 'text', name: 'who', title: 'Your name', required: true },
  { type: 'text', name: 'mail', title: 'E-mail', required: false, format: 'email' },
  {
    type: 'number',
    name: 'coats',
    title: 'Coats',
    required: true,
    isInteger: true,
    minimum: 1,
    maximum: 5,
    default: 2,
  },
  { type: 'boolean', name: 'glossy', title: 'Glossy', required: false, description: 'Shines' },
  { type: 'choice', name: 'colour', title: 'Colour', required: true, options },
  { type: 'choices', name: 'extras', title: 'Extras', required: false, options, maxItems: 1, default: ['g'] },
]

function question(questionId: string, wish: Extract<NewEntry, { type: 'question-asked' }>['wish']): NewEntry {
  return {
    type: 'question-asked',
    actor: { type: 'engine' },
    runId: 'run_1',
    stepId: 'step_1',
    questionId,
    userId: 'local',
    callId: 'call_1',
    tool: 'paint__wall',
    source: 'paint',
    message: 'How shall it look?',
    wish,
  }
}

test('[TOOL11] a form takes no focus, says who asks, says what does not fit beside its field, and is sent when it fits', async () => {
  scene.line.append(turn)
  const page = await scene.open()
  const input = page.getByTestId('composer-input')
  await input.focus()
  scene.line.append([question('question_1', { type: 'form', fields: [...fields] })])
  const card = page.getByTestId('question-card')
  await card.getByText('paint asks you').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('composer-input')
  await expect.poll(() => page.getByTestId('announcer-urgent').innerText()).toBe('paint asks you: How shall it look?')
  await page.locator('[data-testid=question-card][data-state=armed]').waitFor()
  await card.getByLabel('E-mail').fill('ada')
  await card.getByLabel('Coats').fill('many')
  await card.getByLabel('Red', { exact: true }).check()
  await card.getByRole('button', { name: 'Accept' }).click()
  await expect
    .poll(() => card.locator('.problem').allInnerTexts())
    .toEqual([
      'This is needed',
      'This has to be an e-mail address',
      'This has to be a number',
      'This is needed',
      'Choose at most 1',
    ])
  const focused = "document.activeElement?.closest('[data-field]')?.getAttribute('data-field')"
  await expect.poll(() => page.evaluate(focused)).toBe('who')
  expect(scene.line.commands).toEqual([])
  await card.getByLabel('Your name').fill('Ada')
  await card.getByLabel('E-mail').fill('ada@example.org')
  await card.getByLabel('Coats').fill('3')
  await card.getByLabel('Glossy').check()
  await card.getByLabel('Colour').selectOption('Green')
  await card.getByLabel('Green', { exact: true }).uncheck()
  await card.getByRole('button', { name: 'Accept' }).click()
  await expect
    .poll(() => scene.line.commands.at(-1))
    .toMatchObject({
      name: 'answer-question',
      questionId: 'question_1',
      action: 'accept',
      content: { who: 'Ada', mail: 'ada@example.org', coats: 3, glossy: true, colour: 'g', extras: ['r'] },
    })
})

test('[TOOL11] an answer from another tab closes the question, and stays with its call', async () => {
  scene.line.append([...turn, question('question_1', { type: 'form', fields: [...fields] })])
  const page = await scene.open()
  await page.getByTestId('question-card').waitFor()
  await expect.poll(() => page.title()).toContain('Needs you')
  scene.line.append([
    {
      type: 'question-settled',
      actor: { type: 'person', userId: 'local' },
      questionId: 'question_1',
      outcome: 'accepted',
      by: 'person',
      content: { who: 'Ada', colour: 'g' },
    },
  ])
  await page.getByTestId('question-card').waitFor({ state: 'detached' })
  const receipt = page.getByTestId('question-receipt')
  await expect
    .poll(() => receipt.innerText())
    .toMatch(/paint asked: How shall it look\?[\s\S]*Accepted by you[\s\S]*Ada[\s\S]*Green/)
})

test('[TOOL11] a form that seems to ask for a secret is marked, and declined with one press', async () => {
  scene.line.append(turn)
  const page = await scene.open()
  const field = { type: 'text', name: 'key', title: 'API key', required: true } as const
  scene.line.append([question('question_1', { type: 'form', fields: [field] })])
  await page.locator('[data-testid=question-card][data-state=armed]').waitFor()
  await expect.poll(() => page.getByTestId('secret-warning').innerText()).toContain('paint gets what you write')
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect.poll(() => scene.line.commands.at(-1)).toMatchObject({ questionId: 'question_1', action: 'decline' })
  expect(scene.line.commands.at(-1)).not.toHaveProperty('content')
})

test('[TOOL11] a page is named in full and opened by the person alone; a question can be closed without an answer', async () => {
  scene.line.append(turn)
  const page = await scene.open()
  const url = 'https://xn--pple-43d.example/sign-in?for=paint'
  scene.line.append([question('question_1', { type: 'page', url })])
  const card = page.getByTestId('question-card')
  await page.locator('[data-testid=question-card][data-state=armed]').waitFor()
  await expect.poll(() => card.innerText()).toContain(url)
  await expect.poll(() => card.innerText()).toContain('may look like another one')
  const link = card.getByRole('link', { name: 'Open xn--pple-43d.example' })
  await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer')
  await expect.poll(() => link.getAttribute('target')).toBe('_blank')
  await card.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => scene.line.commands.at(-1)).toMatchObject({ questionId: 'question_1', action: 'cancel' })
})
