import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CliError } from '../src/cli-error.ts'
import { readConfigFile } from '../src/config-file.ts'
import { fixedOrUsual, readFixedSettings } from '../src/fixed-settings.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-settings-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(text: string | null, ofEnvironment?: string, network?: string) {
  const path = text === null ? null : join(folder, 'holdfast.json')
  if (path !== null && text !== null) await writeFile(path, text)
  const file = path === null ? {} : readConfigFile(path)
  return readFixedSettings({ file, path, variable: (name) => (name === 'HOLDFAST_SETTINGS' ? ofEnvironment : network) })
}

describe('settings of the operator', () => {
  it('[WIN10] come from the file, and from the environment above it, each named by its place', async () => {
    const fixed = await read('{"settings": {"stepsPerRun": 7, "thinking": 4096}}', '{"stepsPerRun": 8}')
    expect(fixed).toEqual([
      { source: 'file', place: join(folder, 'holdfast.json'), values: { stepsPerRun: 7, thinking: 4_096 } },
      { source: 'environment', place: 'HOLDFAST_SETTINGS', values: { stepsPerRun: 8 } },
    ])
    expect(await read(null)).toEqual([])
  })

  it('[SEC8] have the network of commands by its older names too, the environment above the file', async () => {
    const text = '{"commands": {"network": "none"}, "settings": {"commandNetwork": "outside"}}'
    const place = join(folder, 'holdfast.json')
    const fixed = await read(text, '{"commandNetwork": "outside"}', 'host')
    expect(fixed.map((one) => [one.place, one.values.commandNetwork])).toEqual([
      [place, 'outside'],
      [`${place} (commands)`, 'none'],
      ['HOLDFAST_SETTINGS', 'outside'],
      ['HOLDFAST_COMMAND_NETWORK', 'host'],
    ])
    expect(fixedOrUsual({ fixedSettings: fixed }).commandNetwork).toBe('host')
    expect(fixedOrUsual({ fixedSettings: await read(text) }).commandNetwork).toBe('none')
    expect(fixedOrUsual({ fixedSettings: [] }).commandNetwork).toBe('outside')
    await expect(read(null, undefined, 'shared')).rejects.toThrow(
      'HOLDFAST_COMMAND_NETWORK is none, outside or host, not "shared".',
    )
  })

  it('[WIN10, CLI2] that contradict each other end the start with exit code 2 and the lines of the file', async () => {
    const refused = read('{\n  "settings": {\n    "keptShare": 0.6,\n    "checkpointShare": 0.5\n  }\n}')
    await expect(refused).rejects.toBeInstanceOf(CliError)
    await expect(refused).rejects.toMatchObject({ code: 'E_CONFIG', exitCode: 2 })
    await expect(refused).rejects.toThrow(/holdfast\.json:3 \(keptShare\).*holdfast\.json:4 \(checkpointShare\)/)
    await expect(read(null, '{"drainMs": 100}')).rejects.toThrow(/2000.*HOLDFAST_SETTINGS \(drainMs\)/)
  })

  it('[WIN10] of an agent in the file are checked above the installation’s', async () => {
    const agent = '{"id": "ada", "name": "Ada", "settings": {"thinking": 8000, "maxOutputTokens": 8192}}'
    await expect(read(`{"agents": [${agent}]}`)).rejects.toThrow(/agent ada contradict.*8000/)
    const fine = '{"id": "ada", "name": "Ada", "settings": {"thinking": "high", "stepsPerRun": 5}}'
    expect(await read(`{"agents": [${fine}]}`)).toHaveLength(1)
  })

  it.each(['{"stepsPerRun": 0}', '{"stepsPerTurn": 3}', '[]', 'no JSON'])(
    '[CLI2] of the environment are refused with its name where they are %s',
    async (text) => {
      await expect(read(null, text)).rejects.toMatchObject({ exitCode: 2 })
      await expect(read(null, text)).rejects.toThrow('HOLDFAST_SETTINGS')
    },
  )
})
