import {
  AgentSettings,
  ConversationSettings,
  cacheModeOf,
  permissionModeOf,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  SomeSettings,
  settingProblems,
  settingsOfConversation,
  settingsOver,
  toolModeOf,
  USUAL_SETTINGS,
} from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'

const contradictions: readonly (readonly [string, SomeSettings, readonly SettingKey[]])[] = [
  ['a summary that would never make room', { keptShare: 0.5, checkpointShare: 0.5 }, ['keptShare', 'checkpointShare']],
  ['a summary as long as what it sums up', { summaryTokens: 4_000, checkpointMostTokens: 5_000 }, ['summaryTokens']],
  ['thinking that leaves no words', { thinking: 8_000, maxOutputTokens: 8_192 }, ['thinking', 'maxOutputTokens']],
  ['a stop that waits less than its tools', { toolGraceMs: 9_000 }, ['toolGraceMs', 'drainMs']],
  ['a call with less time than its grace', { toolTimeoutMs: 1_000 }, ['toolGraceMs', 'toolTimeoutMs']],
  ['an element larger than its canvas', { canvasBytes: 2_048 }, ['canvasElementBytes', 'canvasBytes']],
  ['a memory that finds no room in its note', { memoryChars: 4_000 }, ['memoryChars', 'memoryNoteTokens']],
]

describe('settings', () => {
  it('[WIN10] has a schema, a default within its bounds and a sentence for each', () => {
    for (const key of SETTING_KEYS) {
      const { schema, usual, says, name, ...row } = SETTINGS[key]
      if (usual !== null) expect(schema.safeParse(usual).success, key).toBe(true)
      expect(says, key).toMatch(/^[A-Z].*\.$/)
      expect(name, key).not.toBe('')
      if ('least' in row) expect(schema.safeParse(Number(row.least) - 1).success, key).toBe(false)
      if ('most' in row) expect(schema.safeParse(Number(row.most) + 1).success, key).toBe(false)
    }
  })

  it("[WIN11] takes a mode from the conversation, and where it says none, the usual one or the operator's", () => {
    expect([toolModeOf({}), cacheModeOf({}), permissionModeOf({}, { mode: 'plan' })]).toEqual([
      'cached',
      'cached',
      'plan',
    ])
    const own = { toolMode: 'auto', cacheMode: 'off', permissionMode: 'bypass' } as const
    expect([toolModeOf(own), cacheModeOf(own), permissionModeOf(own, { mode: 'plan' })]).toEqual(Object.values(own))
  })

  it('[WIN10] says in one place which of them an agent and a conversation may set', () => {
    const here = SETTING_KEYS.filter((key) => SETTINGS[key].places.some((place) => place === 'conversation'))
    const known = (shape: object) => SETTING_KEYS.filter((key) => Object.hasOwn(shape, key))
    expect(known(ConversationSettings.shape)).toEqual(here)
    expect(known(AgentSettings.shape)).toEqual(here)
    expect(Object.keys(SomeSettings.shape).toSorted()).toEqual(Object.keys(SETTINGS).toSorted())
    expect(Object.keys(USUAL_SETTINGS)).toEqual(Object.keys(SETTINGS))
  })

  it('[WIN10] finds nothing wrong with the defaults', () => {
    expect(settingProblems(USUAL_SETTINGS)).toEqual([])
  })

  it.each(contradictions)('[WIN10] refuses %s, naming the settings and their values', (_, set, keys) => {
    const [problem] = settingProblems(settingsOver(USUAL_SETTINGS, set))
    expect(problem?.keys).toEqual(expect.arrayContaining([...keys]))
    expect(problem?.text).toMatch(/\d/)
  })

  it('[WIN10] lets a conversation stand above the installation, by its own settings or by what its parameters name', () => {
    const installation = settingsOver(USUAL_SETTINGS, { stepsPerRun: 7, thinking: 'low' })
    expect(settingsOfConversation(installation, {}).thinking).toBe('low')
    expect(settingsOfConversation(installation, { stepsPerRun: 9 })).toMatchObject({ stepsPerRun: 9, thinking: 'low' })
    const named = { parameters: { thinkingBudgetTokens: 2_000, maxOutputTokens: 9_000, temperature: 0 } }
    expect(settingsOfConversation(installation, named)).toMatchObject({ thinking: 2_000, maxOutputTokens: 9_000 })
    expect(settingsOfConversation(installation, { ...named, thinking: 'high' }).thinking).toBe('high')
  })
})
