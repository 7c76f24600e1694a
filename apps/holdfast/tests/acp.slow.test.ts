import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import {
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Program, startProgram } from './support/program.ts'

// Each test starts the program.
vi.setConfig({ testTimeout: 120_000 })

const MAIN = join(import.meta.dirname, '..', 'bin', 'holdfast.js')

let base: string
let dataDir: string
let folder: string
const children: ChildProcess[] = []
let program: Program | null = null

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-acp-'))
  dataDir = join(base, 'data')
  folder = join(base, 'work')
  await mkdir(folder)
})

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  await program?.stop()
  program = null
  await rm(base, { recursive: true })
})

interface Editor {
  readonly child: ChildProcess
  readonly agent: ClientConnection['agent']
  readonly updates: { readonly sessionId: string; readonly update: SessionUpdate }[]
  /** All that came on stdout, as lines. */
  readonly lines: () => readonly string[]
  /** Resolves with the first update that fits, also one that has come. */
  until(fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate>
  readonly asked: RequestPermissionRequest[]
}

/** An editor with the client of the SDK, and the program as its agent. */
function openEditor(answer: 'call' | 'conversation' | 'deny' | 'wait'): Editor {
  const { PATH } = process.env
  const child = spawn(process.execPath, [MAIN, 'acp', '--data-dir', dataDir, '--no-detect'], {
    // Folders of the home may be opened.
    env: { PATH, HOME: base },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('It has no pipes')
  const chunks: Buffer[] = []
  stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const updates: Editor['updates'] = []
  const asked: RequestPermissionRequest[] = []
  let look = (): void => {}
  const app = client({ name: 'editor' })
    .onNotification(methods.client.session.update, ({ params: { sessionId, update } }) => {
      updates.push({ sessionId, update })
      look()
    })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
      asked.push(params)
      look()
      if (answer !== 'wait') return { outcome: { outcome: 'selected' as const, optionId: answer } }
      if (!signal.aborted) await once(signal, 'abort')
      return { outcome: { outcome: 'cancelled' as const } }
    })
  const input = Readable.toWeb(stdout) as ReadableStream<Uint8Array>
  const connection = app.connect(ndJsonStream(Writable.toWeb(stdin), input))
  return {
    child,
    agent: connection.agent,
    updates,
    asked,
    lines: () =>
      Buffer.concat(chunks)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== ''),
    until: (fits) =>
      new Promise((resolve) => {
        look = () => {
          const found = updates.find(({ update }) => fits(update))
          if (found) resolve(found.update)
        }
        look()
      }),
  }
}

const text = (words: string) => [{ type: 'text' as const, text: words }]

async function initialized(answer: Parameters<typeof openEditor>[0]): Promise<Editor> {
  const editor = openEditor(answer)
  await editor.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
  return editor
}

async function newSession({ agent }: Editor) {
  return agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] })
}

/** The words of a kind that a session was told, joined. */
function told({ updates }: Editor, sessionId: string, kind: SessionUpdate['sessionUpdate']): string {
  return updates
    .filter((one) => one.sessionId === sessionId && one.update.sessionUpdate === kind)
    .map(({ update }) => ('content' in update && update.content && 'text' in update.content ? update.content.text : ''))
    .join('')
}

test('[AGENT29] answers an editor at once, tells nothing of a session before its answer, and speaks nothing but the protocol', async () => {
  const editor = openEditor('call')
  const initialize = await editor.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: {},
  })
  expect(initialize).toMatchObject({
    protocolVersion: 1,
    authMethods: [{ type: 'terminal', id: 'holdfast-open' }],
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { list: {}, fork: {}, resume: {}, close: {}, delete: {} },
    },
  })
  const { sessionId, modes, configOptions } = await newSession(editor)
  expect(modes?.currentModeId).toBe('ask')
  expect(configOptions?.map(({ id }) => id)).toEqual(['mode', 'model'])
  await editor.until(({ sessionUpdate }) => sessionUpdate === 'available_commands_update')
  const first = editor.lines().findIndex((line) => line.includes('"session/update"'))
  const answered = editor.lines().findIndex((line) => line.includes('"modes"'))
  expect(answered).toBeLessThan(first)
  const response = await editor.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: text('/demo thinking'),
  })
  expect(response).toMatchObject({ stopReason: 'end_turn' })
  expect(told(editor, sessionId, 'agent_message_chunk')).toBe(
    'That was the thinking. This is the reply: three short sentences. It is a script.',
  )
  expect(told(editor, sessionId, 'agent_thought_chunk').length).toBeGreaterThan(20)
  await editor.until(({ sessionUpdate }) => sessionUpdate === 'session_info_update')
  await editor.until(({ sessionUpdate }) => sessionUpdate === 'usage_update')
  for (const line of editor.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
})

