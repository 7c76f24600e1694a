import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { converse, script } from './support/agent.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand, runCommandIn } from './support/run-command.ts'

// Each test starts the program, most of them several times.
vi.setConfig({ testTimeout: 120_000 })

const SERVER = `import { createServer } from 'node:http'
createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html><html><head><style>body{background:#0a0}</style></head><body><h1 id="title">A shop of ours</h1></body></html>')).listen(4700, '127.0.0.1')
console.log('the shop is open')
`

let base: string
let workspace: string
let provider: StrictProvider
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-previews-'))
  workspace = join(base, 'shop')
  await mkdir(workspace)
  await writeFile(join(workspace, 'server.mjs'), SERVER)
  await writeFile(join(workspace, 'package.json'), JSON.stringify({ scripts: { dev: 'node server.mjs' } }))
  provider = await createStrictProvider({})
  provider.when(({ body }) => JSON.stringify(body ?? '').includes('<title-request>'), {
    parts: [{ type: 'text', text: 'A title' }],
  })
})

afterEach(async () => {
  await program?.stop()
  program = null
  await provider.close()
  await rm(base, { recursive: true })
})

async function start(): Promise<Program> {
  const file = join(base, 'config.json')
  const rules = ['preview_logs', 'preview_screenshot'].map((tool) => ({
    id: tool,
    effect: 'allow',
    tool,
  }))
  await writeFile(file, JSON.stringify({ permissions: { rules } }))
  const variables = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: provider.url, HOLDFAST_CONFIG: file }
  program = await startProgram(join(base, 'data'), variables, ['--workspace', workspace])
  return program
}

const command = (...args: readonly string[]) => runCommand([...args, '--data-dir', join(base, 'data')]).ended

/** Processes whose command line holds this text. */
async function processesWith(text: string): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(text)).length
}

const Row = z.object({ id: z.string(), state: z.string(), origin: z.string(), port: z.number().nullable() })

test('[CLI18, PREV2] preview start, status, logs and stop show a dev server from the terminal, and nothing is left of it', async () => {
  await start()
  const started = await command('preview', 'start')
  expect(started.stderr).toBe('')
  expect(started.code).toBe(0)
  expect(started.stdout).toMatch(
    /^shop-\w{8} {3}ready {3}port 4700 {3}http:\/\/shop-\w{8}\.localhost:\d+ {3}npm run dev\nOpen it once, within a minute: http:\/\/shop-\w{8}\.localhost:\d+\/\.holdfast\/enter\?ticket=[\w-]+\n$/,
  )
  const [id = ''] = started.stdout.split(' ')
  expect((await command('preview', 'status')).stdout).toContain(`${id}   ready   port 4700`)
  expect((await command('preview', 'logs', id)).stdout).toContain('the shop is open')
  expect((await command('preview', 'stop', id.slice(0, 6))).stdout).toContain(`${id}   stopped`)
  expect(await processesWith(join(workspace, 'server.mjs'))).toBe(0)
  expect(await command('preview', 'stop', 'other')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('no such preview'),
  })
  expect(await command('preview', 'start', '--port', 'x')).toMatchObject({ code: 2 })
  const crashed = await command('preview', 'start', '--command', 'echo gone; exit 3', '--json')
  expect(crashed.code).toBe(1)
  expect(JSON.parse(crashed.stdout)).toMatchObject({ state: 'crashed', exit: { code: 3 } })
})

const Opened = z.object({ workspaceId: z.string() })

