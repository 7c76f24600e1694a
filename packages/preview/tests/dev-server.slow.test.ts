import { execFileSync } from 'node:child_process'
import { systemClock } from '@holdfast/engine/system'
import { createServedCommands, endCommandsOf } from '@holdfast/toolbox'
import { expect, onTestFinished, test } from 'vitest'
import type { Target } from '../src/proxy/target.ts'
import { createDevServer, type DevServer } from '../src/servers/dev-server.ts'
import { probePort } from '../src/servers/probe-port.ts'
import { folderWith, machineOf } from './support/place.ts'

const PAGE = `import { createServer } from 'node:http'
export const page = (port, host) => createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<p>page ' + port)).listen(port, host)
`
const NODE = `"${process.execPath}"`
const CALM = { timeout: 30_000, interval: 20 }

interface Made {
  readonly server: DevServer
  readonly target: () => Target | null
  readonly owner: string
  readonly later: (milliseconds: number) => void
}

let count = 0

/** A dev server in a folder with these files. Everything of it is gone when the test is. */
async function made(files: Readonly<Record<string, string>>, network: 'none' | 'host' = 'none'): Promise<Made> {
  const owner = `preview-test-${process.pid}-${++count}`
  const workspace = folderWith({ 'page.mjs': PAGE, ...files })
  const commands = createServedCommands({ workspace, machine: await machineOf(owner, network), clock: systemClock })
  onTestFinished(() => commands.close())
  let target: Target | null = null
  let passedMs = 0
  const server = createDevServer({
    commands,
    clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + passedMs },
    onTarget: (next) => (target = next),
    onFault(error) {
      throw error
    },
  })
  onTestFinished(() => server.stop())
  return { server, owner, target: () => target, later: (milliseconds) => (passedMs += milliseconds) }
}

const running = (name: string) => ({ line: `${NODE} ${name}`, folder: '' })

async function pageOf(target: Target | null) {
  if (target === null) return null
  const signal = new AbortController().signal
  const connect = async () => (await target.connect(signal)) as import('node:net').Socket
  return probePort({ port: target.port, connect }, { limitMs: 2_000, clock: systemClock, signal })
}

test('[PREV2] a server is shown at the port that its own process holds, whatever it prints', async () => {
  const { server, target } = await made({
    'server.mjs': `import { page } from './page.mjs'
      console.log('\\u001b[32m  Local: http://localhost:\\u001b[1m9999\\u001b[22m/\\u001b[39m and http://localhost:4100/')
      page(4100, '127.0.0.1'); (await import('node:http')).createServer((_, answer) => answer.writeHead(426).end()).listen(4000)`,
  })
  await server.start(running('server.mjs'))
  await expect
    .poll(() => server.now(), CALM)
    .toMatchObject({ state: 'ready', port: 4100, ports: [4000, 4100], problem: null })
  expect(server.log()).toContain('  Local: http://localhost:9999/ and')
  expect(await pageOf(target())).toEqual({ isSecure: false, isHtml: true })
  await server.stop()
  expect(server.now()).toMatchObject({ state: 'stopped', port: null, ports: [] })
  expect(target()).toBe(null)
})

test('[PREV2] one that listens at ::1 only, and one that speaks TLS only, are shown', async () => {
  const six = await made({ 'server.mjs': "import { page } from './page.mjs'; page(4200, '::1')" })
  await six.server.start(running('server.mjs'))
  await expect.poll(() => six.server.now(), CALM).toMatchObject({ state: 'ready', port: 4200 })
  const [key, cert] = keyAndCertificate()
  const secure = await made({
    key,
    cert,
    'server.mjs': `import { createServer } from 'node:https'; import { readFileSync } from 'node:fs'
      createServer({ key: readFileSync('key'), cert: readFileSync('cert') }, (_, answer) => answer.setHeader('content-type', 'text/html').end('<p>')).listen(4300, '127.0.0.1')`,
  })
  await secure.server.start(running('server.mjs'))
  await expect.poll(() => secure.server.now(), CALM).toMatchObject({ state: 'ready', port: 4300 })
  expect(secure.target()?.isSecure).toBe(true)
})

test('[PREV2] a crash tells its code and its last lines, and one that crashes at once again is left', async () => {
  const { server } = await made({
    'server.mjs': "for (let line = 1; line <= 30; line++) console.log('line ' + line); process.exit(7)",
  })
  await server.start(running('server.mjs'))
  await expect.poll(() => server.now(), CALM).toMatchObject({ state: 'starting', restartCount: 1 })
  await expect
    .poll(() => server.now(), CALM)
    .toMatchObject({ state: 'crashed', exit: { code: 7, signal: null }, restartCount: 1 })
  const { problem } = server.now()
  expect(problem).toMatch(/^ended with exit code 7\. Its last lines:\nline 11\n[\s\S]*\nline 30$/)
})

