import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { installAgents } from './agents/install-agents.ts'
import { ended } from './support/ended.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 480_000 })

let bin = ''
let home = ''
let provider: StrictProvider

beforeAll(async () => {
  bin = await installAgents('two')
  home = await mkdtemp(join(tmpdir(), 'holdfast-opencode-real-'))
  provider = await createStrictProvider({})
  await mkdir(join(home, 'project'))
  const options = { baseURL: provider.urls.anthropic, apiKey: 'any' }
  const model = 'anthropic/claude-sonnet-4-5'
  const settings = { model, small_model: model, autoupdate: false, provider: { anthropic: { options } } }
  await writeFile(join(home, 'project', 'opencode.json'), JSON.stringify(settings))
  await writeFile(join(home, 'project', 'notes.txt'), 'The kelp grows.\n')
})

afterAll(async () => {
  await provider.close()
  await rm(home, { recursive: true })
})

test('[CLI50] what opencode itself exports and keeps is one conversation, whichever of them is imported, with its calls and what it cost', async () => {
  const path = join(home, 'project', 'notes.txt')
  provider.script({ parts: [{ type: 'text', text: 'Kelp notes' }] })
  provider.script({ parts: [{ type: 'tool-call', name: 'read', input: { filePath: path } }] })
  provider.script({ parts: [{ type: 'text', text: 'It says that the kelp grows.' }] })
  expect(await opencode('run', 'What is in notes.txt?')).toMatchObject({ code: 0 })
  const [session] = JSON.parse((await opencode('session', 'list', '--format', 'json')).stdout)
  const exported = await opencode('export', session.id)
  await writeFile(join(home, 'exported.json'), exported.stdout)

  expect((await holdfast('import', join(home, 'exported.json'))).stdout).toContain('1 imported')
  const found = await holdfast('import', '--found', 'opencode', '--yes')
  expect(found.stdout).toContain('0 imported, 0 brought up to date, 1 already there, 0 left as they are')
  const { stdout } = await holdfast('export', 'last', '--no-redact')
  for (const words of ['What is in notes.txt?', 'The kelp grows.', 'It says that the kelp grows.'])
    expect(stdout).toContain(words)
  expect(stdout).toMatch(/"costUsd":\s*0\.0\d/)
})

function opencode(...args: readonly string[]) {
  const folder = (name: string) => join(home, name)
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_DATA_HOME: folder('.local/share'),
    XDG_CONFIG_HOME: folder('.config'),
    XDG_CACHE_HOME: folder('.cache'),
    XDG_STATE_HOME: folder('.local/state'),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  }
  return ended(join(bin, 'opencode'), args, { cwd: folder('project'), env })
}

function holdfast(...args: readonly string[]) {
  const main = join(import.meta.dirname, '..', 'bin', 'holdfast.js')
  const all = [main, ...args, '--data-dir', join(home, 'data')]
  return ended(process.execPath, all, { cwd: home, env: { ...process.env, HOME: home, XDG_DATA_HOME: '' } })
}
