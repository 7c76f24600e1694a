import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntryStore, Records, SnapshotStore } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { systemClock } from '@holdfast/engine/system'
import {
  createStoredPreviews,
  openPreviews as openRoom,
  PictureError,
  type PlaceWish,
  type Preview,
  PreviewError,
  type PreviewPlace,
  type Previews,
  type PreviewsDeps,
} from '@holdfast/preview'
import { readPreviewScript } from '@holdfast/preview-script'
import { type PreviewRow, START_WORKSPACE } from '@holdfast/protocol'
import {
  type Diagnostics,
  type PreviewDirectory,
  RefusedError,
  type StartUpToken,
  type WorkspaceDirectory,
} from '@holdfast/server'
import { findProgram, type Machine } from '@holdfast/toolbox'
import type { Places } from '@holdfast/workbench'
import type { Config } from '../config.ts'
import { machineOf } from '../machine-of.ts'

/** What previews are opened with. */
export interface PreviewPorts {
  readonly records: Records
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
  readonly places: Places
  readonly rootOf: WorkspaceDirectory['rootOf']
  readonly machine: () => Machine | null
  readonly secret: Uint8Array
  /** Where people open Holdfast, and where it listens; empty until it does. */
  readonly url: () => string
  readonly startupToken: Pick<StartUpToken, 'opens'>
  readonly log: Pick<Diagnostics, 'error' | 'warn'>
}

/** The previews, as the server and the tools of agents see them. */
export interface OpenedPreviews {
  readonly directory: PreviewDirectory
  readonly previews: Previews
}

/** Reads which previews there are, and listens for all of them. [PREV1] */
export async function openPreviews(config: Config, ports: PreviewPorts): Promise<OpenedPreviews> {
  const { records, store, places, rootOf, log } = ports
  let judge: (visitor: string) => string | null = () => null
  let port = 0
  let script: string | null = null

  async function placeOf({ userId, workspaceId, conversationId }: PlaceWish): Promise<PreviewPlace | null> {
    const settings =
      conversationId === undefined
        ? workspaceId === undefined
          ? {}
          : { workspaceId }
        : (await readOverview(store, conversationId)).state.settings
    const folder = places.folderOf({ ownerId: userId, settings })
    if (folder === null) return null
    const isOwn = conversationId !== undefined && (settings.worktreeId ?? settings.workspace) !== undefined
    return {
      workspace: places.workspaceAt(folder),
      workspaceId: settings.workspaceId ?? START_WORKSPACE,
      conversationId: isOwn ? conversationId : null,
    }
  }

  const previews = await openRoom({
    stored: createStoredPreviews({ records, clock: systemClock, machine: machineOf(config) }),
    clock: systemClock,
    machine: ports.machine,
    placeOf,
    mayUse({ ownerId, root, workspaceId, conversationId }, userId) {
      if (root === null || conversationId !== null) return ownerId === userId
      return rootOf({ workspaceId: workspaceId ?? undefined, userId }) !== null
    },
    visitorOf: (visitor) => judge(visitor),
    ownPorts: () => [port, Number(URL.parse(ports.url())?.port ?? 0), config.port],
    parentOrigins: () => parentsOf(ports.url(), config),
    isCredential: (sent) => isOwnCredential(sent, ports.startupToken),
    script: async () => (script ??= await readPreviewScript()),
    secret: ports.secret,
    pattern: config.previews.url,
    chromium: await findBrowser(config),
    onFault: (error) => log.error('a preview has a fault', { error }),
  })
  port = await listen(previews, config, log)
  return { previews, directory: directoryOf(previews, { placeOf, rootOf, letIn: (next) => (judge = next) }) }
}

/** A Chromium of this machine; null for none. */
async function findBrowser({ environment }: Config): Promise<string | null> {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    const found = await findProgram(name, environment['PATH'] ?? '')
    if (found !== null) return found
  }
  return null
}

