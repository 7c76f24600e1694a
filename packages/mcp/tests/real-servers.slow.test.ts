import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolAnswer, ToolQuestion } from '@holdfast/tool'
import { inputRequired, McpServer } from '@modelcontextprotocol/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { listenOn } from './support/listen-on.ts'
import { openServer, programReach, textOf, untilConnected } from './support/open-server.ts'
import { serveMcp } from './support/serve-mcp.ts'

const programs = createRequire(import.meta.url)

function programOf(name: string): string {
  return join(programs.resolve(`@modelcontextprotocol/${name}/package.json`), '..', 'dist', 'index.js')
}

function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-mcp-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts server-everything at an address. */
async function startEverything(port: number): Promise<{ readonly kill: () => Promise<void> }> {
  const child = spawn(process.execPath, [programOf('server-everything'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => (text.includes('listening on port') ? resolve() : undefined))
    void exited.then(() => reject(new Error('server-everything ended at its start')))
  })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return { kill }
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOn(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('the servers that people run', () => {
  it('[TOOL9] everything: text, numbers, pictures, structure, progress and a question, over pipes', async () => {
    const open = openServer(programReach(programOf('server-everything'), ['stdio']))
    await untilConnected(open)
    expect(open.server.status()).toMatchObject({ title: 'mcp-servers/everything', refused: [], changes: [] })
    expect(textOf(await open.call('echo', { message: 'hello' }))).toBe('Echo: hello')
    expect(textOf(await open.call('get-sum', { a: 2, b: 40 }))).toContain('42')
    expect(await open.call('get-sum', { a: 'two' })).toMatchObject({ outcome: 'error' })
    const picture = await open.call('get-tiny-image', {})
    expect(textOf(picture)).toMatch(/image above.*Picture 1, 4033 bytes/s)
    expect(textOf(await open.call('get-structured-content', { location: 'Chicago' }))).toContain('humidity')
    const heard: string[] = []
    const long = await open.call(
      'trigger-long-running-operation',
      { duration: 1, steps: 4 },
      { onProgress: (message) => heard.push(message) },
    )
    expect(long.outcome).toBe('ok')
    // The last word of progress and the result are on their way together.
    expect(heard).toContain('3/4')
    const asked = await open.call(
      'trigger-elicitation-request',
      {},
      { answers: async () => ({ type: 'accepted', content: { name: 'Ada', check: true } }) },
    )
    expect(textOf(asked)).toContain('Ada')
    // What it would ask of our model is not offered to it.
    expect(open.definition('trigger-sampling-request')).toBeUndefined()
  })

  it('[TOOL13] everything: asks for the model where that is allowed, and shows what it was told', async () => {
    const reach = programReach(programOf('server-everything'), ['stdio'])
    const open = openServer(reach, { settings: { sampling: true } })
    await untilConnected(open)
    const input = { prompt: 'Which colour?', maxTokens: 20 }
    const result = await open.call('trigger-sampling-request', input, {
      answers: async () => ({ type: 'declined' }),
      lends: async ({ messages }) => ({
        type: 'answered',
        text: `Blue: ${messages[0]?.text}`,
        modelId: 'a-model',
        isCut: false,
      }),
    })
    expect(textOf(result)).toMatch(/Blue: .*Which colour\?/s)
  })

  it('[TOOL9] filesystem: writes and reads in its folder, and refuses outside', async () => {
    const folder = scratch()
    const open = openServer(programReach(programOf('server-filesystem'), [folder]))
    await untilConnected(open)
    const path = join(folder, 'note.txt')
    expect((await open.call('write_file', { path, content: 'kept' })).outcome).toBe('ok')
    expect(readFileSync(path, 'utf8')).toBe('kept')
    expect(textOf(await open.call('read_text_file', { path }))).toContain('kept')
    expect(await open.call('read_text_file', { path: '/etc/hostname' })).toMatchObject({ outcome: 'error' })
  })

  it('[TOOL9] memory: what is noted is there after a restart', async () => {
    const file = join(scratch(), 'memory.json')
    const open = openServer(programReach(programOf('server-memory'), [], { MEMORY_FILE_PATH: file }))
    await untilConnected(open)
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes engines'] }]
    expect((await open.call('create_entities', { entities })).outcome).toBe('ok')
    open.server.restart()
    expect(textOf(await open.call('search_nodes', { query: 'engines' }))).toContain('Ada')
  })

  it('[TOOL9] everything at an address: killed in mid-call it costs that call, and recovers', async () => {
    const port = await freePort()
    const first = await startEverything(port)
    const open = openServer({ type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} })
    await untilConnected(open)
    expect(textOf(await open.call('echo', { message: 'hello' }))).toBe('Echo: hello')
    const heard: string[] = []
    const cut = open.call(
      'trigger-long-running-operation',
      { duration: 60, steps: 120 },
      { onProgress: (message) => heard.push(message) },
    )
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    await first.kill()
    expect(await cut).toMatchObject({ outcome: 'error' })
    await startEverything(port)
    await expect
      .poll(async () => textOf(await open.call('echo', { message: 'again' })), { timeout: 20_000 })
      .toBe('Echo: again')
  })

  it('[TOOL9] a server of the newest protocol at an address', async () => {
    const serve = serveMcp(() => {
      const server = new McpServer({ name: 'newest', version: '1.0.0' }, { instructions: 'Count with it.' })
      server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, async ({ a, b }) => ({
        content: [{ type: 'text', text: String(a + b) }],
      }))
      return server
    })
    const port = await listenOn(createServer(serve))
    const open = openServer({ type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} })
    await untilConnected(open)
    expect(open.server.status()).toMatchObject({
      state: { protocolVersion: '2026-07-28' },
      instructions: 'Count with it.',
    })
    expect(textOf(await open.call('add', { a: 20, b: 22 }))).toBe('42')
  })

  it('[TOOL11] everything asks with every kind of field, and for a page before and during its call', async () => {
    const open = openServer(programReach(programOf('server-everything'), ['stdio']))
    await untilConnected(open)
    const asked: ToolQuestion[] = []
    const answers = async (question: ToolQuestion): Promise<ToolAnswer> => {
      asked.push(question)
      return question.wish.type === 'page' ? { type: 'accepted', content: {} } : { type: 'declined' }
    }
    expect(textOf(await open.call('trigger-elicitation-request', {}, { answers }))).toContain('declined')
    const fields = asked[0]?.wish.type === 'form' ? asked[0].wish.fields : []
    expect(fields.map(({ type, name }) => [type, name])).toEqual([
      ['text', 'name'],
      ['boolean', 'check'],
      ['text', 'firstLine'],
      ['text', 'email'],
      ['text', 'homepage'],
      ['text', 'birthdate'],
      ['number', 'integer'],
      ['number', 'number'],
      ['choice', 'untitledSingleSelectEnum'],
      ['choices', 'untitledMultipleSelectEnum'],
      ['choice', 'titledSingleSelectEnum'],
      ['choices', 'titledMultipleSelectEnum'],
      ['choice', 'legacyTitledEnum'],
    ])
    expect(fields.find(({ name }) => name === 'integer')).toMatchObject({ isInteger: true, minimum: 1, default: 42 })
    expect(fields.find(({ name }) => name === 'legacyTitledEnum')).toMatchObject({
      options: expect.arrayContaining([{ value: 'pet-1', title: 'Cats' }]),
    })
    const page = { url: 'https://example.org/verify', message: 'Verify' }
    expect(textOf(await open.call('trigger-url-elicitation', page, { answers }))).toContain('accept')
    expect(asked.at(-1)).toMatchObject({ source: 'probe', message: 'Verify', wish: { type: 'page', url: page.url } })
    const before = await open.call('trigger-url-elicitation', { ...page, errorPath: true }, { answers })
    expect(before.outcome).toBe('error')
    expect(textOf(before)).toContain('call it again')
    expect(textOf(await open.call('trigger-url-elicitation', { ...page, errorPath: true }, {}))).toMatch(
      /did not|cancel/,
    )
  })

  it('[TOOL11] a server of the newest protocol asks in its result, and goes on with the answer', async () => {
    const serve = serveMcp(() => {
      const server = new McpServer({ name: 'newest', version: '1.0.0' })
      server.registerTool('paint', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
        const given = mcpReq.inputResponses?.['colour']
        if (given === undefined)
          return inputRequired({
            inputRequests: {
              colour: inputRequired.elicit({
                message: 'Which colour?',
                requestedSchema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
              }),
            },
          })
        return { content: [{ type: 'text', text: JSON.stringify(given) }] }
      })
      return server
    })
    const port = await listenOn(createServer(serve))
    const open = openServer({ type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} })
    await untilConnected(open)
    const answered = await open.call(
      'paint',
      {},
      { answers: async () => ({ type: 'accepted', content: { colour: 'red' } }) },
    )
    expect(textOf(answered)).toContain('red')
  })

  it('[TOOL11] everything at an address asks the person of the call', async () => {
    const port = await freePort()
    await startEverything(port)
    const open = openServer({ type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} })
    await untilConnected(open)
    const answers = async (): Promise<ToolAnswer> => ({ type: 'accepted', content: { name: 'Ada' } })
    expect(textOf(await open.call('trigger-elicitation-request', {}, { answers }))).toContain('Name: Ada')
  })
})
