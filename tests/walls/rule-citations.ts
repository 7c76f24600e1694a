import { maskCode } from './code-mask.ts'
import type { SourceFile } from './source-file.ts'

/** One rule that a test's title cites. */
export interface Citation {
  readonly rule: string
  readonly file: string
}

/** Where tests and the suites that tests run lie. */
export const TEST_FILES: readonly string[] = [
  'tests/**/*.test.{ts,tsx}',
  'packages/*/tests/**/*.{ts,tsx}',
  'apps/*/tests/**/*.{ts,tsx}',
  'packages/*/src/testing/**/*.ts',
]

/** The ids of the rules of docs/SPEC.md, in its order. */
export function rulesOf(spec: string): string[] {
  return [...spec.matchAll(/^- ([A-Z]+\d+) /gm)].map((match) => match[1] ?? '')
}

/** The rules of the two tables in docs/not-yet-built.md: those without a test, and those kept in part. */
export function notYetBuilt(document: string): { readonly listed: string[]; readonly inPart: string[] } {
  const [untested = '', inPart = ''] = document.split(/^## Kept in part$/m)
  return { listed: rulesOfTable(untested), inPart: rulesOfTable(inPart) }
}

function rulesOfTable(table: string): string[] {
  return [...table.matchAll(/^\| ([A-Z]+\d+) \|/gm)].map((match) => match[1] ?? '')
}

const TITLE = /(?:\b(?:it|test)(?:\.\w+)*\s*|\))\(\s*['"`]/g
const CITED = /^\[([A-Z]+\d+(?:, [A-Z]+\d+)*)\]/

/** The rules that the titles of a file's tests cite. */
export function citationsOf({ path, text }: SourceFile): Citation[] {
  return [...maskCode(text).matchAll(TITLE)].flatMap((match) => {
    const cited = CITED.exec(text.slice(match.index + match[0].length))?.[1]
    return cited === undefined ? [] : cited.split(', ').map((rule) => ({ rule, file: path }))
  })
}

/** Files whose tests may cite no rule, with the reason. The list only gets shorter. */
export const WITHOUT_RULES: Readonly<Record<string, string>> = {
  'packages/conformance/tests/cache.test.ts': 'the strict provider is a tool of tests; no rule speaks of it',
  'packages/conformance/tests/clients.test.ts': 'the strict provider is a tool of tests; no rule speaks of it',
  'packages/conformance/tests/large-answers.slow.test.ts':
    'the strict provider is a tool of tests; no rule speaks of it',
  'packages/conformance/tests/server.test.ts': 'the strict provider is a tool of tests; no rule speaks of it',
  'packages/conversation/tests/turns.test.ts': 'a helper that many rules rest on',
  'packages/server/tests/changes.test.ts': 'one refusal that no rule speaks of',
}

const TEST = /(?<![.\w])(?:it|test)((?:\.\w+)*)\s*\(/g

/** The beginnings of the titles of a file's tests that cite no rule, each with its line. */
export function uncitedTitlesOf({ path, text }: SourceFile): string[] {
  const mask = maskCode(text)
  return [...mask.matchAll(TEST)].flatMap((match) => {
    const [call, modifiers = ''] = match
    const inside = match.index + call.length
    // What `each`, `skipIf` and their like take stands in front of the title.
    const takesMore = /\.(?:each|for|skipIf|runIf)$/.test(modifiers)
    const title = takesMore ? mask.indexOf('(', closingOf(mask, inside)) + 1 : inside
    const words = text.slice(title).trimStart()
    if (CITED.test(words.slice(1))) return []
    return [`${path}:${text.slice(0, match.index).split('\n').length}: ${words.slice(0, 60).split('\n')[0] ?? ''}`]
  })
}

/** Where the bracket closes that stands before a place. */
function closingOf(mask: string, inside: number): number {
  let depth = 1
  for (let at = inside; at < mask.length; at++) {
    if ('([{'.includes(mask.charAt(at))) depth++
    if (')]}'.includes(mask.charAt(at))) depth--
    if (depth === 0) return at
  }
  return mask.length
}

const NOTED = /\[([A-Z]{2,}\d+(?:, [A-Z]{2,}\d+)*)\]/g

/** The rules that a source file names in brackets. */
export function notesOf({ path, text }: SourceFile): Citation[] {
  return [...text.matchAll(NOTED)].flatMap(([, cited = '']) => cited.split(', ').map((rule) => ({ rule, file: path })))
}

/** [ARCH11] Rules without a test that are not listed as not yet built, listed rules that have one, and what cites or lists no rule. */
export function coverageOffences({
  rules,
  listed,
  inPart,
  citations,
}: {
  readonly rules: readonly string[]
  readonly listed: readonly string[]
  readonly inPart: readonly string[]
  readonly citations: readonly Citation[]
}): string[] {
  const cited = new Set(citations.map(({ rule }) => rule))
  return [
    ...repeated(rules).map((rule) => `${rule} stands twice in docs/SPEC.md`),
    ...repeated([...listed, ...inPart]).map((rule) => `${rule} stands twice in docs/not-yet-built.md`),
    ...rules
      .filter((rule) => !cited.has(rule) && !listed.includes(rule))
      .map((rule) => `${rule} is cited by no test and is not listed in docs/not-yet-built.md`),
    ...listed
      .filter((rule) => cited.has(rule))
      .map((rule) => `${rule} has a test: take it out of docs/not-yet-built.md`),
    ...inPart
      .filter((rule) => !cited.has(rule))
      .map((rule) => `${rule} is said to be kept in part, but no test cites it`),
    ...[...listed, ...inPart]
      .filter((rule) => !rules.includes(rule))
      .map((rule) => `${rule} of docs/not-yet-built.md is not in docs/SPEC.md`),
    ...citations
      .filter(({ rule }) => !rules.includes(rule))
      .map(({ rule, file }) => `${file} cites ${rule}, which is not in docs/SPEC.md`),
  ]
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}
