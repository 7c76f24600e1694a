import { beforeAll, expect, test } from 'vitest'
import { LANGUAGES, type Language, PSEUDO_LANGUAGES } from '../src/shared/language/languages.ts'
import { loadTheRest, loadWords } from '../src/shared/language/load-words.ts'
import type { DraftCatalogue } from '../src/shared/language/speech.ts'
import { arabic } from '../src/shared/words/arabic.ts'
import { english } from '../src/shared/words/english.ts'
import { firstEnglish } from '../src/shared/words/first-english.ts'
import { japanese } from '../src/shared/words/japanese.ts'
import { bentWords, unbentCounts } from './support/counted-words.ts'
import { firstScript } from './support/first-script.ts'
import { missingCases, shapeOf } from './support/message-shape.ts'
import { pageFiles } from './support/page-files.ts'
import {
  fieldsWithoutDirection,
  keysIn,
  type PageFile,
  physicalSides,
  unknownKeys,
  wordsOutside,
  wrongSayings,
} from './support/page-words.ts'

const files = pageFiles('**/*.{ts,tsx}').filter(({ path }) => !path.startsWith('shared/words/'))
const keys = new Set<string>(Object.keys(english))

const SETTINGS_IN = { 'en-XA': '[šéţţîñĝš one two]', 'ar-XB': '[غجففذصخغ]', 'ja-XC': '[宇名久久良知間宇]' } as const

/** What a machine drafted; the others are whole. */
const DRAFTS: ReadonlyMap<Language, DraftCatalogue> = new Map<Language, DraftCatalogue>([
  ['ja', japanese],
  ['ar', arabic],
])

/** Words of keys that no text has. */
const WORDS_OF_KEYS = [
  ...['active', 'against', 'alike', 'around', 'attachment', 'awaited', 'bad', 'between', 'blob', 'charge'],
  ...['email', 'hook', 'renew'],
  ...['control', 'erasure', 'everywhere', 'excluded', 'forbidden', 'hint', 'internal', 'lead', 'leaving', 'loss'],
  ...['means', 'notify', 'origin', 'permitted', 'reused', 'scope', 'secrets', 'section', 'states'],
  ...[
    'hourly',
    'hunk',
    'hunks',
    'jitter',
    'monthly',
    'overlap',
    'overwritten',
    'parallel',
    'succeeded',
    'unattended',
    'weekdays',
  ],
  ...['strip', 'titled', 'type', 'unauthorized', 'unchanged', 'unit', 'unsupported', 'unused'],
]

/** Texts with a number that is never one, or with a name before such a word. */
const NEVER_ONE: ReadonlySet<string> = new Set([
  // Bounds and windows of models: all are far above one.
  ...['account.password-hint', 'account.at-least', 'settings.window-takes', 'composer.too-long', 'attach.too-many'],
  ...['limits.thinking-tokens', 'limits.thinking-cost', 'limits.thinking-unpriced', 'answer.about-tokens-of'],
  ...['context.spoken', 'context.spoken-about', 'context.window-of'],
  ...['contradiction.summary-too-long', 'contradiction.thinking-too-long', 'contradiction.element-over-canvas'],
  ...['contradiction.memory-over-note', 'contradiction.answer-over-model', 'contradiction.answer-fills-window'],
  'contradiction.summary-over-window',
  // Said only of what is long.
  ...['tools.show-all-lines', 'tools.shown-excerpt', 'markdown.show-all-rows'],
  // Who answers, and what runs, is a name.
  ...['message.answers-from-here', 'page.demo-stays', 'schedules.started'],
])

function file(text: string): PageFile {
  return { path: 'a.tsx', text }
}

test('[UI8] every word that the page shows or reads out is in the catalogue', () => {
  expect(files.length).toBeGreaterThan(150)
  expect(files.flatMap(wordsOutside)).toEqual([])
})

test('[UI8] no message is said too early, or glued to others', () => {
  expect(files.flatMap(wrongSayings)).toEqual([])
})

beforeAll(loadTheRest)

test('[UI6] what the first script says is in the first words, and the words of a part that is opened later are not', () => {
  const first = firstScript(files, 'shell/main.tsx')
  expect(first.length).toBeGreaterThan(100)
  const later = [...keys].filter((key) => !(key in firstEnglish))
  expect(later.length).toBeGreaterThan(100)
  const said = new Set(first.flatMap(keysIn))
  expect(later.filter((key) => said.has(key))).toEqual([])
})