test('[CLI27, CLI28, CLI29] workspaces are listed and named, the present folder is the one that is shown, and the doctor knows them', async () => {
  const config = join(base, 'config.json')
  await writeFile(config, JSON.stringify({ workspaceRoots: [base] }))
  program = await startProgram(join(base, 'data'), { HOLDFAST_CONFIG: config })
  const inFolder = (folder: string, ...args: readonly string[]) =>
    runCommandIn(folder, [...args, '--data-dir', join(base, 'data')], { input: '', variables: {} }).ended
  const opened = await inFolder(workspace, 'open', '--no-open', '--json')
  const { workspaceId } = Opened.parse(JSON.parse(opened.stdout))
  const [listed, here, lost, looked] = await Promise.all([
    inFolder(base, 'workspaces'),
    inFolder(workspace, 'preview', 'start', '--folder', '.', '--json'),
    inFolder(base, 'preview', 'start'),
    inFolder(base, 'doctor', '--no-detect'),
  ])
  expect(listed.stdout).toBe(`${workspaceId}  shop  own  ${workspace}\n`)
  expect([here.code, JSON.parse(here.stdout)]).toEqual([0, expect.objectContaining({ workspaceId, state: 'ready' })])
  expect([lost.code, lost.stderr]).toEqual([
    3,
    `${base} lies in no workspace. Open it as one with: holdfast open. Or name one with --workspace. See which there are: holdfast workspaces (E_UNKNOWN_WORKSPACE)\n`,
  ])
  expect(looked.stdout).toContain(`✓ workspace    shop: ${workspace}\n`)
  expect(looked.stdout).toMatch(/[✓!] shell {8}\S/)
  for (const group of ['previews', 'schedules', 'worktrees'])
    expect(looked.stdout).toMatch(new RegExp(`✓ ${group} +\\S`))

  const add = ['schedule', 'add', 'Look around', '--cron', '0 9 * * *', '--json', '--workspace']
  const [named, unknown, said] = await Promise.all([
    inFolder(base, ...add, 'shop'),
    inFolder(base, ...add, 'nope'),
    inFolder(base, 'run', 'Hello', '--json', '--workspace', './shop'),
  ])
  expect(JSON.parse(named.stdout)).toMatchObject({ workspaceId })
  expect([unknown.code, unknown.stderr]).toEqual([
    3,
    `There is no workspace nope, and no folder ${join(base, 'nope')}. See which there are: holdfast workspaces (E_UNKNOWN_WORKSPACE)\n`,
  ])
  expect([said.code, said.stdout]).toEqual([0, expect.stringContaining(`"text":"Folder: ${workspace}\\n`)])
  const asked = await program.call('POST', '/previews', { workspaceId: 'workspace_none' })
  expect(asked).toMatchObject({ status: 404, code: 'unknown-workspace' })
})

test('[PREV2, RUN14] what a killed server left of its previews is ended at the next start, at the same origin as before', async () => {
  const first = await start()
  const made = Row.parse(await first.call('POST', '/previews', {}))
  const now = async (running: Program) => Row.parse(await running.call('GET', `/previews/${made.id}`))
  await expect.poll(async () => (await now(first)).state).toBe('ready')
  expect(await processesWith('server.mjs')).toBeGreaterThan(0)
  await first.kill()
  const second = await start()
  expect(await now(second)).toMatchObject({ state: 'stopped', origin: made.origin, port: null })
  await expect.poll(() => processesWith(`${base}`)).toBe(1)
  await second.call('POST', `/previews/${made.id}/start`, {})
  await expect.poll(async () => (await now(second)).state).toBe('ready')
  expect(await second.stop()).toBe(0)
  program = null
  expect(await processesWith(base)).toBe(0)
})

test('[PREV10] an agent shows its workspace, reads the log, and sees the page at a width and one element of it, within the size of a picture', async () => {
  script(
    provider,
    { name: 'preview_start', input: {} },
    { name: 'preview_status', input: {} },
    { name: 'preview_logs', input: { lines: 5 } },
    { name: 'preview_screenshot', input: { width: 'phone' } },
    { name: 'preview_screenshot', input: { selector: '#title' } },
    { name: 'preview_screenshot', input: { selector: '#nowhere' } },
  )
  const person = await converse(await start())
  // What runs in the sandbox is not asked about.
  await person.change({ permissionMode: 'sandboxed' })
  await person.say('Show me the shop')
  await person.until('tool-call-settled', 6)
  const settled = (await person.log()).filter(({ type }) => type === 'tool-call-settled')
  expect(settled.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['preview_start', 'ok'],
    ['preview_status', 'ok'],
    ['preview_logs', 'ok'],
    ['preview_screenshot', 'ok'],
    ['preview_screenshot', 'ok'],
    ['preview_screenshot', 'error'],
  ])
  const texts = settled.map((entry) => JSON.stringify(entry))
  expect(texts[0]).toContain('ready at port 4700')
  expect(texts[2]).toContain('the shop is open')
  expect(texts[3]).toContain('/ at 390 x 900, status 200')
  expect(texts[4]).toMatch(/\/ at \d+ x \d\d, status 200/)
  expect(texts[5]).toContain('There is no element #nowhere')
  const images = provider.requests.map(({ body }) => JSON.stringify(body)).findLast((body) => body.includes('"image"'))
  expect(images?.match(/"media_type":"image\/png"/g)).toHaveLength(2)
})
