import { createHash, randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Workspace } from '@holdfast/toolbox'
import { createGivenDocuments } from './documents/given-documents.ts'
import { PreviewError } from './preview-error.ts'
import type { PlaceWish, PreviewsDeps } from './previews-deps.ts'
import { createPasses } from './proxy/passes.ts'
import { type PreviewAddresses, previewAddresses } from './proxy/preview-addresses.ts'
import { createPreviewListener } from './proxy/preview-listener.ts'
import { createRunning } from './running/create-running.ts'
import type { KeptPreview, SiteAndRunning } from './running/running.ts'
import { settleSource } from './running/settle-source.ts'
import {
  createPhotographer,
  type Photographer,
  type Picture,
  PictureError,
  type Shot,
} from './screenshot/photographer.ts'
import type { DevServerState } from './servers/dev-server-state.ts'
import type { PreviewSource, StoredPreview } from './stored-previews.ts'

/** A preview as it stands. */
export interface Preview extends DevServerState {
  readonly id: string
  readonly workspaceId: string | null
  readonly conversationId: string | null
  readonly source: PreviewSource
  readonly origin: string
  /** The real path of its place; null for a port. */
  readonly root: string | null
  /** The end of what it printed. */
  readonly log: string
}

/** Where what a preview shows comes from. */
export interface PreviewSources {
  /** The real path of its place. */
  readonly root: string
  /** The folder in it that addresses of its pages mean. */
  readonly folder: string
  /** Reads the text of a path as its pages get it, null where there is none; null itself where that is the file as it is. */
  readonly read: ((path: string, signal: AbortSignal) => Promise<string | null>) | null
}

/** The previews of this machine. */
export interface Previews {
  readonly addresses: () => PreviewAddresses
  /** Listens. @returns the port. */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>
  list(userId: string): readonly Preview[]
  /** Null for what is not there, or not theirs. */
  find(userId: string, previewId: string): Preview | null
  /** Makes one and starts it; the one that is there already for the same of the same place. @throws {PreviewError} */
  make(
    wish: PlaceWish & { readonly source: PreviewSource },
  ): Promise<{ readonly preview: Preview; readonly isNew: boolean }>
  start(previewId: string): Promise<Preview>
  stop(previewId: string): Promise<Preview>
  remove(previewId: string): Promise<void>
  /** Where what it shows comes from; null where it has no place. */
  sourcesOf(previewId: string): PreviewSources | null
  /** All that is kept of what its command printed. */
  log(previewId: string): string
  ticket(asked: { readonly previewId: string; readonly visitor: string; readonly path: string }): string
  claim(previewId: string, secret: string): { readonly path: string } | null
  /** Settles when the state of a preview is one of these, or the signal fires. */
  until(previewId: string, signal: AbortSignal): Promise<Preview>
  /** A picture of a preview as somebody would see it. [PREV10] @throws {PictureError} */
  photograph(
    asked: Omit<Shot, 'url'> & { readonly previewId: string; readonly userId: string; readonly path: string },
    signal: AbortSignal,
  ): Promise<Picture>
  /** Ends all. [RUN14] */
  close(): Promise<void>
}

/** How many there are at most. */
const MOST = 200
/** What is told of a log, in characters. */
const LOG_CHARS = 8_000

type Kept = KeptPreview & SiteAndRunning

