import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { playClient } from './support/conformance-client.ts'

/** The scenarios for clients of the official conformance package that ours keeps. */
const KEPT = [
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'sse-retry',
  'request-metadata',
  'sep-2322-client-request-state',
  'http-standard-headers',
  'http-invalid-tool-headers',
  'json-schema-ref-no-deref',
  'json-schema-2020-12-preservation',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
  'auth/iss-supported',
  'auth/iss-not-advertised',
  'auth/iss-supported-missing',
  'auth/iss-wrong-issuer',
  'auth/iss-unexpected',
  'auth/iss-normalized',
  'auth/metadata-issuer-mismatch',
] as const

/** Those that are played in every run; the others with `HOLDFAST_FULL=1`. */
const QUICK: ReadonlySet<string> = new Set([
  'initialize',
  'tools_call',
  'request-metadata',
  'sse-retry',
  'http-invalid-tool-headers',
  'json-schema-2020-12-preservation',
  'auth/metadata-var1',
  'auth/scope-step-up',
])

/** Those that ours does not keep, and why. Extensions of the protocol are not played at all. */
const NOT_KEPT = [
  ['http-custom-headers', 'one call has null where the schema of its tool wants yes or no: it is refused before'],
  ['auth/basic-cimd', 'a client that is known by an address needs one on the open network'],
  ['auth/pre-registration', 'the settings of a server have no place for an id and a secret given beforehand'],
  ['auth/authorization-server-migration', 'a registration is not made anew where a server changes who signs in'],
] as const

/** A busy machine takes its time to start the referee for each. */
const LIMIT_MS = 120_000

const isFull = process.env['HOLDFAST_FULL'] === '1'
const REFEREE = join(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
  '../dist/index.js',
)
const FORWARD = join(import.meta.dirname, 'support/conformance-forward.mjs')
const Forwarded = z.object({ url: z.string(), context: z.string() })

/** Our client, which waits here for what the referee starts instead: one program that has read its sources, not one for each scenario. */
const clients = createServer((request, response) => {
  void (async () => {
    try {
      response.end(await playClient(Forwarded.parse(await json(request))))
    } catch (error) {
      // Whatever ends the client is told as a program would tell it: by how it ends.
      response.writeHead(500).end(String(error))
    }
  })()
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => clients.listen(0, '127.0.0.1', resolve))
  const address = clients.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})

afterAll(() => {
  clients.close()
})

interface Verdict {
  readonly code: unknown
  readonly words: string
}

/** Lets the referee start its server and reach our client, and judge what passes between them. */
function play(scenario: string): Promise<Verdict> {
  const command = `${process.execPath} ${FORWARD} ${port}`
  const args = [REFEREE, 'client', '--command', command, '--scenario', scenario, '--timeout', String(LIMIT_MS)]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: LIMIT_MS + 20_000 }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, words: `${stdout}${stderr}` })
    })
  })
}

describe('the official conformance scenarios for clients', () => {
  it.concurrent.each(KEPT.filter((name) => isFull || QUICK.has(name)))(
    '[TOOL9] keeps %s',
    async (scenario) => {
      const { code, words } = await play(scenario)
      expect(words).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/)
      expect(code).toBe(0)
    },
    LIMIT_MS + 40_000,
  )

  it.concurrent.each(isFull ? NOT_KEPT : [])(
    '[TOOL9] does not keep %s: %s',
    async (scenario) => {
      expect((await play(scenario)).code).not.toBe(0)
    },
    LIMIT_MS + 40_000,
  )
})
