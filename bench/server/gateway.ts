import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createEngineOn, createInProcessBus } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { begins, createScriptedModel } from '@holdfast/engine/testing'
import { createGateway } from '@holdfast/interop'
import { UNKNOWN_MODEL } from '@holdfast/provider'
import { LOCAL_USER_ID } from '@holdfast/server'
import { createTestServer } from '@holdfast/server/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
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
    const served = await serve(dataDir, providerUrl)
    const agent = new Agent({ keepAlive: true })
    try {
      const { key, origin, revoke } = served
      const direct = { url: `${providerUrl}/messages`, key: 'a-key', agent }
      const through = { url: `${origin}/anthropic/v1/messages`, key, agent }
      const times = { direct: [] as number[], through: [] as number[] }
      for (let count = 0; count < REQUESTS + UNCOUNTED; count++) {
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
      await served.close()
      await provider.terminate()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

/** The real server and engine on the embedded store, with a run that lasts. */
async function serve(dataDir: string, providerUrl: string) {
  const { store, records, close } = await createSqliteStore({ dataDir, clock: systemClock })
  const bus = createInProcessBus()
  const model = createScriptedModel([[...begins('At work.'), { type: 'wait' }]])
  const onFault = (): void => {}
  const engine = createEngineOn(
    {
      store,
      records,
      bus,
      clock: systemClock,
      ids: systemIds,
      random: systemRandom,
      sha256,
      sha256Both,
      models: () => [{ modelId: 'm', providerModelId: 'm', name: 'M', facts: UNKNOWN_MODEL, port: model }],
      toolsOf: () => [],
      permissions: { defaultPolicy: 'ask', rules: [], hardDenials: [], workspaceRoot: null, mode: 'ask' },
      holder: systemIds.next('run'),
      isAlone: true,
    },
    { onFault },
  )
  const address = Promise.withResolvers<string>()
  const passed = {
    providerId: 'strict',
    name: 'Strict',
    forms: ['anthropic'] as const,
    baseUrl: providerUrl,
    headers: { 'x-api-key': 'a-key' },
    lists: () => true,
    modelOf: (name: string) => ({ modelId: `strict/${name}`, price: null, maxOutputTokens: null }),
  }
  const gatewayOf = createGateway({
    engine,
    providers: () => [passed],
    url: () => address.promise,
    log: { error: onFault },
  })
  const server = await createTestServer({ engine, bus, store, records, token: 'bench', mounts: [gatewayOf.bind] })
  address.resolve((await server.listen({ host: '127.0.0.1', port: 0 })).url)
  const actor = { type: 'person', userId: LOCAL_USER_ID } as const
  const owned = { ownerId: LOCAL_USER_ID, title: 'Bench', modelId: null }
  const { conversationId } = await engine.createConversation({ commandId: 'create', actor, ...owned })
  const begun = Promise.withResolvers<void>()
  bus.subscribe(conversationId, (message) => {
    if (message.type === 'entries' && message.entries.some(({ type }) => type === 'step-started')) begun.resolve()
  })
  const content = [{ type: 'text' as const, text: 'Go.' }]
  await engine.sendMessage({ commandId: 'send', actor, conversationId, content, lane: 'turn' })
  await begun.promise
  const opened = await gatewayOf.open({ conversationId, userId: LOCAL_USER_ID, providerId: null })
  return {
    ...opened,
    async close() {
      const closing = engine.close()
      model.proceed()
      await closing
      await server.close()
      await close()
    },
  }
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