/** Opens the previews of a machine; those that were made before are stopped. */
export async function openPreviews(deps: PreviewsDeps): Promise<Previews> {
  const { stored, clock, machine } = deps
  const kept = new Map<string, Kept>()
  const closing = new AbortController()
  /** What only this process says before the name of somebody for whom it looks at a page itself. */
  const inside = `${randomUUID()} `
  let photographer: Photographer | null = null
  let bound = { host: '127.0.0.1', port: 0 }
  const passes = createPasses({ secret: deps.secret, clock })
  let addresses = previewAddresses(deps.pattern, 0)
  const listener = createPreviewListener({
    addresses: () => addresses,
    siteOf: (name) => kept.get(name)?.site ?? null,
    passes,
    isStillWelcome({ previewId, visitor }) {
      const userId = visitor.startsWith(inside) ? visitor.slice(inside.length) : deps.visitorOf(visitor)
      const found = kept.get(previewId)
      return userId !== null && found !== undefined && deps.mayUse(found.value, userId)
    },
    parentOrigins: deps.parentOrigins,
    script: deps.script,
    onFault: deps.onFault,
  })

  function keep(id: string, value: StoredPreview, workspace: Workspace | null): Kept {
    const origin = (): string => addresses.originOf(id)
    const one = { id, value, workspace, origin, documents: createGivenDocuments(clock) }
    const made = { ...one, ...createRunning(one, deps) }
    kept.set(id, made)
    return made
  }

  function ticketUrl({ previewId, visitor, path }: Parameters<Previews['ticket']>[0]): string {
    const ticket = passes.ticketFor({ previewId: find(previewId).id, visitor, path })
    return `${addresses.originOf(previewId)}/.holdfast/enter?ticket=${ticket}`
  }

  const find = (previewId: string): Kept => known(kept.get(previewId), previewId)

  for (const [id, value] of await stored.all()) keep(id, value, null)

  return {
    addresses: () => addresses,
    async listen(address) {
      const port = await listener.listen(address)
      addresses = previewAddresses(deps.pattern, port)
      bound = { host: address.host === '0.0.0.0' ? '127.0.0.1' : address.host, port }
      return port
    },
    list: (userId) => [...kept.values()].filter(({ value }) => deps.mayUse(value, userId)).map(shown),
    find(userId, previewId) {
      const found = kept.get(previewId)
      return found && deps.mayUse(found.value, userId) ? shown(found) : null
    },
    async make({ source: wanted, ...wish }) {
      const { source, place } = await settleSource(wanted, wish, deps)
      const id = nameOf(source, { root: place?.workspace.rootPath ?? null, userId: wish.userId })
      const before = kept.get(id)
      if (before === undefined && kept.size >= MOST)
        throw new PreviewError('too-many', `There are ${kept.size} previews; remove one that is not used first`)
      const value: StoredPreview = {
        ownerId: wish.userId,
        workspaceId: place?.workspaceId ?? null,
        conversationId: place?.conversationId ?? null,
        root: place?.workspace.rootPath ?? null,
        source,
      }
      if (before === undefined) await stored.put(id, value)
      const one = before ?? keep(id, value, place?.workspace ?? null)
      await one.running.start()
      return { preview: shown(one), isNew: before === undefined }
    },
    async start(previewId) {
      const one = find(previewId)
      await one.running.start()
      return shown(one)
    },
    async stop(previewId) {
      const one = find(previewId)
      await one.running.stop()
      return shown(one)
    },
    async remove(previewId) {
      const one = find(previewId)
      await one.running.stop()
      await stored.remove(previewId)
      kept.delete(previewId)
    },
    sourcesOf: (previewId) => sourcesOf(find(previewId)),
    log: (previewId) => find(previewId).running.log(),
    ticket: ticketUrl,
    claim: (previewId, secret) => find(previewId).documents.claim(secret),
    async until(previewId, signal) {
      const one = find(previewId)
      while (!signal.aborted && one.running.now().state === 'starting')
        await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve))
      return shown(one)
    },
    async photograph({ previewId, userId, path, ...shot }, signal) {
      const program = programFor(deps)
      photographer ??= createPhotographer({
        program,
        reaches: () => bound,
        register: machine()?.register ?? null,
        clock,
      })
      const url = ticketUrl({ previewId: find(previewId).id, visitor: inside + userId, path })
      return photographer.take({ ...shot, url }, signal)
    },
    async close() {
      closing.abort()
      await photographer?.close()
      await listener.close()
      await Promise.all([...kept.values()].map(({ running }) => running.stop()))
    },
  }
}

const LOOK_MS = 50

/** One name for one thing, at every start: what a browser keeps for an origin is found again. [PREV1] */
function nameOf(
  source: PreviewSource,
  { root, userId }: { readonly root: string | null; readonly userId: string },
): string {
  const whose = root ?? userId
  const hash = createHash('sha256')
    .update(JSON.stringify([whose, source]))
    .digest('hex')
    .slice(0, 8)
  const words = source.type === 'port' ? `port-${source.port}` : basename(root ?? '')
  const slug = words
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 30)
    .split('-')
    .filter((word) => word !== '')
    .join('-')
  return slug === '' ? `p-${hash}` : `${slug}-${hash}`
}

function shown({ id, value, running, origin }: Kept): Preview {
  const { workspaceId, conversationId, source, root } = value
  const log = running.log().slice(-LOG_CHARS)
  return { id, workspaceId, conversationId, source, root, origin: origin(), ...running.now(), log }
}

function sourcesOf({ value: { root }, running }: Kept): PreviewSources | null {
  return root === null ? null : { root, folder: running.folder(), read: running.read }
}

/** @throws {PreviewError} */
function known(found: Kept | undefined, previewId: string): Kept {
  if (found) return found
  throw new PreviewError('unknown', `There is no preview ${previewId}`)
}

/** @throws {PictureError} */
function programFor({ chromium, pattern }: PreviewsDeps): string {
  if (chromium === null) throw new PictureError('No Chromium is installed on the server, which takes the pictures')
  if (pattern === null) return chromium
  throw new PictureError('Pictures are taken where previews have names of this machine only')
}