/** The port of the last time, so that what browsers keep for an origin is found again. */
async function listen(previews: Previews, config: Config, log: PreviewPorts['log']): Promise<number> {
  const { host, port: named } = config.previews
  const file = join(config.dataDir, 'preview-port')
  const wanted = named ?? (await keptPort(file)) ?? (config.port === 0 ? 0 : config.port + 1)
  let port: number
  try {
    port = await previews.listen({ host, port: wanted })
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken || named !== null) throw error
    port = await previews.listen({ host, port: 0 })
    log.warn('the port of the previews is taken; what pages kept there is not found for now', { wanted, port })
    return port
  }
  if (named === null) await writeFile(file, String(port), { mode: 0o600 })
  return port
}

async function keptPort(file: string): Promise<number | null> {
  try {
    const port = Number(await readFile(file, 'utf8'))
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Under each name by which this computer is reached the page is another origin. */
function parentsOf(reachedAt: string, { network, host }: Config): readonly string[] {
  const url = URL.parse(reachedAt)
  if (url === null) return []
  if (network.publicUrl) return [network.publicUrl.origin]
  const port = url.port === '' ? '' : `:${url.port}`
  const names = ['127.0.0.1', 'localhost', ...(host.includes(':') ? [] : [host]), ...network.allowedHosts]
  return [...new Set(names.map((name) => `${url.protocol}//${name.replace(/:\d+$/, '')}${port}`))]
}

function directoryOf(
  previews: Previews,
  {
    placeOf,
    letIn,
    rootOf,
  }: Pick<PreviewDirectory, 'letIn'> & Pick<PreviewsDeps, 'placeOf'> & Pick<PreviewPorts, 'rootOf'>,
): PreviewDirectory {
  return {
    source: previews.addresses().source,
    async list(userId, conversationId) {
      const all = previews.list(userId)
      if (conversationId === undefined) return all.map(rowOf)
      const place = await placeOf({ userId, workspaceId: undefined, conversationId })
      const root = place?.workspace.rootPath
      return all.filter((one) => one.root === null || one.root === root).map(rowOf)
    },
    find(userId, previewId) {
      const found = previews.find(userId, previewId)
      return found === null ? null : rowOf(found)
    },
    make: (userId, wish) =>
      refusing(async () => {
        const { workspaceId } = wish
        if (workspaceId !== undefined && rootOf({ workspaceId, userId }) === null)
          throw new RefusedError(
            404,
            'unknown-workspace',
            `There is no workspace ${workspaceId}, or it is not open to you`,
          )
        const { preview, isNew } = await previews.make({ userId, ...wish })
        return { row: rowOf(preview), isNew }
      }),
    start: (previewId) => refusing(async () => rowOf(await previews.start(previewId))),
    stop: (previewId) => refusing(async () => rowOf(await previews.stop(previewId))),
    restart: (previewId) =>
      refusing(async () => {
        await previews.stop(previewId)
        return rowOf(await previews.start(previewId))
      }),
    remove: (previewId) => refusing(() => previews.remove(previewId)),
    ticket: (asked) => previews.ticket(asked),
    claim: (previewId, secret) => previews.claim(previewId, secret),
    photograph: (asked, signal) =>
      refusing(async () => {
        const { bytes, mediaType, width, height, failedCount } = await previews.photograph(
          { ...asked, isWhole: false },
          signal,
        )
        return { bytes, mediaType, width, height, failedCount }
      }),
    sourcesOf: (previewId) => previews.sourcesOf(previewId),
    letIn,
  }
}

async function refusing<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PictureError) throw new RefusedError(422, 'preview-refused', error.message)
    if (!(error instanceof PreviewError)) throw error
    if (error.code === 'unknown') throw new RefusedError(404, 'unknown-preview', error.message)
    throw new RefusedError(422, 'preview-refused', error.message)
  }
}

function rowOf({ ports, root: _root, ...preview }: Preview): PreviewRow {
  return { ...preview, ports: [...ports] }
}

/** Whether an `Authorization` header opens Holdfast: an API key, or the start-up token or its pass. [PREV1] */
function isOwnCredential(sent: string, startupToken: Pick<StartUpToken, 'opens'>): boolean {
  const bearer = sent.replace(/^Bearer\s+/i, '').trim()
  return bearer.startsWith('hf_') || startupToken.opens(bearer)
}
