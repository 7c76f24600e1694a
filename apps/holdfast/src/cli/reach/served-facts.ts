import { type Settings, SomeSettings } from '@holdfast/conversation'
import {
  type PreviewRow,
  type ProviderRow,
  type ReplicaRow,
  routes,
  type ScheduleRow,
  type WorkspaceRow,
  type WorktreeRow,
} from '@holdfast/protocol'
import type { Config } from '../../config.ts'
import { runningApi } from './reach-server.ts'

/** What holds for the server that runs, whatever the environment of this command says. */
export interface ServedFacts {
  readonly url: string
  readonly settings: Pick<Settings, 'commandNetwork'>
  readonly providers: readonly ProviderRow[]
  /** The servers of its database; none where it has its store alone. */
  readonly replicas: readonly ReplicaRow[]
  /** The folder that its agents work in; null for none. */
  readonly workspace: string | null
  /** All that its people work in and with, as far as whoever asks may see it. */
  readonly workspaces: readonly WorkspaceRow[]
  readonly previews: readonly PreviewRow[]
  readonly schedules: readonly ScheduleRow[]
  readonly worktrees: readonly WorktreeRow[]
}

/** Asks the running server of a data folder; null where none runs. [CLI7] */
export async function readServedFacts(config: Pick<Config, 'dataDir'>): Promise<ServedFacts | null> {
  const api = await runningApi(config)
  if (!api) return null
  const [{ settings }, { providers }, { folder }, { replicas }, ...worked] = await Promise.all([
    api.call(routes.listSettings, {}),
    api.call(routes.listModels, {}),
    api.call(routes.findFiles, {}),
    api.call(routes.listReplicas, {}),
    api.call(routes.listWorkspaces, {}),
    api.call(routes.listPreviews, { query: {} }),
    api.call(routes.listSchedules, {}),
    api.call(routes.listWorktrees, {}),
  ])
  const [{ workspaces }, { previews }, { schedules }, { worktrees }] = worked
  // Where something is not set its value is null.
  const set = settings.filter(({ value }) => value !== null).map(({ key, value }) => [key, value])
  const { commandNetwork } = SomeSettings.required({ commandNetwork: true }).parse(Object.fromEntries(set))
  const work = { workspace: folder, workspaces, previews, schedules, worktrees }
  return { url: api.url, settings: { commandNetwork }, providers, replicas, ...work }
}
