import { systemClock } from '@holdfast/engine/system'
import { routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import { readConfig } from '../../config.ts'
import type { Api } from '../reach/api.ts'
import { runningApi } from '../reach/reach-server.ts'
import type { CompletedKind } from './completions-of.ts'

/** A person waits at the Tab key: after so long there is nothing to complete. In milliseconds. */
const ANSWER_MS = 1_500

/** So many conversations are offered, the newest first. */
const MOST = 200

/**
 * The ids that may stand in the place of the last word, as the running server has them; none where no server runs or it
 * does not answer at once, and none is started for it. [CLI10]
 */
export async function completedIds(kind: CompletedKind, words: readonly string[]): Promise<readonly string[]> {
  const last = words.at(-1) ?? ''
  const limit = Promise.withResolvers<readonly string[]>()
  const cancel = systemClock.after(ANSWER_MS, () => limit.resolve([]))
  try {
    const ids = await Promise.race([idsAt(kind, dataDirIn(words)), limit.promise])
    return ids.filter((id) => id.startsWith(last))
  } catch (error) {
    // What is wrong is said by the command itself, and not beside a line that is being written.
    if (error instanceof CliError) return []
    throw error
  } finally {
    cancel()
  }
}

async function idsAt(kind: CompletedKind, dataDir: string | null): Promise<readonly string[]> {
  const asked = { port: '0', host: '127.0.0.1', open: false, json: false, detect: false }
  const api = await runningApi(readConfig({ ...asked, ...(dataDir === null ? {} : { dataDir }) }))
  if (!api) return []
  switch (kind) {
    case 'conversation':
      return conversationIds(api)
    case 'model':
      return modelIds(api)
    case 'workspace':
      return workspaceIds(api)
    case 'external':
      return externalIds(api)
  }
}

async function externalIds(api: Api): Promise<readonly string[]> {
  const { agents } = await api.call(routes.listExternalAgents, {})
  return agents.map(({ id }) => id)
}

async function conversationIds(api: Api): Promise<readonly string[]> {
  const { conversations } = await api.call(routes.listConversations, { query: { limit: String(MOST) } })
  return conversations.length === 0 ? [] : ['last', ...conversations.map(({ id }) => id)]
}

async function modelIds(api: Api): Promise<readonly string[]> {
  const { providers } = await api.call(routes.listModels, {})
  return providers.flatMap(({ models }) => models.map(({ id }) => id))
}

async function workspaceIds(api: Api): Promise<readonly string[]> {
  const { workspaces } = await api.call(routes.listWorkspaces, {})
  return workspaces.map(({ id }) => id)
}

/** The folder that the line names. */
function dataDirIn(words: readonly string[]): string | null {
  const joined = words.findLast((word) => word.startsWith('--data-dir='))
  if (joined !== undefined) return joined.slice('--data-dir='.length)
  const at = words.lastIndexOf('--data-dir')
  return at < 0 ? null : (words[at + 1] ?? null)
}
