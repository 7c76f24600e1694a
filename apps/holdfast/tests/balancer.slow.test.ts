import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freePort } from './support/free-port.ts'
import { startPostgres } from './support/postgres.ts'
import { type Program, startProgram } from './support/program.ts'
import { shippedBalancer, startProxy } from './support/real-proxy.ts'

/** So long a server believes the count of servers, by which it divides requests. */
const COUNTED_MS = 5_000

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Two servers on one database behind the balancer of the repository, started as its compose file does. */
async function startAsShipped() {
  const postgres = await startPostgres()
  let isThere = true
  const end = async () => {
    if (isThere) await postgres.stop()
    isThere = false
  }
  closing.push(end)
  const variables = { HOLDFAST_DATABASE_URL: postgres.url, HOLDFAST_SECRET_KEY: randomBytes(32).toString('base64') }
  const port = await freePort()
  const url = `http://localhost:${port}`
  const flags = ['--auth', 'accounts', '--public-url', url, '--trust-proxy', '127.0.0.1']
  const start = async (): Promise<Program> => {
    const folder = await mkdtemp(join(tmpdir(), 'hf-shipped-'))
    closing.push(() => rm(folder, { recursive: true, force: true }))
    const program = await startProgram(folder, variables, flags)
    closing.push(() => program.kill())
    return program
  }
  const [first, second] = [await start(), await start()]
  const block = shippedBalancer({ proxy: port, first: first.url, second: second.url })
  const proxy = await startProxy('HAProxy', { block, port })
  closing.push(() => proxy.stop())
  return { url, first, second, endDatabase: end }
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

/** As many asks as go round all servers, each on a line of its own. */
async function statusesOf(url: string): Promise<readonly number[]> {
  const answers: number[] = []
  for (let ask = 0; ask < 6; ask += 1)
    answers.push((await fetch(`${url}/api/v1/auth/state`, { headers: { connection: 'close' } })).status)
  return answers
}

test('[PACK8, SCALE31] the balancer that is shipped finds both servers, sends nobody to one that ends, and both outlive the database', async () => {
  const { url, first, second, endDatabase } = await startAsShipped()
  await expect.poll(() => statusesOf(url), { timeout: 20_000 }).toEqual([200, 200, 200, 200, 200, 200])
  await first.stop()
  await expect.poll(() => statusesOf(url), { timeout: 20_000 }).toEqual([200, 200, 200, 200, 200, 200])
  await endDatabase()
  await expect.poll(() => statusOf(`${second.url}/api/v1/ready`), { timeout: 20_000 }).toBe(503)
  await expect.poll(() => statusOf(`${url}/api/v1/health`), { timeout: 20_000 }).toBe(503)
  const until = Date.now() + COUNTED_MS + 1_000
  do expect(await statusOf(`${second.url}/api/v1/health`)).toBe(200)
  while (Date.now() < until)
  const refused = await (await fetch(`${second.url}/api/v1/auth/state`)).text()
  expect(refused).toContain('store-read-failed')
  expect(refused).not.toMatch(/PostgreSQL|ECONN|hf-pg/)
}, 180_000)
