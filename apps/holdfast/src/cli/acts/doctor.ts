import { constants, existsSync } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemClock, systemIds } from '@holdfast/engine/system'
import type { ProviderRow, ReplicaRow } from '@holdfast/protocol'
import { HTTP_LIMITS } from '@holdfast/provider'
import { createDemoModel } from '@holdfast/provider/demo'
import { createBucket } from '@holdfast/store/bucket'
import { ruleWords } from '@holdfast/tool'
import { CliError } from '../../cli-error.ts'
import { type Config, readConfig } from '../../config.ts'
import { localServers } from '../../providers/detect-local.ts'
import { createModelRegistry } from '../../providers/model-registry.ts'
import { REDIS_UNUSED } from '../../replicas/replica-config.ts'
import { knownSecretKey } from '../../secret-key.ts'
import { sharedFindings } from '../../store/shared-database.ts'
import { VERSION } from '../../version.ts'
import { explained, untilInterrupt } from '../reach/explained.ts'
import { installedStore } from '../reach/installed-store.ts'
import { readServedFacts, type ServedFacts } from '../reach/served-facts.ts'
import { readStoredFacts, type StoredFacts } from '../reach/stored-facts.ts'
import { type Finding, fail, fine, warn } from '../terminal/finding.ts'
import { plainText } from '../terminal/plain-text.ts'
import { workOf, workspacesOf } from './doctor-places.ts'

/** What `holdfast doctor` was asked for. */
export interface DoctorOptions {
  readonly dataDir?: string
  readonly workspace?: string
  readonly detect: boolean
  readonly json: boolean
}

const LEAST_FREE_BYTES = 1_073_741_824
const MODELS_MS = 5_000
const REDIS_LIMIT_MS = 3_000
const MARKS = { ok: '✓', warning: '!', failed: '✕' } as const

/** Looks at everything that Holdfast stands on. Changes nothing. @returns the exit code: 1 when something fails. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const own = readConfig({ port: '0', host: '127.0.0.1', open: false, ...options })
  const served = await readServedFacts(own)
  const stored = await readStoredFacts(own)
  // Where a server runs its agents work in its folder, whatever the environment of this command says.
  const config = { ...own, workspace: options.workspace === undefined && served ? served.workspace : own.workspace }
  const findings = [
    runtime(),
    ...(await dataFolder(own)),
    await database(own),
    ...(await secretKeyOf(own)),
    ...(await bucket(own)),
    server(served),
    ...(await redis(own)),
    ...replicasOf(served?.replicas ?? []),
    ...(served ? providersOf(served.providers) : await askProviders(own, stored)),
    ...(await workspacesOf(config, served ?? stored)),
    ...(served ? workOf(served) : []),
    ...permissions(own),
    ...settings(stored),
  ]
  process.stdout.write(options.json ? `${JSON.stringify({ version: VERSION, findings })}\n` : inWords(findings))
  return findings.some(({ state }) => state === 'failed') ? 1 : 0
}

function inWords(findings: readonly Finding[]): string {
  const lines = findings.map(({ group, state, text, remedy }) => {
    const fix = remedy === null ? '' : `\n      ${remedy}`
    return `${MARKS[state]} ${group.padEnd(12)} ${plainText(text).replaceAll('\n', '\n               ')}${fix}`
  })
  return `${lines.join('\n')}\n`
}

function runtime(): Finding {
  return fine('runtime', `holdfast ${VERSION}, Node.js ${process.versions.node}, ${process.platform} ${process.arch}`)
}

async function dataFolder({ dataDir }: Config): Promise<readonly Finding[]> {
  const group = 'data folder'
  const found = await stat(dataDir).catch(() => null)
  if (!found) return [await notThere(dataDir)]
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) return [fail(group, `${dataDir} cannot be written`, 'Give its user the right, or use --data-dir.')]
  const { bavail, bsize } = await statfs(dataDir)
  const freeBytes = bavail * bsize
  const free = `${(freeBytes / 1_073_741_824).toFixed(1)} GiB free`
  const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0
  return [
    freeBytes < LEAST_FREE_BYTES
      ? warn(group, `${dataDir}, ${free}`, 'Free some space: what cannot be written is not acknowledged.')
      : fine(group, `${dataDir}, ${free}`),
    ...(isOpen ? [warn(group, 'Other users may look into it', `chmod 700 ${dataDir}`)] : []),
  ]
}

/** What is not there is made by the first start, if the folder above it can be written. [CLI52] */
async function notThere(dataDir: string): Promise<Finding> {
  const above = nearestThere(dirname(dataDir))
  const canBeMade = await access(above, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (canBeMade) return warn('data folder', `${dataDir} is not there yet`, 'The first start makes it.')
  const why = `${dataDir} is not there and cannot be made: ${above} cannot be written`
  return fail('data folder', why, 'Give its user the right, or use --data-dir.')
}

function nearestThere(path: string): string {
  return existsSync(path) ? path : nearestThere(dirname(path))
}

async function database(config: Config): Promise<Finding> {
  const group = 'database'
  try {
    const { conversationCount, entryCount, damages } = await explained(() =>
      installedStore(config).check(untilInterrupt()),
    )
    const read = `${entryCount} entries of ${conversationCount} conversations read`
    if (damages.length === 0) return fine(group, `${read}, nothing is damaged`)
    return fail(group, `${read}, ${damages.length} damages`, 'See them: holdfast db check. Restore a backup.')
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    if (error.code === 'E_STORE_MISSING') return warn(group, 'There is none yet', 'The first start makes it.')
    return fail(group, error.message, null)
  }
}

/** Whether a start with this environment would join the servers of the database. [SCALE35] */
async function secretKeyOf(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl: connectionString, dataDir, secretKey: given } = config
  if (connectionString === null) return []
  const secret = await knownSecretKey(dataDir, given)
  if (secret === null)
    return [warn('secret key', 'There is none yet', 'The first start makes it: give all servers HOLDFAST_SECRET_KEY.')]
  try {
    const { lookAtPostgresStore } = await import('@holdfast/store/postgres')
    const { isOtherKey, words } = await explained(() =>
      lookAtPostgresStore({ connectionString, clock: systemClock }, ({ records }) => sharedFindings(records, secret)),
    )
    return [isOtherKey ? fail('secret key', words, null) : fine('secret key', words)]
  } catch (error) {
    // What is wrong with the database is a finding of its own.
    if (error instanceof CliError) return []
    throw error
  }
}

