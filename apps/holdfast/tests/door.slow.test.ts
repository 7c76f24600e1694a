import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'

// Each test starts the program, some of them twice.
vi.setConfig({ testTimeout: 120_000 })

const MAIN = join(import.meta.dirname, '..', 'bin', 'holdfast.js')

let dataDir: string
let binDir: string
const children: ChildProcess[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-door-'))
  binDir = await mkdtemp(join(tmpdir(), 'holdfast-bin-'))
})

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const closed = new Promise((resolve) => child.on('close', resolve))
    child.kill('SIGKILL')
    await closed
  }
  for (const folder of [dataDir, binDir]) await rm(folder, { recursive: true })
})

/** A run of the program, with these programs before all others. */
function run(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args, '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${binDir}:${process.env['PATH']}` },
  })
  children.push(child)
  let stdout = ''
  let stderr = ''
  let onOutput = () => {}
  child.stdout.on('data', (piece) => {
    stdout += piece
    onOutput()
  })
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  /** What a server says when it is ready. */
  async function ready(): Promise<{ url: string; token: string }> {
    await new Promise<void>((resolve, reject) => {
      onOutput = () => {
        if (stdout.includes('\n')) resolve()
      }
      onOutput()
      void ended.then(() => reject(new Error(`It ended without a line: ${stderr}`)))
    })
    return JSON.parse(stdout)
  }
  return { child, ended, ready }
}

const statusOf = async (url: string, headers: Record<string, string>) =>
  (await fetch(`${url}/api/v1/conversations`, { headers })).status

/** What a browser sends after a link: its cookie, and the key that its page keeps. */
async function arrive(link: string): Promise<Record<string, string>> {
  const arrival = await fetch(link, { redirect: 'manual' })
  const cookie = arrival.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const pageKey = /#page-key=(.+)$/.exec(arrival.headers.get('location') ?? '')?.[1] ?? ''
  return { cookie, 'holdfast-page-key': pageKey }
}

test.skipIf(process.platform !== 'linux')(
  '[SEC20] a browser is started without anything secret among its arguments, with a code that is good once',
  async () => {
    const seen = join(binDir, 'arguments')
    await writeFile(join(binDir, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}.new\nmv ${seen}.new ${seen}\n`)
    await chmod(join(binDir, 'xdg-open'), 0o755)
    const { url, token } = await run('start', '--json', '--port', '0', '--no-detect').ready()
    const given = await vi.waitFor(() => readFile(seen, 'utf8'), { timeout: 20_000 })
    expect(given).not.toContain(token)
    expect(given).not.toMatch(/token=|code=/)
    const page = fileURLToPath(given.trim())
    expect((await stat(page)).mode & 0o777).toBe(0o600)
    const html = await readFile(page, 'utf8')
    expect(html).not.toContain(token)
    const link = /url=(http[^"]+)"/.exec(html)?.[1] ?? ''
    const browser = await arrive(link)
    expect(await statusOf(url, browser)).toBe(200)
    expect((await fetch(link, { redirect: 'manual' })).status).not.toBe(303)
    expect(await statusOf(url, { authorization: `Bearer ${new URL(link).searchParams.get('code')}` })).toBe(401)
  },
)

/** A program that listens where a server was, and keeps what it is sent. */
async function thiefAt(port: number): Promise<{ readonly server: Server; readonly received: string[] }> {
  const received: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"proof":"x","agents":[],"providers":[]}')
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { server, received }
}

/** Ends the server as a lost machine would. */
async function kill({ child, ended }: ReturnType<typeof run>): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

test('[SEC21] what took the port of a killed server is sent no secret by the commands', async () => {
  const program = run('start', '--json', '--port', '0', '--no-open', '--no-detect')
  const { url, token } = await program.ready()
  const note = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8'))
  await kill(program)
  const { server, received } = await thiefAt(Number(new URL(url).port))
  try {
    // The pid is another program's by now, as after a restart of the machine.
    await writeFile(join(dataDir, 'server.json'), JSON.stringify({ ...note, pid: process.pid }))
    expect((await run('agents', 'list', '--no-detect').ended).code).toBe(0)
    expect(received.length).toBeGreaterThan(0)
    expect(received.join('\n')).not.toContain(token)
    expect(received.join('\n')).not.toMatch(/authorization/i)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('[SEC21] what took the port cannot have a server that was started since prove itself in its place', async () => {
  const first = run('start', '--json', '--port', '0', '--no-open', '--no-detect')
  const { url } = await first.ready()
  const old = await readFile(join(dataDir, 'server.json'), 'utf8')
  await kill(first)
  const second = await run('start', '--json', '--port', '0', '--no-open', '--no-detect').ready()
  const port = Number(new URL(url).port)
  const relayed: string[] = []
  const relay = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    async function passOn(): Promise<void> {
      relayed.push(`${request.url} ${request.headers.authorization ?? ''}`)
      const init = { method: request.method ?? 'GET', headers: { 'content-type': 'application/json' } }
      const answer = await fetch(second.url + request.url, request.method === 'POST' ? { ...init, body } : init)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    }
    request.on('end', () => void passOn())
  })
  await new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve))
  try {
    await writeFile(join(dataDir, 'server.json'), JSON.stringify({ ...JSON.parse(old), pid: process.pid }))
    await run('agents', 'list', '--no-detect').ended
    expect(relayed).toEqual(['/api/v1/auth/proof '])
  } finally {
    relay.closeAllConnections()
    await new Promise((resolve) => relay.close(resolve))
  }
})

test('[SEC21] a note of a process that is gone is not followed at all', async () => {
  const program = run('start', '--json', '--port', '0', '--no-open', '--no-detect')
  const { url } = await program.ready()
  await kill(program)
  const { server, received } = await thiefAt(Number(new URL(url).port))
  try {
    expect((await run('agents', 'list', '--no-detect').ended).code).toBe(0)
    expect(received).toEqual([])
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('[SEC22] another start-up token ends what the old one opened, at once and for good, and says how to go on', async () => {
  const program = run('start', '--json', '--port', '0', '--no-open', '--no-detect')
  const { url, token } = await program.ready()
  const browser = await arrive(`${url}/?token=${token}`)
  expect(await statusOf(url, browser)).toBe(200)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/socket`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
  })
  await new Promise((resolve) => {
    socket.onopen = resolve
  })
  const rotated = await run('token', 'rotate').ended
  expect(rotated.code).toBe(0)
  expect(await closed).toBe(4403)
  expect(await statusOf(url, browser)).toBe(401)
  expect(await statusOf(url, { authorization: `Bearer ${token}` })).toBe(401)
  expect((await fetch(`${url}/?token=${token}`, { redirect: 'manual' })).status).not.toBe(303)
  const link = rotated.stdout.trim()
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/)
  expect(await statusOf(url, await arrive(link))).toBe(200)
  const file = join(dataDir, 'start-up-token')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const kept = (await readFile(file, 'utf8')).trim()
  expect(link.endsWith(kept)).toBe(true)
  program.child.kill('SIGTERM')
  expect((await program.ended).code).toBe(0)
  const alone = await run('token', 'rotate').ended
  expect(alone).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('The next start shows') })
  expect((await readFile(file, 'utf8')).trim()).not.toBe(kept)
})
