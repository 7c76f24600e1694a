import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createEngine, createInProcessBus, createMemories } from '@holdfast/engine'
import { systemClock as clock, systemIds as ids } from '@holdfast/engine/system'
import { createServer, createStartUpToken } from '@holdfast/server'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { chosenModel } from './model.ts'
import { createTools } from './tools.ts'

const dataDir = resolve(process.env.DATA_DIR ?? 'data')
const port = Number(process.env.PORT ?? 4750)

const model = chosenModel(process.env) ?? explain('Set MODEL to the name of a model that OPENAI_BASE_URL has.')
const { store, records, close } = await createSqliteStore({ dataDir, clock, onDamage: console.error })
const bus = createInProcessBus()
const engine = createEngine({
  store,
  records,
  bus,
  model,
  tools: createTools(),
  onFault: ({ error }) => console.error(error),
})
// A process that was killed left its last answer open: it is closed as far as it was read.
await engine.recover()

const token = await keptToken(join(dataDir, 'token'))
const server = await createServer({
  engine,
  bus,
  store,
  records,
  ids,
  clock,
  memories: createMemories({ records, clock, ids, isShared: false }),
  log: { info: () => {}, warn: console.warn, error: console.error },
  models: () => ({
    defaultModelId: model.modelId,
    permissionMode: 'ask',
    silence: { firstEventMs: 120_000, betweenEventsMs: 300_000 },
    providers: [],
  }),
  version: '0.0.1',
  serverId: ids.next('run'),
  startupToken: createStartUpToken({ token, clock }),
  webRoot: resolve(import.meta.dirname, 'dist'),
})
const { url } = await server.listen({ host: '127.0.0.1', port }).catch(async (error: unknown) => {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
  await end()
  return explain(`Port ${port} is in use by another program. Choose another: PORT=${port + 1} npm start`)
})
console.log(`${model.modelId} answers. Open ${url}/?token=${token}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())

/** The token of the page stays the same, so that a page that is open goes on after a restart. Delete the file for a new one. */
async function keptToken(path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const made = randomBytes(24).toString('base64url')
  await writeFile(path, made, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  return (await readFile(path, 'utf8')).trim()
}

function explain(words: string): never {
  console.error(words)
  process.exit(1)
}

async function end(): Promise<void> {
  server.stopAccepting()
  await server.close()
  await engine.close()
  await close()
}
