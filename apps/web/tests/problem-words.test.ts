import { RequestFailedError } from '@holdfast/client'
import { type Problem, problem } from '@holdfast/protocol'
import { afterEach, expect, test } from 'vitest'
import { loadWords } from '../src/shared/language/load-words.ts'
import { speak } from '../src/shared/language/speech.ts'
import { errorText, problemText } from '../src/shared/problem-words.ts'

afterEach(async () => speak({ language: 'en', locale: 'en', words: await loadWords('en') }))

test('[UI8] what a server does not do is said in the language of the page', async () => {
  const refused = problem(409, 'run-active', 'A run of conversation c1 has not ended; stop it first')
  expect(problemText(refused)).toBe('A reply is being written; wait for its end, or stop it.')
  speak({ language: 'de', locale: 'de', words: await loadWords('de') })
  expect(problemText(refused)).toBe(
    'Eine Antwort wird gerade geschrieben; warten Sie ihr Ende ab, oder stoppen Sie sie.',
  )
})

test('[UI8] what only the server knows stands behind the words, as the server has it', async () => {
  speak({ language: 'de', locale: 'de', words: await loadWords('de') })
  expect(problemText(problem(403, 'forbidden', 'Only an admin may do this'))).toBe(
    'Nicht erlaubt: Only an admin may do this',
  )
})

test('[CLI25] a sentence before a colon does not end', async () => {
  const refused = problem(422, 'folder-refused', '/tmp is no folder')
  expect(problemText(refused)).toBe('This folder cannot be opened: /tmp is no folder')
  for (const language of ['de', 'ja', 'ar'] as const) {
    speak({ language, locale: language, words: await loadWords(language) })
    expect(problemText(refused)).not.toMatch(/[.。]: /)
  }
})

test('[UI47] settings that contradict each other are said in the language of the page, with their values', async () => {
  const refused: Problem = {
    ...problem(422, 'settings-contradict', 'A stop waits 1000 ms and a tool has 9000 ms to end by itself'),
    contradictions: [{ code: 'stop-before-grace', value: 1_000, limit: 9_000, settings: ['toolGraceMs', 'drainMs'] }],
  }
  speak({ language: 'de', locale: 'de', words: await loadWords('de') })
  const words =
    'Diese Einstellungen widersprechen sich: Ein Stopp wartet 1,00 s, und ein Werkzeug hat 9,00 s, um selbst zu enden: Warten Sie mindestens so lange.'
  expect(problemText(refused)).toBe(words)
  expect(errorText(new RequestFailedError(refused.detail, { problem: refused, status: 422 }))).toBe(words)
  const newer = [{ code: 'out-of-tea', value: 1, limit: 2, settings: ['tea'] }]
  expect(problemText({ ...refused, contradictions: newer })).toContain(refused.detail)
})

test('[UI8] a code of a newer server has the words of the server', () => {
  expect(problemText({ code: 'out-of-tea', detail: 'There is no tea' })).toBe('There is no tea')
})

test('[UI8] a server that was not reached has words of the page', async () => {
  speak({ language: 'de', locale: 'de', words: await loadWords('de') })
  expect(errorText(new RequestFailedError('The server was not reached', { problem: null, status: null }))).toMatch(
    /^Der Server wurde nicht erreicht/,
  )
})