test('[AGENT30] shows calls with their places and differences, and asks the person at the editor', async () => {
  await writeFile(join(folder, 'notes.txt'), 'one\n')
  const editor = await initialized('call')
  const { sessionId } = await newSession(editor)
  await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: text('/demo edit') })
  const calls = editor.updates.filter(({ update }) => update.sessionUpdate === 'tool_call')
  expect(calls.length).toBeGreaterThan(0)
  expect(editor.asked.length).toBeGreaterThan(0)
  const withDiff = JSON.stringify(editor.updates)
  expect(withDiff).toContain('"type":"diff"')
  expect(withDiff).toContain(folder)
  const settled = editor.updates.filter(
    ({ update }) => update.sessionUpdate === 'tool_call_update' && update.status === 'completed',
  )
  expect(settled.length).toBeGreaterThan(0)
})

test('[AGENT31] queues a prompt while another is answered, and answers each cancelled one once, and soon', async () => {
  const editor = await initialized('call')
  const { sessionId } = await newSession(editor)
  const first = editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: text('/demo stream-long') })
  await editor.until(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
  const second = editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: text('/demo thinking') })
  const begun = performance.now()
  await editor.agent.notify(methods.agent.session.cancel, { sessionId })
  expect(await first).toMatchObject({ stopReason: 'cancelled' })
  expect(await second).toMatchObject({ stopReason: 'cancelled' })
  // Idle tools need no wait: what is left is the time of a busy machine.
  expect(performance.now() - begun).toBeLessThan(2_000)
  const third = await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: text('/demo thinking') })
  expect(third).toMatchObject({ stopReason: 'end_turn' })
  const leaving = new AbortController()
  const fourth = editor.agent.request(
    methods.agent.session.prompt,
    { sessionId, prompt: text('/demo stream-long') },
    { cancellationSignal: leaving.signal },
  )
  const said = told(editor, sessionId, 'agent_message_chunk').length
  await editor.until(() => told(editor, sessionId, 'agent_message_chunk').length > said)
  leaving.abort()
  await expect(fourth).rejects.toMatchObject({ code: -32800 })
})

test('[AGENT32] lists, loads, resumes, forks, closes and deletes, and what is loaded is the transcript', async () => {
  program = await startProgram(dataDir, { HOME: base })
  const editor = await initialized('call')
  const { sessionId } = await newSession(editor)
  await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: text('/demo thinking') })
  const said = told(editor, sessionId, 'agent_message_chunk')
  const listed = await editor.agent.request(methods.agent.session.list, { cwd: folder })
  expect(listed.sessions).toMatchObject([{ sessionId, cwd: folder }])

  const other = await initialized('call')
  await other.agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] })
  expect(told(other, sessionId, 'user_message_chunk')).toBe('/demo thinking')
  expect(told(other, sessionId, 'agent_message_chunk')).toBe(said)
  // What is written at one editor is shown at the other.
  await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: text('/demo thinking') })
  await vi.waitFor(() => expect(told(other, sessionId, 'agent_message_chunk')).toBe(said + said), { timeout: 30_000 })
  expect(told(other, sessionId, 'user_message_chunk')).toBe('/demo thinking/demo thinking')

  const forked = await other.agent.request(methods.agent.session.fork, { sessionId, cwd: folder, mcpServers: [] })
  expect(forked.sessionId).not.toBe(sessionId)
  await other.agent.request(methods.agent.session.setMode, { sessionId: forked.sessionId, modeId: 'plan' })
  await other.until((update) => update.sessionUpdate === 'current_mode_update' && update.currentModeId === 'plan')
  const { configOptions } = await other.agent.request(methods.agent.session.setConfigOption, {
    sessionId: forked.sessionId,
    configId: 'mode',
    value: 'accept-edits',
  })
  expect(configOptions.find(({ id }) => id === 'mode')).toMatchObject({ currentValue: 'accept-edits' })
  await other.agent.request(methods.agent.session.close, { sessionId: forked.sessionId })
  await other.agent.request(methods.agent.session.resume, { sessionId: forked.sessionId, cwd: folder, mcpServers: [] })
  await other.agent.request(methods.agent.session.delete, { sessionId: forked.sessionId })
  const left = await other.agent.request(methods.agent.session.list, {})
  expect(left.sessions.map((one) => one.sessionId)).toEqual([sessionId])
  await expect(
    other.agent.request(methods.agent.session.load, { sessionId: 'no-such', cwd: folder, mcpServers: [] }),
  ).rejects.toThrow()
})

