import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Program, startProgram } from './support/program.ts'

// Each test starts the program.
vi.setConfig({ testTimeout: 120_000 })

const MAIN = join(import.meta.dirname, '..', 'bin', 'holdfast.js')

let base: string
let dataDir: string
let program: Program | null = null
let client: Client | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-mcp-'))
  dataDir = join(base, 'data')
})

afterEach(async () => {
  await client?.close()
  client = null
  await program?.stop()
  program = null
  await rm(base, { recursive: true })
})

async function connect(mode: 'auto' | 'legacy'): Promise<Client> {
  const { PATH = '' } = process.env
  const args = [MAIN, 'mcp', 'serve', '--data-dir', dataDir, '--no-detect']
  client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { PATH, HOME: base } }))
  return client
}

async function ask(over: Client, text: string): Promise<unknown> {
  const sent = await over.callTool({ name: 'send_message', arguments: { text } })
  const { handle } = sent.structuredContent as { handle: string }
  return (await over.callTool({ name: 'wait_for_answer', arguments: { handle, seconds: 40 } })).structuredContent
}

test.each(['auto', 'legacy'] as const)(
  '[SYNC19] holdfast mcp serve: a client over pipes asks a server of its own, version %s',
  async (mode) => {
    const over = await connect(mode)
    expect((await over.listTools()).tools).toHaveLength(6)
    expect(await ask(over, '/demo thinking')).toMatchObject({
      state: 'completed',
      text: expect.stringContaining('That was the thinking.'),
    })
    // No longer than was asked for, while the turn goes on.
    const { structuredContent: sent } = await over.callTool({
      name: 'send_message',
      arguments: { text: '/demo stream-long' },
    })
    const { handle } = sent as { handle: string }
    const soon = await over.callTool({ name: 'wait_for_answer', arguments: { handle, seconds: 1 } })
    expect(soon).toMatchObject({ structuredContent: { state: 'running' } })
  },
)

test('[SYNC19] holdfast mcp serve: what a client over pipes asks is in the program that runs on the data folder, also after its restart', async () => {
  program = await startProgram(dataDir, {})
  const over = await connect('auto')
  expect(await ask(over, 'Hello')).toMatchObject({ state: 'completed' })
  const row = async () => (await over.callTool({ name: 'list_conversations', arguments: {} })).structuredContent
  await expect.poll(row, { timeout: 20_000 }).toMatchObject({ conversations: [{ title: 'Hello', state: 'idle' }] })
  await program.stop()
  program = await startProgram(dataDir, {})
  const { structuredContent } = await over.callTool({ name: 'list_conversations', arguments: {} })
  expect(structuredContent).toMatchObject({ conversations: [{ messages: 2 }] })
  const { conversations } = structuredContent as { conversations: { conversation_id: string }[] }
  const given = { conversation_id: conversations[0]?.conversation_id }
  const read = await over.callTool({ name: 'read_conversation', arguments: given })
  // What asked for the title is no message.
  expect(read.structuredContent).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }], has_more: false })
})
