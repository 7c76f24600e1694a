import { SETTING_KEYS, SETTINGS } from '@holdfast/conversation'
import { expect, test } from 'vitest'
import { fieldText, storedValue } from '../src/limits/setting-value.ts'
import { SETTING_WORDS } from '../src/limits/setting-words.ts'
import { english } from '../src/shared/words/english.ts'

test('[UI9] the page calls each setting, and gives the reason for it, as the table does', () => {
  for (const key of SETTING_KEYS) {
    const { name, why } = SETTING_WORDS[key]
    expect([english[name], english[why]]).toEqual([SETTINGS[key].name, SETTINGS[key].says])
  }
})

test('[UI9] a number is written in seconds and in percent, and stored as the table has it', () => {
  expect(fieldText('toolTimeoutMs', 120_000)).toBe('120')
  expect(storedValue('toolTimeoutMs', ' 2,5 ')).toBe(2_500)
  expect(fieldText('checkpointShare', 0.75)).toBe('75')
  expect(storedValue('checkpointShare', '60.5')).toBe(0.605)
  expect(storedValue('stepsPerRun', '')).toBeNull()
  expect(storedValue('stepsPerRun', 'many')).toBeUndefined()
  for (const key of SETTING_KEYS) {
    const { usual } = SETTINGS[key]
    if (typeof usual === 'number') expect(storedValue(key, fieldText(key, usual)), key).toBe(usual)
  }
})
