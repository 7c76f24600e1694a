import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Json, SETTINGS } from '@holdfast/conversation'
import { type SettingTrial, settingTrials } from '@holdfast/conversation/testing'
import { systemClock } from '@holdfast/engine/system'
import { agentFields, CommandFrame } from '@holdfast/protocol'
import { createSettingDirectory } from '@holdfast/server'
import { createMemoryStore } from '@holdfast/store/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { settingChanges } from '../src/cli/acts/settings.ts'
import { parseConfigFile } from '../src/config-file.ts'
import { readFixedSettings } from '../src/fixed-settings.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-doors-'))
})

afterAll(() => rm(folder, { recursive: true }))

/** What a door says against a value; null where it takes it, or finds only that it contradicts another setting. */
type Door = (trial: SettingTrial) => Promise<string | null>

const DOORS: Readonly<Record<string, Door>> = {
  'the file': async ({ key, value }) =>
    refusal(() => parseConfigFile(JSON.stringify({ settings: { [key]: value } }), '/etc/holdfast.json')),
  'the variable': async ({ key, value }) =>
    refusal(() => readFixedSettings({ file: {}, path: null, variable: (name) => variableOf(name, { [key]: value }) })),
  'the API': async ({ key, value }) => changed({ [key]: value }),
  'the terminal': async ({ key, value }) => {
    const written = typeof value === 'string' ? value : JSON.stringify(value)
    return changed(settingChanges([`${key}=${written}`]))
  },
  'a conversation': async ({ key, value }) => ownRefusal(key, () => frameWith({ [key]: value })),
  'an agent': async ({ key, value }) =>
    ownRefusal(key, () => z.strictObject(agentFields).shape.settings.parse({ [key]: value })),
}

function variableOf(name: string, settings: Json): string | undefined {
  return name === 'HOLDFAST_SETTINGS' ? JSON.stringify(settings) : undefined
}

/** A change of a conversation's settings, as it comes over HTTP and the socket. */
function frameWith(settings: Json): unknown {
  return CommandFrame.parse({
    type: 'command',
    commandId: 'c',
    name: 'change-settings',
    conversationId: 'c1',
    settings,
  })
}

/** What only the installation sets is no setting there. */
function ownRefusal(key: SettingTrial['key'], work: () => unknown): string | null {
  return SETTINGS[key].places.some((place) => place === 'conversation') ? refusal(work) : null
}

function refusal(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    return wordsOf(error)
  }
}

async function changed(changes: Readonly<Record<string, Json>>): Promise<string | null> {
  const { records } = createMemoryStore({ clock: systemClock })
  const settings = createSettingDirectory({ records, clock: systemClock, fixed: [], warn() {} })
  try {
    await settings.change(changes)
    return null
  } catch (error) {
    return wordsOf(error)
  }
}

function wordsOf(error: unknown): string | null {
  if (!(error instanceof Error)) throw error
  const words = error instanceof z.ZodError ? z.prettifyError(error) : error.message
  return /contradict|may have less|leaves|would never|finds no room|waits|has \d+ ms|and all together/.test(words)
    ? null
    : words
}

const trials = settingTrials()

describe.each(Object.entries(DOORS))('%s', (name, door) => {
  it('[UI19, WIN10] takes and refuses what the figures of the table say, with its name, its bounds and what to do', async () => {
    for (const trial of trials) {
      const words = await door(trial)
      const isOwn = SETTINGS[trial.key].places.some((place) => place === 'conversation')
      const isAsked = isOwn || !['a conversation', 'an agent'].includes(name)
      const about = `${trial.key}: ${trial.about} ${JSON.stringify(trial.value)} → ${words}`
      expect(words === null, about).toBe(trial.isTaken || !isAsked)
      if (words === null) continue
      for (const word of [SETTINGS[trial.key].name, trial.key, ...trial.named]) expect(words, about).toContain(word)
      expect(words, about).toContain('leave it out for the usual')
      expect(words, about).not.toMatch(/Too (big|small)|Invalid|expected/)
    }
  })
})

describe('a setting that does not exist', () => {
  it('[UI19] is refused at each door by its name', async () => {
    const asked = { stepsPerTurn: 7 }
    expect(refusal(() => parseConfigFile(JSON.stringify({ settings: asked }), '/etc/h.json'))).toContain(
      '"stepsPerTurn"',
    )
    expect(
      refusal(() => readFixedSettings({ file: {}, path: null, variable: (name) => variableOf(name, asked) })),
    ).toContain('stepsPerTurn')
    expect(await changed(asked)).toContain('There is no setting stepsPerTurn')
    expect(refusal(() => settingChanges(['stepsPerTurn=7']))).toMatch(
      /no setting stepsPerTurn\. Do you mean stepsPerRun/,
    )
    expect(refusal(() => frameWith(asked))).toContain('There is no setting stepsPerTurn')
  })
})
