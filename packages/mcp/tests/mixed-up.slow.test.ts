import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSignIn } from '../src/sign-in.ts'
import { listenOn } from './support/listen-on.ts'
import { openServer, programReach, textOf, untilConnected } from './support/open-server.ts'

const programs = createRequire(import.meta.url)
const EVERYTHING = join(programs.resolve('@modelcontextprotocol/server-everything/package.json'), '../dist/index.js')

/** Calls of each user at once; `HOLDFAST_FULL=1` makes them as many as the promise names. */
const CALLS = process.env['HOLDFAST_FULL'] === '1' ? 100 : 5

describe('what belongs to one does not reach another', () => {
  it(`[SEC4, TOOL9] 100 users with ${CALLS} calls at a time each get the answers to their own`, async () => {
    const open = openServer(programReach(EVERYTHING, ['stdio']), {
      settings: { timeoutMs: 120_000, silenceMs: 120_000 },
    })
    await untilConnected(open)
    const users = Array.from({ length: 100 }, (_, user) => user)
    const crossed = await Promise.all(
      users.flatMap((user) =>
        Array.from({ length: CALLS }, async (_, call) => {
          const message = `user ${user}, call ${call}`
          return textOf(await open.call('echo', { message }, { place: `conversation_${user}` })) !== `Echo: ${message}`
        }),
      ),
    )
    expect(crossed).toHaveLength(100 * CALLS)
    expect(crossed.filter(Boolean)).toEqual([])
  }, 120_000)

  it('[SEC4] a header for one server goes to no other, also where the server sends us there', async () => {
    const seen: (string | undefined)[] = []
    const other = await listenOn(
      createServer((request, response) => {
        seen.push(request.headers.authorization)
        response.writeHead(404).end()
      }),
    )
    const port = await listenOn(
      createServer((_, response) => {
        response.writeHead(307, { location: `http://127.0.0.1:${other}/mcp` }).end()
      }),
    )
    const open = openServer({
      type: 'http',
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { authorization: 'Bearer canary-of-the-server' },
    })
    await expect.poll(() => open.server.status().failures, { timeout: 20_000 }).toBeGreaterThan(0)
    expect(seen.filter((header) => header !== undefined)).toEqual([])
    expect(JSON.stringify([open.server.status(), open.server.logs()])).not.toContain('canary')
  })

  it.each([
    ['http://evil.example/authorize', false],
    ['javascript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['https://login.example/authorize', true],
    ['http://127.0.0.1:7/authorize', true],
  ])('[SEC5] a sign-in at %s is put before a person: %s', async (address, isShown) => {
    const signIn = createSignIn({
      server: 'probe',
      store: { read: async () => null, write: async () => {} },
      redirectUrl: () => 'http://127.0.0.1:9/',
    })
    const redirect = async () => signIn.provider.redirectToAuthorization(new URL(address))
    if (isShown) await redirect()
    else await expect(redirect()).rejects.toThrow('no https page')
    expect(signIn.url()).toBe(isShown ? address : null)
  })
})
