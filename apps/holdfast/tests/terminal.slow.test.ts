import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import type { ServerFrame } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { converse, script } from './support/agent.ts'
import { type Program, startProgram } from './support/program.ts'

vi.setConfig({ testTimeout: 120_000 })

let base: string
let provider: StrictProvider
let program: Program | null = null
const sockets: WebSocket[] = []

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast-terminal-'))
  await mkdir(join(base, 'work'))
  await mkdir(join(base, 'data'))
  provider = await createStrictProvider({})
})

afterEach(async () => {
  for (const socket of sockets) socket.terminate()
  await program?.stop()
  program = null
  await provider.close()
  await rm(base, { recursive: true })
})

async function start(): Promise<Program> {
  const file = join(base, 'config.json')
  await writeFile(file, JSON.stringify({ permissions: { rules: [{ id: 'shell', effect: 'allow', tool: 'shell' }] } }))
  const variables = { ANTHROPIC_API_KEY: 'key-of-the-server', ANTHROPIC_BASE_URL: provider.url, HOLDFAST_CONFIG: file }
  program = await startProgram(join(base, 'data'), variables, ['--workspace', join(base, 'work')])
  return program
}

/** A page that draws all it is sent of one terminal. */
async function lookAt({ url, token }: Program, conversationId: string, terminalId: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/socket`, {
    headers: { authorization: `Bearer ${token}` },
  })
  sockets.push(socket)
  await new Promise((resolve) => socket.on('open', resolve))
  const send = (frame: unknown) => socket.send(JSON.stringify(frame))
  let text = ''
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as ServerFrame
    if (frame.type === 'terminal-open') text = ''
    if (frame.type !== 'terminal-output') return
    text += frame.text
    send({ type: 'terminal-read', terminalId, through: frame.end })
  })
  send({ type: 'hello', protocol: 1, clientId: 'tab' })
  send({ type: 'terminal-open', terminalId, conversationId, isNew: true, columns: 100, rows: 30 })
  await expect.poll(() => text, { timeout: 20_000 }).not.toBe('')
  const until = (words: string) => expect.poll(() => text, { timeout: 20_000 }).toContain(words)
  return { until, type: (words: string) => send({ type: 'terminal-input', terminalId, text: words }) }
}

async function processesWith(words: string): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(words)).length
}

test('[WS27, RUN14] nothing of a terminal outlives its server, nor one that was killed beyond its next start', async () => {
  for (const end of ['stop', 'kill'] as const) {
    const mark = `33${Math.floor(Math.random() * 1e6)}.25`
    const running = await start()
    const { id } = await converse(running)
    const page = await lookAt(running, id, 't1')
    page.type(
      `env | grep -c key-of-the-server; setsid sleep ${mark} & nohup sleep ${mark} & sleep ${mark} & pwd; echo go""ne\r`,
    )
    await page.until('gone')
    await page.until(join(base, 'work'))
    expect(await processesWith(mark)).toBe(3)
    await running[end]()
    if (end === 'kill') await start()
    expect(await processesWith(mark)).toBe(0)
  }
})

test('[WS30] what an agent left in the background is listed for its person, with what it prints, and ended', async () => {
  const mark = `34${Math.floor(Math.random() * 1e6)}.25`
  script(provider, { name: 'shell', input: { command: `echo serving; sleep ${mark}`, background: true } })
  const running = await start()
  const person = await converse(running)
  await person.say('Serve')
  await person.ended(1)
  const path = `/conversations/${person.id}`
  expect(await running.call('GET', `${path}/terminals`)).toMatchObject({
    refusal: null,
    processes: [{ processId: 'process-1', line: `echo serving; sleep ${mark}`, end: null }],
  })
  await expect.poll(() => running.call('GET', `${path}/processes/process-1`)).toMatchObject({ text: 'serving\n' })
  expect(await running.call('POST', `${path}/processes/process-1/end`, {})).toMatchObject({
    row: { end: 'was ended' },
  })
  expect(await processesWith(mark)).toBe(0)
  expect(await running.call('GET', `${path}/processes/process-9`)).toMatchObject({ code: 'unknown-process' })
})
