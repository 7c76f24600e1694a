import { USUAL_SETTINGS } from '@holdfast/conversation'
import type { SettingRow } from '@holdfast/protocol'
import { createMemoryStore } from '@holdfast/store/memory'
import { afterEach, describe, expect, it } from 'vitest'
import { createSettingDirectory, type FixedSettings, type SettingDirectory } from '../src/settings/setting-directory.ts'
import { addUser, send, setUp } from './support/people.ts'
import { realClock } from './support/real-ports.ts'
import { type Served, serve } from './support/serve.ts'

const OF_FILE: FixedSettings = { source: 'file', place: '/etc/holdfast.json', values: { stepsPerRun: 9 } }

/** A directory on records of its own, and all that it warned of. */
function directory(fixed: readonly FixedSettings[]) {
  const warned: string[] = []
  const { records } = createMemoryStore({ clock: realClock })
  const again = (others: readonly FixedSettings[]): SettingDirectory =>
    createSettingDirectory({ records, clock: realClock, fixed: others, warn: (message) => warned.push(message) })
  return { settings: again(fixed), again, warned }
}

function rowOf(rows: readonly SettingRow[], key: string): SettingRow | undefined {
  return rows.find((row) => row.key === key)
}

describe('the settings of the installation', () => {
  it('[WIN10] are the defaults, until one is set, and again when it is given back', async () => {
    const { settings } = directory([])
    expect(settings.now()).toEqual(USUAL_SETTINGS)
    const rows = await settings.change({ callsPerStep: 5, thinking: 'low' })
    expect(settings.now()).toMatchObject({ callsPerStep: 5, thinking: 'low' })
    expect(rowOf(rows, 'callsPerStep')).toMatchObject({ value: 5, usual: 32, source: 'stored', least: 1, most: 1_000 })
    expect(rowOf(await settings.change({ callsPerStep: null }), 'callsPerStep')).toMatchObject({
      value: 32,
      source: 'default',
    })
    expect(settings.now().thinking).toBe('low')
  })

  it('[WIN10] are refused one by one out of bounds and together where they contradict each other, and none of them holds then', async () => {
    const { settings } = directory([])
    await expect(settings.change({ stepsPerRun: 0 })).rejects.toMatchObject({ status: 400, code: 'bad-request' })
    await expect(settings.change({ stepsPerTurn: 1 })).rejects.toMatchObject({ status: 422, code: 'unknown-setting' })
    const contradicting = settings.change({ stepsPerRun: 3, keptShare: 0.6, checkpointShare: 0.5 })
    await expect(contradicting).rejects.toMatchObject({ code: 'settings-contradict' })
    await expect(contradicting).rejects.toThrow(/keptShare.*checkpointShare/)
    expect(settings.now()).toEqual(USUAL_SETTINGS)
  })

  it('[WIN10] give way to the configuration file, which they name', async () => {
    const { settings } = directory([OF_FILE])
    expect(rowOf(settings.list(), 'stepsPerRun')).toMatchObject({ value: 9, source: 'file' })
    await expect(settings.change({ stepsPerRun: 10 })).rejects.toMatchObject({ status: 409, code: 'setting-fixed' })
    await expect(settings.change({ stepsPerRun: 10 })).rejects.toThrow('/etc/holdfast.json')
  })

  it('[WIN10] are read again by another server of the store, and what contradicts its file does not hold there', async () => {
    const { settings, again, warned } = directory([])
    await settings.change({ keptShare: 0.3, stepsPerRun: 4 })
    const other = again([{ source: 'environment', place: 'HOLDFAST_SETTINGS', values: { checkpointShare: 0.45 } }])
    await other.refresh()
    expect(other.now()).toMatchObject({ keptShare: 0.2, stepsPerRun: 4, checkpointShare: 0.45 })
    await other.refresh()
    expect(warned).toHaveLength(1)
  })
})

describe('the routes of the settings', () => {
  let served: Served | null = null

  afterEach(async () => served?.close())

  it('[WIN10, SEC1, UI47] are for admins, whose changes hold at once', async () => {
    const { settings } = directory([])
    served = await serve({ webRoot: null, withAccounts: true, settings })
    const admin = await setUp(served)
    const user = await addUser(served, admin, { email: 'user@example.org', role: 'user' })
    const change = { changes: { titleChars: 40 } }
    expect((await send(served, ['GET', '/settings'], { as: user })).status).toBe(403)
    expect((await send(served, ['PATCH', '/settings'], { as: user, body: change })).status).toBe(403)
    const answer = await send(served, ['PATCH', '/settings'], { as: admin, body: change })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(settings.now().titleChars).toBe(40)
    const { body } = await send(served, ['GET', '/settings'], { as: admin })
    const { settings: rows } = body as { settings: readonly SettingRow[] }
    expect(rowOf(rows, 'titleChars')).toMatchObject({ value: 40, schema: { type: 'integer', maximum: 200 } })
    const refused = await send(served, ['PATCH', '/settings'], { as: admin, body: { changes: { drainMs: 100 } } })
    const settingNames = ['toolGraceMs', 'drainMs']
    const limit = USUAL_SETTINGS.toolGraceMs
    const contradictions = [{ code: 'stop-before-grace', value: 100, limit, settings: settingNames }]
    expect(refused).toMatchObject({ status: 422, body: { code: 'settings-contradict', contradictions } })
  })
})