test('[UI8] every key that is said is in the catalogue, and every key of the catalogue is said', () => {
  expect(files.flatMap((one) => unknownKeys(one, keys))).toEqual([])
  const said = new Set(files.flatMap(keysIn))
  expect([...keys].filter((key) => !said.has(key))).toEqual([])
})

test('[UI8] keys of the catalogue are made of whole words: those of the texts, and a few that name what they are for', () => {
  const words = wordsOfTexts()
  const parts = [...keys].flatMap((key) => (key.split('.')[1] ?? '').split('-'))
  const others = [...new Set(parts.filter((part) => !words.has(part)))]
  expect(others.toSorted()).toEqual(WORDS_OF_KEYS.toSorted())
})

test.for(LANGUAGES.map(({ language }) => language))(
  '[UI8] every message of the catalogue of %s is one',
  async (language) => {
    const words = await loadWords(language)
    expect(Object.keys(words).toSorted()).toEqual([...keys].toSorted())
    const draft = DRAFTS.get(language)
    for (const key of Object.keys(draft ?? english)) {
      const [text, source] = [textOf(words, key), textOf(english, key)]
      expect({ key, shape: shapeOf(text) }).toEqual({ key, shape: shapeOf(source) })
      expect({ key, missing: missingCases(text, language) }).toEqual({ key, missing: [] })
      expect({ key, hidden: hiddenValues(text) }).toEqual({ key, hidden: [] })
      expect({ key, isBlank: text.trim() === '' }).toEqual({ key, isBlank: false })
    }
  },
)

test.for(LANGUAGES.map(({ language }) => language))(
  '[UI52] in %s every number has the word behind it in the form for one and for many',
  async (language) => {
    const texts = Object.entries(await loadWords(language))
    const bent = bentWords(texts.map(([, text]) => text))
    const found = texts.filter(([, text]) => unbentCounts(text, bent).length > 0).map(([key]) => key)
    expect(found.filter((key) => !NEVER_ONE.has(key))).toEqual([])
    if (language === 'en') expect(found.toSorted()).toEqual([...NEVER_ONE].toSorted())
  },
)

test('[UI52] words that do not bend with the number before them are seen', () => {
  const bent = bentWords(['{count, plural, one {# open file} other {# open files}}', '{name} tokens', 'two words'])
  expect([...bent]).toEqual(['files'])
  expect(unbentCounts('<b>{left, number} files</b> of {name} files', bent)).toEqual(['{left} files', '{name} files'])
  expect(unbentCounts('{count, plural, one {{sum} file} other {{sum} files}}, {name} (files)', bent)).toEqual([])
})

test('[UI27] what a draft lacks is English, and that is little', async () => {
  expect(LANGUAGES.flatMap(({ language, isDraft }) => (isDraft ? [language] : []))).toEqual([...DRAFTS.keys()])
  for (const [language, draft] of DRAFTS) {
    const words = await loadWords(language)
    const lacking = [...keys].filter((key) => !(key in draft))
    expect(lacking.length / keys.size).toBeLessThan(0.1)
    for (const key of lacking) expect(textOf(words, key)).toBe(textOf(english, key))
    expect(Object.keys(draft).filter((key) => !keys.has(key))).toEqual([])
  }
})

test.for(PSEUDO_LANGUAGES)('[UI8] the pseudo-language %s has every message with its values', async (language) => {
  const words = await loadWords(language)
  for (const key of Object.keys(english)) {
    const [text, source] = [textOf(words, key), textOf(english, key)]
    expect({ key, shape: shapeOf(text) }).toEqual({ key, shape: shapeOf(source) })
  }
  expect(textOf(words, 'common.settings')).toBe(SETTINGS_IN[language])
})

test('[UI8] the first paint knows the languages that the page speaks', () => {
  const [firstPaint] = pageFiles('../public/first-paint.js')
  const list = LANGUAGES.map(({ language }) => `'${language}'`).join(', ')
  expect(firstPaint?.text).toContain(`[${list}].includes(base)`)
})

test('[UI5] every field for words takes the direction of what is written in it, and styles name no side of the screen', () => {
  expect(files.flatMap(fieldsWithoutDirection)).toEqual([])
  expect(pageFiles('styles/*.css').flatMap(physicalSides)).toEqual([])
})

