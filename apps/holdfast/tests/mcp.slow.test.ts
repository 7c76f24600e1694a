import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { converse, script } from './support/agent.ts'
import { type Program, startProgram } from './support/program.ts'
import { runCommand } from './support/run-command.ts'

// Each test starts the program, most of them several times.
vi.setConfig({ testTimeout: 120_000 })

const HOSTILE = join(import.meta.dirname, '../../../packages/mcp/tests/support/hostile-server.mjs')
const packages = createRequire(join(import.meta.dirname, '../../../packages/mcp/package.json'))
const EVERYTHING = join(packages.resolve('@modelcontextprotocol/server-everything/package.json'), '../dist/index.js')
const MEMORY = join(packages.resolve('@modelcontextprotocol/server-memory/package.json'), '../dist/index.js')

const Row = z.looseObject({
  name: z.string(),
  state: z.looseObject({ type: z.string() }),
  toolCount: z.number(),
  failures: z.number(),
  reach: z.string().nullable(),
})
const Servers = z.object({ servers: z.array(Row) })

let base: string
let provider: StrictProvider
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-mcp-'))
  await mkdir(join(base, 'data'))
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

const reached = (path: string, ...args: readonly string[]) => ({ command: process.execPath, args: [path, ...args] })

async function start(mcpServers: unknown, more: object = {}): Promise<Program> {
  const file = join(base, 'config.json')
  await writeFile(file, JSON.stringify({ mcpServers, ...more }))
  const variables = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: provider.url, HOLDFAST_CONFIG: file }
  program = await startProgram(join(base, 'data'), variables)
  return program
}

async function untilState({ call }: Program, name: string, type: string): Promise<z.infer<typeof Row>> {
  return vi.waitFor(
    async () => {
      const { servers } = Servers.parse(await call('GET', '/mcp-servers'))
      const row = servers.find((server) => server.name === name)
      if (row?.state.type !== type) throw new Error(`${name} is ${JSON.stringify(row?.state)}`)
      return row
    },
    { interval: 50, timeout: 30_000 },
  )
}

function sentTools(): (readonly string[])[] {
  const Body = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })).default([]) })
  return provider.requests
    .filter(({ operation, body }) => operation === 'stream' && !JSON.stringify(body).includes('<title-request>'))
    .map(({ body }) => Body.parse(body).tools.map(({ name }) => name))
}

test('[TOOL9] a server of the file is used: asked about, allowed, killed in mid-call, and used again', async () => {
  const marker = join(base, 'memory.json')
  const running = await start({
    memory: { ...reached(MEMORY), env: { MEMORY_FILE_PATH: marker } },
    fragile: reached(HOSTILE, 'dies-in-call'),
  })
  await untilState(running, 'memory', 'connected')
  await untilState(running, 'fragile', 'connected')
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes engines'] }]
  script(
    provider,
    { name: 'memory__create_entities', input: { entities } },
    { name: 'fragile__work', input: {} },
    { name: 'memory__search_nodes', input: { query: 'engines' } },
  )
  const person = await converse(running)
  await person.say('Remember Ada')
  await person.answer('memory__create_entities', 'allow')
  await person.answer('fragile__work', 'allow')
  await person.answer('memory__search_nodes', 'allow')
  await person.ended(1)
  const settled = (await person.log()).filter(({ type }) => type === 'tool-call-settled')
  expect(settled.map(({ outcome }) => outcome)).toEqual(['ok', 'error', 'ok'])
  expect(JSON.stringify(settled[1])).toContain('ended while the call ran')
  expect(JSON.stringify(settled[2])).toContain('Ada')
  expect(await readFile(marker, 'utf8')).toContain('likes engines')
  expect((await untilState(running, 'fragile', 'connected')).failures).toBe(1)
  expect(provider.requests.flatMap(({ violations }) => violations)).toEqual([])
})

test('[TOOL10] in mode auto a tool of a server is found, then called', async () => {
  const running = await start({ big: reached(HOSTILE, 'many-tools') })
  const { toolCount } = await untilState(running, 'big', 'connected')
  expect(toolCount).toBe(10_000)
  script(provider, { name: 'find_tools', input: { query: 'big__tool-7777' } }, { name: 'big__tool-7777', input: {} })
  const person = await converse(running)
  await person.change({ toolMode: 'auto' })
  await person.say('Use the right one')
  await person.answer('big__tool-7777', 'allow')
  await person.ended(1)
  const [first = [], second = []] = sentTools()
  expect(first).toContain('find_tools')
  expect(first.filter((name) => name.startsWith('big__'))).toEqual([])
  expect(second).toEqual([...first, 'big__tool-7777'])
  const settled = (await person.log()).filter(({ type }) => type === 'tool-call-settled')
  expect(JSON.stringify(settled.at(-1))).toContain('tool-7777 done')
})

