import { SETTING_KEYS, SETTINGS } from '@holdfast/conversation'
import { settingTrials } from '@holdfast/conversation/testing'
import { beforeAll, expect, test } from 'vitest'
import { fieldText, readField, valueWords } from '../src/limits/setting-value.ts'
import { SETTING_WORDS } from '../src/limits/setting-words.ts'
import { bytesText } from '../src/shared/language/bytes-text.ts'
import { loadTheRest, loadWords } from '../src/shared/language/load-words.ts'
import { say } from '../src/shared/language/say.ts'
import { speak } from '../src/shared/language/speech.ts'
import { english } from '../src/shared/words/english.ts'
import { german } from '../src/shared/words/german.ts'

beforeAll(loadTheRest)

test('[UI9] the page calls each setting, and gives the reason for it, as the table does', () => {
  for (const key of SETTING_KEYS) {
    const { name, why } = SETTING_WORDS[key]
    expect([english[name], english[why]]).toEqual([SETTINGS[key].name, SETTINGS[key].says])
  }
})

test('[UI52] a number and its unit agree, and bytes are not rounded', async () => {
  expect([valueWords('toolTimeoutMs', 1_000), valueWords('toolTimeoutMs', 2_500)]).toEqual(['1 second', '2.5 seconds'])
  expect([1, 133, 1_200].map(bytesText)).toEqual(['1 byte', '133 bytes', '1.2 kB'])
  expect(say('attach.tokens', { count: 1, tokens: '1' })).toBe('≈ 1 token')
  expect(say('inspector.lost', { count: 1, tokens: '1', breaks: 1 })).toBe('1 token lost in 1 break')
  expect(say('price.loss-free', { count: 1, tokens: '1' })).toContain('1 token of the prompt cache is lost')
  speak({ language: 'de', locale: 'de', words: await loadWords('de') })
  expect([valueWords('toolTimeoutMs', 1_000), bytesText(133)]).toEqual(['1 Sekunde', '133 Byte'])
  speak({ language: 'en', locale: 'en', words: await loadWords('en') })
})

/** What is stored for a text; undefined where it is refused. */
function stored(...asked: Parameters<typeof readField>): number | null | undefined {
  const read = readField(...asked)
  return read.type === 'read' ? read.value : undefined
}

test('[UI9] a number is written in seconds and in percent, and stored as the table has it', () => {
  expect(fieldText('toolTimeoutMs', 120_000)).toBe('120')
  expect(stored('toolTimeoutMs', ' 2,5 ')).toBe(2_500)
  expect(fieldText('checkpointShare', 0.75)).toBe('75')
  expect(stored('checkpointShare', '60.5')).toBe(0.605)
  expect(stored('stepsPerRun', '')).toBeNull()
  expect(stored('stepsPerRun', 'many')).toBeUndefined()
  for (const key of SETTING_KEYS) {
    const { usual } = SETTINGS[key]
    if (typeof usual === 'number') expect(stored(key, fieldText(key, usual)), key).toBe(usual)
  }
})

test.each(settingTrials().filter(({ key, value }) => SETTINGS[key].least !== undefined && typeof value !== 'object'))(
  '[UI19] the field of $key takes or refuses $about as the table says, with its name, its bounds and what to do',
  ({ key, value, isTaken }) => {
    if (typeof value === 'boolean' || SETTINGS[key].choices?.some((word) => word === value)) return
    const text = typeof value === 'number' ? fieldText(key, value) : String(value)
    const read = readField(key, text)
    // An empty field gives a setting back; parts of a whole number are rounded to the next.
    if (text === '') expect(read).toEqual({ type: 'read', value: null })
    else if (isTaken) expect(read).toEqual({ type: 'read', value })
    else if (read.type === 'read')
      expect([SETTINGS[key].schema.safeParse(read.value).success, Number.isInteger(value)]).toEqual([true, false])
    else {
      const { least = 0, most = 0 } = SETTINGS[key]
      const words = [english[SETTING_WORDS[key].name], valueWords(key, least), valueWords(key, most)]
      for (const word of words) expect(read.problem).toContain(word)
      expect(read.problem).toMatch(/write .* or nothing for the usual/i)
    }
  },
)

test('[UI19] the words for a number out of bounds are German in German', () => {
  for (const key of ['limits.too-small', 'limits.too-large', 'limits.no-number'] as const) {
    expect(german[key]).toContain('Schreiben Sie')
    expect(german[key]).toMatch(/\{name\}[\s\S]*\{(least|most)\}/)
  }
})