test('[AGENT33] ends when its editor is gone, in the middle of an answer, and keeps what was said', async () => {
  const editor = await initialized('call')
  const { sessionId } = await newSession(editor)
  const lost = editor.agent
    .request(methods.agent.session.prompt, { sessionId, prompt: text('/demo stream-long') })
    .catch(() => {})
  await editor.until(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
  const gone = once(editor.child, 'exit')
  const begun = performance.now()
  editor.child.stdin?.end()
  await gone
  expect(performance.now() - begun).toBeLessThan(4_000)
  await lost
  program = await startProgram(dataDir, { HOME: base })
  const again = await initialized('call')
  await again.agent.request(methods.agent.session.load, { sessionId, cwd: folder, mcpServers: [] })
  expect(told(again, sessionId, 'agent_message_chunk').length).toBeGreaterThan(0)
})

test('[AGENT33] ends when its parent is killed and its pipes stay open', async () => {
  const script = `
    const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ${JSON.stringify([MAIN, 'acp', '--data-dir'])}.concat(process.argv[1], '--no-detect'), { stdio: ['inherit', 'inherit', 'inherit'] })
    process.stderr.write('PID ' + child.pid + '\\n')
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['-e', script, dataDir], {
    env: { PATH: process.env.PATH, HOME: base },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  children.push(parent)
  const [line] = await once(parent.stderr, 'data')
  const pid = Number(/PID (\d+)/.exec(String(line))?.[1])
  parent.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } })}\n`,
  )
  await once(parent.stdout, 'data')
  parent.kill('SIGKILL')
  await vi.waitFor(async () => expect(await stateOf(pid)).toMatch(/^(gone|Z|X)$/), { timeout: 15_000, interval: 50 })
})

test('[AGENT33] ends in order when it is asked to end, with the server of its own', async () => {
  const editor = await initialized('call')
  await newSession(editor)
  const gone = once(editor.child, 'exit')
  editor.child.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
  expect(existsSync(join(dataDir, 'store', 'holdfast.sqlite-wal'))).toBe(false)
})

/** The state of a process as the kernel names it: who adopts orphans may leave one that has ended standing as Z. */
async function stateOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return stat === null ? 'gone' : stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
}

test('[AGENT34] a client of another maker asks, is asked, and is answered: acpx', async () => {
  const acpx = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'acpx', 'dist', 'cli.js')
  const agentCommand = `${process.execPath} ${MAIN} acp --no-detect --data-dir ${dataDir}`
  const child = spawn(
    process.execPath,
    [acpx, '--agent', agentCommand, '--cwd', folder, '--approve-all', '--format', 'json', 'exec', '/demo edit'],
    { env: { PATH: process.env.PATH, HOME: base }, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  children.push(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (piece) => {
    out += piece
  })
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const [code] = await once(child, 'close')
  expect(err).toBe('')
  expect(code).toBe(0)
  expect(out).toContain('"stopReason":"end_turn"')
  expect(out).toContain('"type":"diff"')
})
