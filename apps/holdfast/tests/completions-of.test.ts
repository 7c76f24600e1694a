import { SETTING_KEYS } from '@holdfast/conversation'
import { expect, test } from 'vitest'
import { COMPLETED_KEYS } from '../src/cli/acts/setting-keys.ts'
import { completionsOf, kindAt } from '../src/cli/terminal/completions-of.ts'
import { createProgram } from '../src/main.ts'

const complete = (...words: readonly string[]) =>
  completionsOf(
    createProgram(() => {}),
    words,
  )

test('[CLI1] commands, their own commands and their options are completed from what there is', () => {
  expect(complete('')).toEqual(expect.arrayContaining(['chat', 'doctor', 'permissions', 'start', 'user']))
  expect(complete('')).not.toContain('complete')
  expect(complete('us')).toEqual(['usage', 'user'])
  expect(complete('user', 're')).toEqual(['reset-password'])
  expect(complete('permissions', 'l')).toEqual(['list'])
  expect(complete('doctor', '--')).toEqual(['--data-dir', '--help', '--json', '--no-detect', '--workspace'])
  expect(complete('settings', '')).toEqual(expect.arrayContaining(['get', 'list', 'reset', 'set']))
  expect(complete('nothing', 'such', '')).toEqual([])
})

test('[CLI1] what an option or an argument may be is completed, and nothing where any text may stand', () => {
  expect(complete('usage', '--by', '')).toEqual(['agent', 'conversation', 'day', 'model', 'payer'])
  expect(complete('usage', '--by=d')).toEqual(['--by=day'])
  expect(complete('export', '--out', 'x', '--format', 'h')).toEqual(['html'])
  expect(complete('backup', '--data-dir', 'us')).toEqual([])
  expect(complete('user', 'role', 'ada@example.org', '')).toEqual(['admin', 'user'])
  expect(complete('chat', '-c', '--per')).toEqual(['--permission-mode'])
  expect(complete('import', 'one', 'two', 'th')).toEqual([])
})

test('[CLI3] settings are completed by their names, as the table has them', () => {
  expect(COMPLETED_KEYS).toEqual(SETTING_KEYS)
  expect(complete('settings', 'set', 'steps')).toEqual(['stepsPerRun'])
  expect(complete('settings', 'reset', 'titleChars', 'think')).toEqual(['thinking'])
})

test('[CLI10] conversations and models are completed by their ids where they may stand, and nowhere else', () => {
  const kind = (...words: readonly string[]) =>
    kindAt(
      createProgram(() => {}),
      words,
    )
  expect(kind('follow', '')).toBe('conversation')
  expect(kind('export', 'conversation_1', 'conv')).toBe('conversation')
  expect(kind('files', 'x')).toBe('conversation')
  expect(kind('erase', '')).toBe('conversation')
  expect(kind('erase', 'last', '')).toBe(null)
  expect(kind('run', '--model', '')).toBe('model')
  expect(kind('run', '--model', 'demo', '')).toBe(null)
  expect(kind('export', '--')).toBe(null)
  expect(kind('backup', '')).toBe(null)
  expect(kind('')).toBe(null)
})