test('[TOOL9] what was accepted and how a server was switched outlive a restart; a change waits for a person', async () => {
  const first = await start({ s: reached(HOSTILE, 'claims'), off: { ...reached(HOSTILE, 'none'), disabled: true } })
  await untilState(first, 's', 'connected')
  await untilState(first, 'off', 'off')
  await first.call('PATCH', '/mcp-servers/off', { on: true })
  await untilState(first, 'off', 'connected')
  await first.stop()
  const second = await start({ s: reached(HOSTILE, 'none'), off: { ...reached(HOSTILE, 'none'), disabled: true } })
  await untilState(second, 'off', 'connected')
  const row = await untilState(second, 's', 'connected')
  expect(row).toMatchObject({ toolCount: 1, changes: [{ type: 'tool-changed', name: 'work' }, { type: 'tool-added' }] })
  const person = await converse(second)
  script(provider, { name: 's__work', input: {} })
  await person.say('Work')
  await person.answer('s__work', 'allow')
  await person.ended(1)
  const settled = (await person.log()).find(({ type }) => type === 'tool-call-settled')
  expect(settled).toMatchObject({ outcome: 'error' })
  expect(JSON.stringify(settled)).toContain('accept it')
  expect(await second.call('POST', '/mcp-servers/s/accept', { offerHash: 'x' })).toMatchObject({ code: 'conflict' })
  const { offerHash } = z.looseObject({ offerHash: z.string() }).parse(row)
  const accepted = await second.call('POST', '/mcp-servers/s/accept', { offerHash })
  expect(accepted).toMatchObject({ toolCount: 2, changes: [] })
  const tools = z.object({ tools: z.array(z.looseObject({ name: z.string() })), mode: z.string() })
  const listed = tools.parse(await second.call('GET', `/conversations/${person.id}/tools`)).tools
  expect(listed.find(({ name }) => name === 's__second')).toMatchObject({
    source: 's',
    included: true,
    deferred: true,
    metrics: null,
    permission: { effect: 'ask', source: expect.any(String) },
    schemaTokens: expect.any(Number),
  })
  expect(listed.find(({ name }) => name === 's__work')).toMatchObject({
    metrics: { errorCount: 1, lastError: { seq: settled?.seq } },
  })
  expect(await second.call('POST', '/mcp-servers/none/restart', {})).toMatchObject({ code: 'unknown-mcp-server' })
})

test('[TOOL11] a server asks the person: answered over the API, by its owner, once; the end of the server ends the question with its call', async () => {
  const servers = { paint: reached(HOSTILE, 'asks') }
  const first = await start(servers)
  await untilState(first, 'paint', 'connected')
  script(provider, { name: 'paint__work', input: {} })
  const person = await converse(first)
  await person.say('Paint')
  await person.answer('paint__work', 'allow')
  const asked = await question(first, person.id)
  expect(asked).toMatchObject({
    tool: 'paint__work',
    source: 'paint',
    message: 'Which colour?',
    wish: { type: 'form', fields: [{ type: 'text', name: 'colour', title: 'colour', required: false }] },
  })
  const path = `/conversations/${person.id}/questions/${asked.id}`
  const wrong = { commandId: 'a-1', action: 'accept', content: { colour: 7 } }
  expect(await first.call('POST', path, wrong)).toMatchObject({
    code: 'answer-refused',
    detail: expect.stringContaining('colour: This has to be a text'),
  })
  expect(await first.call('GET', '/conversations')).toMatchObject({ conversations: [{ state: 'waiting-for-answer' }] })
  const right = { commandId: 'a-2', action: 'accept', content: { colour: 'green' } }
  expect(await first.call('POST', path, right)).toEqual({ accepted: true })
  expect(await first.call('POST', path, { commandId: 'a-3', action: 'decline' })).toEqual({ accepted: false })
  await person.ended(1)
  const settled = (await person.log()).find(({ type }) => type === 'tool-call-settled')
  expect(JSON.stringify(settled)).toContain('green')

  script(provider, { name: 'paint__work', input: {} })
  await person.say('Again')
  await person.answer('paint__work', 'allow')
  await question(first, person.id)
  await first.stop()
  const second = await start(servers)
  const entries = z.object({ entries: z.array(z.looseObject({ type: z.string() })) })
  await vi.waitFor(
    async () => {
      const log = entries.parse(await second.call('GET', `/conversations/${person.id}/entries?limit=500`)).entries
      expect(log.filter(({ type }) => type === 'question-settled')).toMatchObject([
        { outcome: 'accepted', by: 'person', content: { colour: 'green' } },
        { outcome: 'cancelled', by: 'recovery' },
      ])
      expect(log.findLast(({ type }) => type === 'tool-call-settled')).toMatchObject({ outcome: 'aborted' })
    },
    { interval: 100, timeout: 60_000 },
  )
  expect(await second.call('GET', `/conversations/${person.id}/questions`)).toEqual({ questions: [] })
})

