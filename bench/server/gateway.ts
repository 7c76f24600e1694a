import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createRouteApi } from '@holdfast/client'
import { routes } from '@holdfast/protocol'
import { startHoldfast } from '../../apps/holdfast/src/compose.ts'
import { readConfig } from '../../apps/holdfast/src/config.ts'
import type { Benchmark } from '../lib/measure.ts'
import { quantile } from '../lib/measure.ts'

const REQUESTS = 300
const UNCOUNTED = 30

/** So many characters of history go along, as an agent sends them after some steps. */
const HISTORY_CHARS = 60_000

/** What the gateway adds to the first byte of an answer. */
export const gateway: Benchmark = {
  name: 'gateway',
  about:
    'what the gateway of external agents adds to the first byte of an answer beside the provider asked directly: with a record that is durable before, on the embedded store',
  async run(report) {
    const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-gateway-'))
    const provider = new Worker(new URL('./plain-provider.ts', import.meta.url))
    const [address] = await once(provider, 'message')
    const providerUrl = String(address)
    process.env['ANTHROPIC_BASE_URL'] = providerUrl
    process.env['ANTHROPIC_API_KEY'] = 'a-key'
    const config = readConfig({ port: '0', host: '127.0.0.1', open: false, json: false, detect: false, dataDir })
    const running = await startHoldfast(config, { quiet: true, behind: null })
    const agent = new Agent({ keepAlive: true })
    try {
      const api = createRouteApi({ url: running.url, token: running.token })
      const { id } = await api.call(routes.createConversation, { body: { commandId: 'begin', modelId: 'demo' } })
      const content = [{ type: 'text' as const, text: '/demo stream-long' }]
      const { key, origin, revoke } = await running.openGateway({ conversationId: id, userId: 'local' })
      const direct = { url: `${providerUrl}/messages`, key: 'a-key', agent }
      const through = { url: `${origin}/anthropic/v1/messages`, key, agent }
      const times = { direct: [] as number[], through: [] as number[] }
      for (let count = 0; count < REQUESTS + UNCOUNTED; count++) {
        // A reply has to run: the next begins before the one before it has ended.
        if (count % 20 === 0)
          await api.call(routes.sendInput, {
            params: { id },
            body: { commandId: `turn-${count}`, content, lane: 'turn' },
          })
        for (const [name, way] of [['direct', direct] as const, ['through', through] as const]) {
          const took = await firstByteMs(way, count)
          if (count >= UNCOUNTED) times[name].push(took)
        }
      }
      revoke()
      report(`${REQUESTS} requests of ${HISTORY_CHARS} characters in turn by each way`)
      return ([0.5, 0.99] as const).map((share) => {
        const [baseline, value] = [quantile(times.direct, share), quantile(times.through, share)]
        return {
          name: `gateway: first byte, p${share * 100}`,
          value: value - baseline,
          unit: 'ms',
          baseline,
          ratio: value / baseline,
          goal: share === 0.5 ? 'at most 2 ms more' : 'at most 20 ms more',
          met: value - baseline <= (share === 0.5 ? 2 : 20),
        }
      })
    } finally {
      agent.destroy()
      await running.close()
      await provider.terminate()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

/** From the request to the first byte of the answer's body; the rest is read before the next. */
function firstByteMs(
  { url, key, agent }: { readonly url: string; readonly key: string; readonly agent: Agent },
  count: number,
): Promise<number> {
  const messages = [{ role: 'user', content: `${'The history of an agent. '.repeat(HISTORY_CHARS / 25)}${count}` }]
  const body = JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 100, stream: true, messages })
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    let first: number | null = null
    const asked = request(url, {
      method: 'POST',
      agent,
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    })
    asked.once('response', (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`It was answered with ${answer.statusCode}`))
      answer.on('data', () => {
        first ??= performance.now() - begun
      })
      answer.once('end', () => resolve(first ?? Number.NaN))
      answer.once('error', reject)
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