test('[UI8] words outside the catalogue are seen wherever a person would meet them', () => {
  for (const text of [
    'const a = <p>Some words</p>',
    'const a = <p>word</p>',
    'const a = <p>{isOpen ? "open" : label}</p>',
    'const a = <button aria-label="close" />',
    'const a = <button title={isOpen ? "close it" : undefined} />',
    'const a = <input placeholder="search" />',
    'function a() { tell("Copied", null) }',
    'function a() { setWords(`${count} messages`) }',
    'const a = { name: "High contrast" }',
    'const a = `Test ${name}`',
    'const a = <p>{`${count} tokens`}</p>',
  ]) {
    expect({ text, found: wordsOutside(file(text)).length }).toEqual({ text, found: 1 })
  }
  for (const text of [
    'const a = <p className="two words" data-state="Some state" />',
    'const a = <p>{say("common.close")}</p>',
    'const a = <p>· — 12</p>',
    'if (event.key === "Some Key") throw new Error("Some words")',
    'const a = <path d={`M${x} ${y}`} />',
    'const a = `${id}-hint`',
    'import { a } from "some words"',
    'type A = "Some words"',
  ]) {
    expect({ text, found: wordsOutside(file(text)) }).toEqual({ text, found: [] })
  }
})

test('[UI8] messages said too early, glued or unknown are seen', () => {
  expect(wrongSayings(file('const a = say("common.close")'))).toHaveLength(1)
  expect(wrongSayings(file('function a() { return `${say("common.close")}!` }'))).toHaveLength(1)
  expect(wrongSayings(file('function a() { return b + say("common.close") }'))).toHaveLength(1)
  expect(wrongSayings(file('function a() { return `${isOpen ? say("common.close") : ""}!` }'))).toHaveLength(1)
  expect(wrongSayings(file('function a() { return [b, say("common.close")].join(" · ") }'))).toEqual([])
  expect(unknownKeys(file('function a() { return say("common.nothing-such") }'), keys)).toHaveLength(1)
  expect(unknownKeys(file('function a() { return say(b ? "common.settings" : "c.d") }'), keys)).toHaveLength(1)
  expect(unknownKeys(file('const a = <Said of="common.nothing-such" />'), keys)).toHaveLength(1)
  expect(unknownKeys(file('function a() { return say("common.settings", { name: "b.c" }) }'), keys)).toEqual([])
})

test('[UI5] sides of the screen and fields without a direction are seen', () => {
  expect(physicalSides(file('.a { margin-left: 1px; }'))).toHaveLength(1)
  expect(physicalSides(file('.a {\n  left: 0;\n  text-align: right;\n}'))).toHaveLength(2)
  expect(physicalSides(file('.a[data-align="right"] { margin-inline-start: 1px; /* left: 1px */ }'))).toEqual([])
  expect(fieldsWithoutDirection(file('const a = <textarea value={b} />'))).toHaveLength(1)
  expect(fieldsWithoutDirection(file('const a = <input type="search" />'))).toHaveLength(1)
  expect(fieldsWithoutDirection(file('const a = <input type="search" dir="auto" />'))).toEqual([])
  expect(fieldsWithoutDirection(file('const a = <input type="radio" />'))).toEqual([])
})

test('[UI8] messages that differ in what they ask for are seen', () => {
  expect(shapeOf('{count, plural, one {# of {name}} other {many}} <b>{at, date}</b>')).toEqual([
    '<b>',
    'at: time',
    'count: number',
    'name: words',
  ])
  expect(hiddenValues('<tool>{tool}</tool> runs')).toEqual(['tool'])
  expect(missingCases('{count, plural, one {#} other {#}}', 'ar').toSorted()).toEqual(['few', 'many', 'two', 'zero'])
  expect(missingCases('{count, plural, other {#}}', 'ja')).toEqual([])
})

/** Values of a message that bear the name of one of its tags: of the two only the tag would be drawn. */
function hiddenValues(text: string): string[] {
  const shape = shapeOf(text)
  const tags = new Set(shape.filter((part) => part.startsWith('<')).map((part) => part.slice(1, -1)))
  return shape.map((part) => part.split(':')[0] ?? '').filter((name) => tags.has(name))
}

function textOf(words: Readonly<Record<string, string>>, key: string): string {
  return words[key] ?? ''
}

function wordsOfTexts(): ReadonlySet<string> {
  return new Set(Object.values(english).flatMap((text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []))
}