test('[PREV2] one that dies again and again in other ways is started three times more, and no oftener', async () => {
  const { server } = await made({
    'server.mjs': `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
      const past = existsSync('count') ? Number(readFileSync('count', 'utf8')) : 0
      writeFileSync('count', String(past + 1)); process.exit(10 + past)`,
  })
  await server.start(running('server.mjs'))
  await expect.poll(() => server.now(), CALM).toMatchObject({ state: 'crashed', exit: { code: 13 }, restartCount: 3 })
  await server.start({ line: 'echo again; exit 4', folder: '' })
  await expect.poll(() => server.now(), CALM).toMatchObject({ state: 'crashed', exit: { code: 4 }, restartCount: 1 })
})

test('[PREV2] one that ignores TERM, with a child of its own session, is gone two seconds after the stop', async () => {
  const { server, owner } = await made({
    'server.mjs': `import { page } from './page.mjs'; import { spawn } from 'node:child_process'
      process.on('SIGTERM', () => {}); spawn('setsid', ['sleep', '1000'], { detached: true, stdio: 'ignore' }); page(4400, '127.0.0.1')`,
  })
  await server.start(running('server.mjs'))
  await expect.poll(() => server.now(), CALM).toMatchObject({ state: 'ready' })
  const began = systemClock.monotonicMs()
  await server.stop()
  expect(systemClock.monotonicMs() - began).toBeLessThan(2_000)
  expect(await endCommandsOf(owner, systemClock)).toBe(0)
})

test('[PREV2] a flood in the log costs bounded memory, and its end can be read', async () => {
  const { server } = await made({
    'server.mjs': `import { page } from './page.mjs'
      for (let count = 0; count < 200_000; count++) process.stdout.write('a line of a flood that never ends, number ' + count + '\\n')
      page(4500, '127.0.0.1'); console.log('the last one')`,
  })
  await server.start(running('server.mjs'))
  await expect.poll(() => server.now(), CALM).toMatchObject({ state: 'ready' })
  await expect.poll(() => server.log(), CALM).toContain('the last one')
  expect(server.log().length).toBeLessThanOrEqual(262_144)
})

test('[PREV2] one that never listens is said to be slow after a minute, and can be stopped', async () => {
  const { server, later } = await made({})
  await server.start({ line: 'echo here; sleep 1000', folder: '' })
  await expect.poll(() => server.log(), CALM).toContain('here')
  expect(server.now()).toMatchObject({ state: 'starting', problem: null })
  later(61_000)
  await expect.poll(() => server.now().problem, CALM).toMatch(/^It has run for 6\d s and listens at no port$/)
  await server.stop()
  expect(server.now()).toMatchObject({ state: 'stopped', problem: null })
})

test('[PREV2] a port that goes is not shown any more, and another that comes is', async () => {
  const { server, target } = await made({
    'server.mjs': `import { page } from './page.mjs'; import { existsSync } from 'node:fs'
      const first = page(4600, '127.0.0.1')
      setInterval(() => { if (existsSync('go') && first.listening) { first.close(); first.closeAllConnections(); page(4601, '127.0.0.1') } }, 20)`,
  })
  await server.start({ line: `(sleep 1.5; touch go) & ${NODE} server.mjs`, folder: '' })
  await expect.poll(() => server.now(), CALM).toMatchObject({ state: 'ready', port: 4600 })
  await expect.poll(() => server.now(), CALM).toMatchObject({ state: 'ready', port: 4601 })
  expect(target()?.port).toBe(4601)
})

/** The full count is by HOLDFAST_FULL=1. */
const CYCLES = process.env['HOLDFAST_FULL'] === '1' ? 100 : 10

test(`[PREV2] ${CYCLES} starts and stops leave no process and no port behind`, { timeout: 600_000 }, async () => {
  const { server, owner } = await made(
    { 'server.mjs': "import { page } from './page.mjs'; page(46100, '127.0.0.1')" },
    'host',
  )
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    await server.start(running('server.mjs'))
    await expect.poll(() => server.now().state, CALM).toBe('ready')
    await server.stop()
    const left = await probePort(
      { port: 46_100, connect: (await import('../src/servers/machine-port.ts')).connectHere(46_100) },
      { limitMs: 500, clock: systemClock, signal: new AbortController().signal },
    )
    expect(left).toBe(null)
  }
  expect(await endCommandsOf(owner, systemClock)).toBe(0)
})

function keyAndCertificate(): readonly [string, string] {
  const both = execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      '-',
      '-subj',
      '/CN=localhost',
      '-days',
      '1',
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const at = both.indexOf('-----BEGIN CERTIFICATE')
  return [both.slice(0, at), both.slice(at)]
}
