import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkPlacesApart } from '../src/places-apart.ts'
import { describeSharing, describeShell, findShell } from '../src/tools/find-shell.ts'
import { visibleNode } from '../src/tools/visible-node.ts'

let base: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-apart-')))
  for (const name of ['work', 'data', 'work/in', 'home/.local/bin', 'home/.local/lib/node_modules/npm/bin'])
    mkdirSync(join(base, name), { recursive: true })
})

afterEach(() => rmSync(base, { recursive: true }))

function at(workspace: string, dataDir: string, configPath = join(dataDir, 'holdfast.json')) {
  const [data, worktreesDir] = [join(base, dataDir), join(base, 'worktrees')]
  return { workspace: join(base, workspace), dataDir: data, configPath: join(base, configPath), worktreesDir }
}

test('[SEC10] a workspace that is beside the data folder and the configuration is taken', () => {
  checkPlacesApart(at('work', 'data'))
  checkPlacesApart(at('work', 'work-data'))
  checkPlacesApart(at('work', 'data', 'holdfast.json'))
  checkPlacesApart({ ...at('work', '.'), workspace: null, worktreesDir: `${base}-worktrees` })
})

test('[SEC10] a workspace that holds the data folder or the configuration, or lies in the data folder, is refused', () => {
  symlinkSync(join(base, 'work'), join(base, 'link'))
  writeFileSync(join(base, 'work/holdfast.json'), '{}')
  symlinkSync(join(base, 'work/holdfast.json'), join(base, 'data/holdfast.json'))
  const nested = [
    at('work', 'work'),
    at('work', 'work/in'),
    at('work', 'work/not/there/yet'),
    at('.', 'data'),
    at('data/in', 'data'),
    at('link', 'work/in'),
    at('work', 'link/in'),
    at('work', 'work-data', 'work/settings.json'),
    at('work', 'data'),
  ]
  for (const places of nested)
    expect(() => checkPlacesApart(places), JSON.stringify(places)).toThrow(
      expect.objectContaining({ code: 'E_PLACES_NOT_APART', exitCode: 2 }),
    )
  expect(() =>
    checkPlacesApart({
      workspace: '/',
      dataDir: '/var/lib/holdfast',
      configPath: '/etc/h.json',
      worktreesDir: '/var/lib/holdfast-worktrees',
    }),
  ).toThrow('The workspace / holds the data folder /var/lib/holdfast')
})

test('[SEC6] of a folder with Node.js and secrets in it, commands see Node.js and npm', () => {
  const home = join(base, 'home')
  const local = join(home, '.local')
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  const visible = (execPath: string, hidden: readonly string[]) =>
    visibleNode(execPath, { hidden, hiddenFolders: [join(local, 'share/holdfast')] })
  expect(visible(join(local, 'bin/node'), [home, join(local, 'share/holdfast')])).toEqual({
    readable: [join(local, 'bin/node'), join(local, 'lib/node_modules/npm')],
    links: [{ path: join(local, 'bin/npm'), target: '../lib/node_modules/npm/bin/npm-cli.js' }],
    hiddenFolders: [join(local, 'share/holdfast')],
  })
  expect(visible(join(local, 'bin/node'), [join(local, 'lib/node_modules/npm/data')]).readable).toEqual([
    join(local, 'bin/node'),
  ])
})

test('[SEC6] with accounts and no sandbox there is no shell, and it is said', async () => {
  const bounds = { processes: 1, memoryBytes: 1, fileSizeBytes: 1 }
  const wanted = { owned: null, network: 'none' } as const
  const config = {
    environment: { PATH: join(base, 'bin') },
    commandBounds: bounds,
    dataDir: join(base, 'data'),
    ownDir: join(base, 'data'),
  } as const
  mkdirSync(join(base, 'bin'))
  symlinkSync('/bin/bash', join(base, 'bin/bash'))
  const withToken = await findShell({ ...config, auth: 'token' }, wanted)
  expect(withToken.bash).toBe(join(base, 'bin/bash'))
  expect(describeShell(withToken, { auth: 'token' })).toContain('NOT sandboxed')
  const withAccounts = await findShell({ ...config, auth: 'accounts' }, wanted)
  expect(withAccounts).toMatchObject({ bash: null, sandbox: { type: 'none' } })
  expect(describeShell(withAccounts, { auth: 'accounts' })).toBe(
    'There is no shell: with accounts commands need a sandbox, and there is none. bubblewrap (bwrap) is not installed.',
  )
})

test('[SEC30] with accounts it is said who reads and changes the files, by the start and by the documents', () => {
  const words = 'ho has an account reads and changes these files'
  expect(describeSharing({ auth: 'accounts' })).toContain(words)
  expect(describeSharing({ auth: 'token' })).not.toContain(words)
  for (const document of ['docs/accounts.md', 'SECURITY.md'])
    expect(readFileSync(new URL(`../../../${document}`, import.meta.url), 'utf8')).toContain(words)
})

test('[WS8, SEC10] the folder of worktrees is beside the data folder, and neither in it nor around it', () => {
  for (const worktreesDir of ['data/in', 'data', '.'])
    expect(
      () => checkPlacesApart({ ...at('work', 'data'), worktreesDir: join(base, worktreesDir) }),
      worktreesDir,
    ).toThrow(expect.objectContaining({ code: 'E_PLACES_NOT_APART' }))
})
