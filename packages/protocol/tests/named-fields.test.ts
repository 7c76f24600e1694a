import { inputWords, namedFields, routes } from '@holdfast/protocol'
import { expect, test } from 'vitest'

const NAMES = new Map([
  ['name', 'Name'],
  ['budgets.dayUsd', 'Each day'],
  ['jitterMinutes', 'Later by up to'],
  ['modelId', 'Model'],
])
const named = (text: string) => namedFields(text, (field) => NAMES.get(field) ?? null)

test('[CLI41, UI114] fields are called what people know them by, at the beginning of a sentence alone', () => {
  const wanted = { name: '', budgets: { dayUsd: -1 }, jitterMinutes: 99 }
  const read = routes.changeSchedule.body.safeParse(wanted)
  const words = read.success ? '' : inputWords(read.error, 'What was sent')
  expect(words).toContain('budgets.dayUsd is too small: give at least 0.0001')
  const told = named(`The request is not valid: ${words}`)
  expect(told).toContain('The request is not valid: Name is empty: give at least 1 character. ')
  expect(told).toContain('. Each day is too small: give at least 0.0001')
  expect(told).toContain('Later by up to is too large: give at most 60')
  expect(told).not.toMatch(/dayUsd|jitterMinutes/)
  expect(named('budgets.dayUsd: One')).toBe('Each day: One')
  expect(named('modelId: There is no model modelId: no')).toBe('Model: There is no model modelId: no')
  expect(named('It has no name and a modelId is none')).toBe('It has no name and a modelId is none')
})
