import { spawn } from 'node:child_process'
import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// Each test starts the program, some of them twice.
vi.setConfig({ testTimeout: 120_000 })

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-start-'))
})

afterEach(async () => {
  await rm(dataDir, { recursive: true })
})

/** A run of the program. */
function run(...args: string[]) {
  return runNode([join(import.meta.dirname, '..', 'bin', 'holdfast.js'), ...args])
}

function runNode(args: string[]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
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
  const firstLine = new Promise<string>((resolve) => {
    onOutput = () => {
      if (stdout.includes('\n')) resolve(stdout)
    }
  })
  return { child, ended, firstLine }
}

function start(...args: string[]) {
  return run('start', '--no-open', '--data-dir', dataDir, ...args)
}

test('[SEC2] prints exactly one line when it is ready, lets its token in, and ends with 0 when it is asked to', async () => {
  const program = start('--json', '--port', '0')
  const ready = JSON.parse(await program.firstLine)
  expect(Object.keys(ready).toSorted()).toEqual(['dataDir', 'token', 'url', 'version'])
  expect(ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(ready.dataDir).toBe(dataDir)
  const api = (token: string) =>
    fetch(`${ready.url}/api/v1/conversations`, { headers: { authorization: `Bearer ${token}` } })
  expect((await api(ready.token)).status).toBe(200)
  expect((await api('wrong')).status).toBe(401)
  program.child.kill('SIGTERM')
  const { code, stdout, stderr } = await program.ended
  expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 1 })
  expect(stderr).not.toContain(ready.token)
})

test('[SEC2] keeps its token for the next start, where only its user can read it', async () => {
  const tokens: string[] = []
  for (let round = 0; round < 2; round += 1) {
    const program = start('--json', '--port', '0')
    tokens.push(JSON.parse(await program.firstLine).token)
    program.child.kill('SIGINT')
    expect((await program.ended).code).toBe(0)
  }
  expect(tokens[0]).toBe(tokens[1])
  expect((await stat(join(dataDir, 'start-up-token'))).mode & 0o777).toBe(0o600)
  await writeFile(join(dataDir, 'start-up-token'), 'short\n')
  const { code, stderr } = await start('--json', '--port', '0').ended
  expect(code).toBe(1)
  expect(stderr).toContain('E_TOKEN_DAMAGED')
})

test('[RUN14] ends a reply that is being written, as interrupted, before it ends itself', async () => {
  const program = start('--json', '--port', '0')
  const { url, token } = JSON.parse(await program.firstLine)
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return answer.json() as Promise<Record<string, unknown>>
  }
  const { id } = await call('POST', '/conversations', { commandId: 'command_1' })
  const content = [{ type: 'text', text: '/demo stream-long' }]
  await call('POST', `/conversations/${id}/inputs`, { commandId: 'command_2', content })
  while ((await call('GET', `/conversations/${id}`))['state'] !== 'running');
  program.child.kill('SIGTERM')
  expect((await program.ended).code).toBe(0)
  const again = start('--json', '--port', '0')
  const restarted = JSON.parse(await again.firstLine)
  const answer = await fetch(`${restarted.url}/api/v1/conversations/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await answer.json()).toMatchObject({ id, state: 'interrupted' })
  again.child.kill('SIGTERM')
  expect((await again.ended).code).toBe(0)
})

test('[SEC2] says what to do when its port is taken, and leaves the port to its owner', async () => {
  const owner = createServer()
  await new Promise<void>((resolve) => owner.listen(0, '127.0.0.1', resolve))
  const address = owner.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { code, stdout, stderr } = await start('--json', '--port', String(port)).ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`Port ${port} of 127.0.0.1 is in use`)
  expect(stderr).toContain('--port 0')
  expect(stderr).toMatch(/ \(E_PORT_IN_USE\)\n$/)
  owner.close()
})

test('[CLI45] a second start says where the first runs; on another folder, that its port is taken before anything is made', async () => {
  const first = start('--json', '--port', '0')
  const { url } = JSON.parse(await first.firstLine)
  const port = Number(new URL(url).port)
  for (const wanted of ['0', String(port)]) {
    const { code, stdout, stderr } = await start('--json', '--port', wanted).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`Holdfast runs already with the data folder ${dataDir}: ${url}`)
    expect(stderr).toMatch(/ \(E_STORE_LOCKED\)\n$/)
  }
  const other = `${dataDir}-other`
  const { code, stderr } = await start('--json', '--port', String(port), '--data-dir', other).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(
    new RegExp(`^Port ${port} of 127.0.0.1 is in use by a Holdfast with another data folder\\. .* --port \\d+, or`),
  )
  expect(Number(/choose another port: --port (\d+)/.exec(stderr)?.[1])).toBeGreaterThan(port)
  await expect(access(other)).rejects.toMatchObject({ code: 'ENOENT' })
  first.child.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)
})

test('[SEC2] listens for other computers at nobody’s request', async () => {
  const { code, stderr } = await start('--json', '--port', '0', '--host', '0.0.0.0').ended
  expect(code).toBe(4)
  expect(stderr).toContain('E_PUBLIC_ADDRESS')
})

test('[SEC5] refuses what it does not know on the command line', async () => {
  expect((await start('--port', 'four').ended).code).toBe(2)
  expect((await start('--colour').ended).code).toBe(2)
  expect((await run('--help').ended).code).toBe(0)
  const { stdout } = await run('--version').ended
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
  expect(stdout.trim()).toBe(version)
})

test.each(['20.18.1', '22.17.1'])(
  '[SEC5] says on Node %s what is needed, before it loads anything',
  async (version) => {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`
    const bin = join(import.meta.dirname, '..', 'bin', 'holdfast.js')
    const { code, stderr } = await runNode(['--import', older, bin, 'start']).ended
    expect(code).toBe(1)
    expect(stderr).toContain(`needs Node.js 22.18 or newer; this is ${version}`)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  },
)

// No user of Linux makes a folder there, root included.
test.runIf(process.platform === 'linux')(
  '[CLI5] says in one line that the data folder cannot be made, and where',
  async () => {
    const { code, stderr } = await run('start', '--no-open', '--port', '0', '--data-dir', '/proc/holdfast').ended
    expect(code).toBe(2)
    expect(stderr).toMatch(/^The data folder \/proc\/holdfast cannot be made: .*--data-dir.*\(E_DATA_FOLDER\)\n$/)
  },
)
