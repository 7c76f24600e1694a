import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedChat, serveChat, TOKEN } from './support/served-chat.ts'

/** The scenarios for servers of the official conformance package that are about what ours offers. */
const KEPT = [
  'server-initialize',
  'server-session-lifecycle',
  'ping',
  'tools-list',
  'dns-rebinding-protection',
  'http-header-validation',
  'server-sse-multiple-streams',
  'input-required-result-unsupported-methods',
] as const

/** Those of which a part is about something that ours does not offer: each check that fails, and why. */
const KEPT_IN_PART = [
  [
    'server-stateless',
    'checks of tools that only a server for tests has',
    [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
  ],
  [
    'caching',
    'prompts and resources',
    [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
  ],
] as const

/** A busy machine takes its time to start the referee for each. */
const LIMIT_MS = 120_000

const REFEREE = join(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
  '../dist/index.js',
)

let served: ServedChat
let folder = ''
let url = ''

/** The referee has no key: what it sends is passed on with one. */
const door = createServer((request, response) => {
  const { port } = new URL(served.url)
  const own = new URL(url).port
  const headers = { ...request.headers, authorization: `Bearer ${TOKEN}` }
  headers.host = headers.host?.replace(own, port)
  if (headers.origin !== undefined) headers.origin = headers.origin.replace(own, port)
  const passed = forward(
    { host: '127.0.0.1', port, path: '/api/v1/interop/mcp', method: request.method, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  passed.on('error', () => response.destroy())
  response.on('close', () => passed.destroy())
  request.pipe(passed)
})

beforeAll(async () => {
  served = await serveChat([])
  folder = await mkdtemp(join(tmpdir(), 'holdfast-conformance-'))
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const address = door.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`
})

afterAll(async () => {
  door.closeAllConnections()
  door.close()
  await served.close()
  await rm(folder, { recursive: true, force: true })
})

/** Lets the referee speak to our server and judge it. */
function play(scenario: string): Promise<string> {
  const args = [REFEREE, 'server', '--url', url, '--scenario', scenario, '--output-dir', folder]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: LIMIT_MS }, (_error, stdout, stderr) => resolve(`${stdout}${stderr}`))
  })
}

/** The ids of the checks that failed. */
function failed(words: string): readonly string[] {
  return words.split('\n').flatMap((line) => {
    const id = / \[([\w-]+)\s*\] FAILURE/.exec(stripVTControlCharacters(line))?.[1]
    return id === undefined ? [] : [id]
  })
}

describe('the official conformance scenarios for servers', () => {
  it.each(KEPT)(
    '[SYNC19] keeps %s',
    async (scenario) => {
      const words = await play(scenario)
      expect(words).toMatch(/Passed: (\d+)\/\1, 0 failed/)
    },
    LIMIT_MS,
  )

  it.each(KEPT_IN_PART)(
    '[SYNC19] keeps %s without %s',
    async (scenario, _, missing) => {
      const words = await play(scenario)
      expect([...failed(words)].sort()).toEqual([...missing].sort())
      expect(words).toMatch(/Passed: [1-9]\d*\//)
    },
    LIMIT_MS,
  )
})