test('[TOOL12] a resource is read when its message is sent: in the log, marked as data to the model, and refused where it is not there', async () => {
  const running = await start({ every: reached(EVERYTHING, 'stdio') })
  await untilState(running, 'every', 'connected')
  script(provider)
  const person = await converse(running)
  const send = (commandId: string, uri: string, server = 'every') =>
    running.call('POST', `/conversations/${person.id}/inputs`, {
      commandId,
      content: [
        { type: 'text', text: 'Read it' },
        { type: 'resource', server, uri, name: 'Seven' },
      ],
    })
  expect(await send('a-1', 'demo://resource/dynamic/text/seven')).toMatchObject({
    code: 'bad-request',
    detail: expect.stringContaining('every did not give it'),
  })
  expect(await send('a-2', 'x://y', 'other')).toMatchObject({ code: 'unknown-mcp-server' })
  expect(await person.log()).toHaveLength(1)
  const sent = await send('a-3', 'demo://resource/dynamic/text/7')
  // The text says when it was read: sent again it is another one, and the same command.
  expect(await send('a-3', 'demo://resource/dynamic/text/7')).toEqual(sent)
  await person.ended(1)
  const [message, ...more] = (await person.log()).filter(({ type }) => type === 'user-message-sent')
  expect(more).toEqual([])
  expect(message).toMatchObject({
    content: [
      { type: 'text', text: 'Read it' },
      { type: 'resource', server: 'every', name: 'Seven', text: expect.stringContaining('Resource 7') },
    ],
  })
  const asked = provider.requests.find(({ body }) => JSON.stringify(body ?? '').includes('Read it'))
  expect(JSON.stringify(asked?.body)).toContain(
    '<resource server=\\"every\\" uri=\\"demo://resource/dynamic/text/7\\">',
  )
  expect(provider.requests.flatMap(({ violations }) => violations)).toEqual([])
  const wish = { server: 'every', of: { type: 'prompt', name: 'completable-prompt' }, argument: 'name', value: '' }
  expect(await running.call('POST', '/mcp-servers/complete', { ...wish, given: { department: 'Sales' } })).toEqual({
    values: ['David', 'Eve', 'Frank'],
  })
})

const Questions = z.object({ questions: z.array(z.looseObject({ id: z.string() })) })

/** The question that a conversation waits with, once there is one. */
async function question({ call }: Program, id: string): Promise<z.infer<typeof Questions>['questions'][number]> {
  return vi.waitFor(
    async () => {
      const [first] = Questions.parse(await call('GET', `/conversations/${id}/questions`)).questions
      if (!first) throw new Error('Nothing is asked')
      return first
    },
    { interval: 50, timeout: 30_000 },
  )
}

test('[RUN14] servers end with the program, and those of a killed one with the next start', async () => {
  const servers = { s: reached(HOSTILE, 'keeps-running', 'mark-4711-here') }
  const first = await start(servers)
  await untilState(first, 's', 'connected')
  expect(await processesWith('mark-4711-here')).toBe(1)
  await first.kill()
  const second = await start(servers)
  await untilState(second, 's', 'connected')
  expect(await processesWith('mark-4711-here')).toBe(1)
  await second.stop()
  expect(await processesWith('mark-4711-here')).toBe(0)
})

test('[CLI2] the terminal adds, lists and tests servers, and says what is wrong', async () => {
  const at = ['--data-dir', join(base, 'data')]
  const added = await runCommand([
    'mcp',
    'add',
    'notes',
    ...at,
    '--env',
    'KEY=sesame',
    '--',
    process.execPath,
    HOSTILE,
    'none',
  ]).ended
  expect(added).toMatchObject({ code: 0 })
  expect(added.stderr).toContain(`${process.execPath} ${HOSTILE} none`)
  expect(added.stderr).not.toContain('sesame')
  const file = join(base, 'data', 'holdfast.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    mcpServers: { notes: { command: process.execPath, args: [HOSTILE, 'none'], env: { KEY: 'sesame' } } },
  })
  // What refuses or only looks changes nothing: side by side.
  const run = (...words: readonly string[]) => runCommand(['mcp', ...words, ...at]).ended
  const [again, bad, wrong, listed, tested, other] = await Promise.all([
    run('add', 'notes', '--url', 'http://x.test/mcp'),
    run('add', 'bad'),
    run('add', 'a__b', '--url', 'http://x.test/mcp'),
    run('list', '--json'),
    run('test', 'notes'),
    run('test', 'other'),
  ])
  expect(again).toMatchObject({ code: 2 })
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('in one way') })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('mcpServers.a__b') })
  expect(JSON.parse(listed.stdout)).toMatchObject({ servers: [{ name: 'notes', state: 'not-started' }] })
  expect(tested).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/connected \(hostile\): 2 tools, about \d+ tokens\n {2}notes__work/),
  })
  expect(other).toMatchObject({ code: 3 })
  await writeFile(file, JSON.stringify({ mcpServers: { dead: reached(HOSTILE, 'dies-at-start') } }))
  expect(await run('test', 'dead')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('dead is not connected'),
  })
})

/** Processes whose command line holds this text. */
async function processesWith(text: string): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(text)).length
}
