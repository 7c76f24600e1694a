import { listing, type NewEntry, toListing } from '@holdfast/conversation'
import { conversationCreated, inputAdmitted, logOf, runStarted, userMessageSent } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'

function rowAfter(messages: readonly string[]) {
  const entries = messages.flatMap((text, index): NewEntry[] => [
    inputAdmitted(`input_${index}`, text),
    runStarted(`run_${index}`, 'turn'),
    userMessageSent(`run_${index}`, `input_${index}`, text),
  ])
  return toListing(listing.reduce(listing.initial, logOf('c1', [conversationCreated('ada'), ...entries])))
}

test('[UI7] a row has the first words of the first message, in one line and without marks', () => {
  expect(rowAfter([]).firstWords).toBeNull()
  expect(rowAfter(['Mend the *form*', 'Another']).firstWords).toBe('Mend the form')
  expect(rowAfter(['## A heading\n\n- and a list']).firstWords).toBe('A heading and a list')
})

test('[UI7] long first words end between two of them', () => {
  const words = rowAfter(['word '.repeat(100)]).firstWords ?? ''
  expect(words).toMatch(/^(?:word )+word…$/)
  expect(words.length).toBeLessThanOrEqual(61)
  expect(rowAfter(['x'.repeat(500)]).firstWords).toBe(`${'x'.repeat(60)}…`)
})
