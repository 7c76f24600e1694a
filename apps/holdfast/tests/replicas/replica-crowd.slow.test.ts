import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { beginLong, logAt, type RunningReplica, type Several, startSeveral } from './several.ts'

/** So many follow at the replica that is lost. */
const CROWD = process.env['HOLDFAST_FULL'] === '1' ? 2_000 : 200

/** What one process has at most where nothing is set: ten for its work, and one each for beats and the doorbell. */
const MOST_CONNECTIONS = 12

let several: (Several & { readonly first: RunningReplica }) | null = null

afterEach(async () => {
  await several?.stop()
  several = null
}, 60_000)

/** One who follows by an event stream, and the last entry that came. */
async function followAt({ program }: RunningReplica, id: string, after: number) {
  const url = `${program.url}/api/v1/conversations/${id}/entries?after=${after}&live=sse`
  const asked = get(url, { agent: false, headers: { authorization: `Bearer ${program.token}` } })
  const [answer]: IncomingMessage[] = await once(asked, 'response')
  if (answer?.statusCode !== 200) throw new Error(`The answer is ${answer?.statusCode}`)
  answer.setEncoding('utf8')
  let last = after
  let rest = ''
  answer.on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const seq = /^id: (\d+)$/.exec(line)?.[1]
      if (seq !== undefined) last = Number(seq)
    }
  })
  const ended = new Promise<void>((resolve) => answer.once('close', resolve))
  return { last: () => last, ended, close: () => asked.destroy() }
}

test(`[SCALE27] all who follow at a replica that is killed come to another at once: everybody has every entry, within its connections`, async () => {
  // They are one user here.
  const variables = { NODE_OPTIONS: `--import ${join(import.meta.dirname, 'many-lines.mjs')}` }
  several = await startSeveral(variables)
  const { first, audit, start } = several
  const second = await start(variables)
  const { id } = await beginLong(first)
  const crowd = await Promise.all(Array.from({ length: CROWD }, () => followAt(first, id, 0)))
  await expect.poll(() => Math.min(...crowd.map(({ last }) => last())), { timeout: 60_000 }).toBeGreaterThan(2)
  await first.program.kill()
  await Promise.all(crowd.map(({ ended }) => ended))
  const begun = performance.now()
  const back = await Promise.all(crowd.map(({ last }) => followAt(second, id, last())))
  const ends = async () => (await logAt(second, id)).filter(({ type }) => type === 'run-finished').length
  await expect.poll(ends, { timeout: 30_000 }).toBe(1)
  const head = (await logAt(second, id)).at(-1)?.seq ?? 0
  await expect.poll(() => back.filter(({ last }) => last() < head).length, { timeout: 60_000 }).toBe(0)
  process.stdout.write(`${CROWD} are back and have everything after ${(performance.now() - begun).toFixed(0)} ms\n`)
  const [used] = await audit.sql('SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = $1', [
    second.role,
  ])
  expect(Number(used?.['count'])).toBeLessThanOrEqual(MOST_CONNECTIONS)
  for (const { close } of back) close()
}, 240_000)