/** Whether the bucket is there and may be read; what it holds was read with the database. [LOG36] */
async function bucket(config: Config): Promise<readonly Finding[]> {
  if (config.bucket === null) return []
  const opened = createBucket(config.bucket)
  try {
    await explained(() => opened.look())
    return [fine('bucket', `${opened.described} holds the content of new files`)]
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return [fail('bucket', error.message, 'Correct bucket in the file, or its keys in the environment.')]
  }
}

function server(served: ServedFacts | null): Finding {
  return fine('server', served ? `runs at ${served.url}` : 'does not run; holdfast start starts it')
}

/** Whether servers of one database could hear of each other at once. */
async function redis({ replica: { redisUrl }, databaseUrl }: Config): Promise<readonly Finding[]> {
  if (redisUrl === null) return []
  if (databaseUrl === null) return [warn('redis', REDIS_UNUSED, 'Unset it, or set HOLDFAST_DATABASE_URL.')]
  const { lookAtRedis } = await import('@holdfast/server/redis')
  const reason = await lookAtRedis(redisUrl, REDIS_LIMIT_MS)
  if (reason === null) return [fine('redis', 'answers')]
  return [
    fail('redis', `cannot be used: ${reason}`, 'Start it, or correct HOLDFAST_REDIS_URL. Servers go on without it.'),
  ]
}

/** The servers of one database. Of those that are gone only who left something behind is named. [SCALE7] */
function replicasOf(rows: readonly ReplicaRow[]): readonly Finding[] {
  const group = 'replicas'
  return rows.flatMap(({ host, pid, version, url, state, conversationCount }) => {
    const text = `${url ?? 'no address'}, process ${pid} of ${host}, ${version}: ${conversationCount} conversations`
    switch (state) {
      case 'alive':
        return [fine(group, text)]
      case 'draining':
        return [fine(group, `${text}; it ends`)]
      case 'gone':
        return conversationCount === 0
          ? []
          : [warn(group, `${text}; it is gone`, 'Another takes them over in a moment.')]
    }
  })
}

/** Asks the providers that a server with this configuration would have. */
async function askProviders(config: Config, { windows }: Pick<StoredFacts, 'windows'>): Promise<readonly Finding[]> {
  const registry = createModelRegistry({
    setups: config.providers,
    local: config.detect ? localServers(config.providers, { limits: HTTP_LIMITS, ollamaHost: config.ollamaHost }) : [],
    defaultModelId: config.defaultModelId,
    demo: createDemoModel({ clock: systemClock, ids: systemIds }),
    clock: systemClock,
    ports: { ids: systemIds },
    windows,
    warn: () => {},
  })
  try {
    await registry.ask(MODELS_MS)
    return providersOf(registry.answer().providers)
  } finally {
    registry.close()
  }
}

function providersOf(all: readonly ProviderRow[]): readonly Finding[] {
  const group = 'providers'
  const rows = all.filter(({ id }) => id !== 'demo')
  if (rows.length === 0)
    return [warn(group, 'There is the demo model only', 'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or HOLDFAST_CONFIG.')]
  return rows.map(({ name, state, problem, models }) => {
    if (state === 'failed') return fail(group, `${name}: ${problem ?? 'does not answer'}`, 'Check its key and address.')
    if (state === 'asking') return warn(group, `${name} has not answered within ${MODELS_MS} ms`, 'Check the network.')
    const learnt = models.filter(({ isWindowLearnt }) => isWindowLearnt)
    const told = learnt.map((model) => `${model.id} has ${model.contextWindowTokens} tokens, learnt from a refusal`)
    return fine(group, [`${name}: ${models.length} models`, ...told].join('; '))
  })
}

function permissions({ permissions: { rules, defaultPolicy } }: Config): readonly Finding[] {
  const wide = rules.filter(
    ({ effect, tool, pattern, annotations }) =>
      effect === 'allow' && tool === '*' && pattern === undefined && annotations?.destructive !== false,
  )
  const open = [
    ...wide.map((rule) => `rule ${rule.id} allows ${ruleWords(rule)}, what destroys too`),
    ...(defaultPolicy === 'allow' ? ['what no rule decides is allowed'] : []),
  ]
  if (open.length === 0) return [fine('permissions', `${rules.length} rules; what none decides: ${defaultPolicy}`)]
  return open.map((text) => warn('permissions', text, 'Name the tools that need no question in HOLDFAST_CONFIG.'))
}

function settings({ warnings }: Pick<StoredFacts, 'warnings'>): readonly Finding[] {
  return warnings.map((text) => warn('settings', text, 'See what holds: holdfast settings'))
}
