import { describe, expect, it } from 'vitest'
import { find, readSources, readText } from './walls/repository.ts'
import {
  citationsOf,
  coverageOffences,
  notesOf,
  notYetBuilt,
  rulesOf,
  TEST_FILES,
  uncitedTitlesOf,
  WITHOUT_RULES,
} from './walls/rule-citations.ts'
import { isShipped } from './walls/source-file.ts'

describe('the coverage of the rules', () => {
  it('[ARCH11] is whole: every rule has a test or is listed as not yet built, never both', () => {
    const rules = rulesOf(readText('docs/SPEC.md'))
    const tables = notYetBuilt(readText('docs/not-yet-built.md'))
    const citations = find(TEST_FILES).flatMap((path) => citationsOf({ path, text: readText(path) }))
    expect(rules.length).toBeGreaterThan(100)
    expect(coverageOffences({ rules, ...tables, citations })).toEqual([])
  })

  it('[ARCH11] holds in sources too: what a comment cites is a rule', () => {
    const rules = new Set(rulesOf(readText('docs/SPEC.md')))
    const notes = readSources()
      .filter(({ path }) => isShipped(path))
      .flatMap(notesOf)
    expect(notes.length).toBeGreaterThan(1_000)
    expect(notes.filter(({ rule }) => !rules.has(rule))).toEqual([])
    const text = '/** Kept. [LOG1, STOP44] */\n// Why [RUN5] holds.\nconst b = c[1]'
    expect(notesOf({ path: 'a.ts', text }).map(({ rule }) => rule)).toEqual(['LOG1', 'STOP44', 'RUN5'])
  })

  it('[ARCH25] begins every title of a test with a rule, but in the files that a list names', () => {
    const uncited = find(TEST_FILES).flatMap((path) => uncitedTitlesOf({ path, text: readText(path) }))
    const fileOf = (title: string) => title.split(':')[0] ?? ''
    expect(uncited.filter((title) => !Object.hasOwn(WITHOUT_RULES, fileOf(title)))).toEqual([])
    const files = new Set(uncited.map(fileOf))
    expect(Object.keys(WITHOUT_RULES).filter((path) => !files.has(path))).toEqual([])
  })

  it('[ARCH25] sees titles without a rule, also behind a table or a condition, and no pattern that is tried', () => {
    const text = [
      "it('[LOG1] keeps one', () => {})",
      "it('keeps two', () => {})",
      "it.each([f(1)])('[LOG2] keeps %s', () => {})",
      "it.each([f(2)])('keeps %s too', () => {})",
      'test.skipIf(a(b))(`keeps ${c}`, () => {})',
      "if (pattern.test('keeps')) it(",
      "  '[LOG3] keeps three', () => {})",
    ].join('\n')
    expect(uncitedTitlesOf({ path: 'a.test.ts', text }).map((title) => title.slice(0, 13))).toEqual([
      'a.test.ts:2: ',
      'a.test.ts:4: ',
      'a.test.ts:5: ',
    ])
  })

  it('[ARCH11] sees a rule without a test, a listed rule with one, and what names no rule', () => {
    const cites = (rule: string) => ({ rule, file: 'tests/a.test.ts' })
    const offences = { rules: ['LOG1', 'LOG2'], listed: [], inPart: [], citations: [cites('LOG1')] }
    expect(coverageOffences(offences)).toEqual(['LOG2 is cited by no test and is not listed in docs/not-yet-built.md'])
    expect(coverageOffences({ ...offences, listed: ['LOG1', 'LOG2'] })).toEqual([
      'LOG1 has a test: take it out of docs/not-yet-built.md',
    ])
    expect(coverageOffences({ ...offences, listed: ['LOG2', 'LOG3'] })).toEqual([
      'LOG3 of docs/not-yet-built.md is not in docs/SPEC.md',
    ])
    expect(coverageOffences({ ...offences, listed: ['LOG2'], citations: [cites('LOG1'), cites('LOG9')] })).toEqual([
      'tests/a.test.ts cites LOG9, which is not in docs/SPEC.md',
    ])
    expect(coverageOffences({ ...offences, inPart: ['LOG2'] })).toEqual([
      'LOG2 is cited by no test and is not listed in docs/not-yet-built.md',
      'LOG2 is said to be kept in part, but no test cites it',
    ])
    expect(coverageOffences({ ...offences, rules: ['LOG1', 'LOG1'] })).toEqual(['LOG1 stands twice in docs/SPEC.md'])
  })

  it('[ARCH11] reads citations in titles only', () => {
    const text = [
      "it('[LOG1] keeps one', () => {})",
      "it.each([1])('[LOG2, LOG3] keeps %s', () => {})",
      'test(`[LOG4] keeps a third`, () => {})',
      "// it('[LOG5] is a comment', () => {})",
      'const text = "it(\'[LOG6] is a text\', go)"',
      "it('keeps what [LOG7] says', () => {})",
    ].join('\n')
    expect(citationsOf({ path: 'a.test.ts', text }).map(({ rule }) => rule)).toEqual(['LOG1', 'LOG2', 'LOG3', 'LOG4'])
  })

  it('[ARCH11] reads rules from the lists of the document, and listed rules from the table', () => {
    expect(rulesOf('# Rules\n- LOG1 One.\n- Words about LOG2.\n- CHK10 Two.\n')).toEqual(['LOG1', 'CHK10'])
    const tables = '| rule | comes with |\n|---|---|\n| LOG9 | A6 |\n\n## Kept in part\n\n| LOG8 | the page |\n'
    expect(notYetBuilt(tables)).toEqual({ listed: ['LOG9'], inPart: ['LOG8'] })
  })
})
