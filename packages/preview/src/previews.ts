import { createHash, randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Clock } from '@holdfast/conversation'
import { createServedCommands, type Machine, type Workspace } from '@holdfast/toolbox'
import { createGivenDocuments, type GivenDocuments } from './documents/given-documents.ts'
import { createFolderSite } from './folders/folder-site.ts'
import { PreviewError } from './preview-error.ts'
import { createPasses } from './proxy/passes.ts'
import { type PreviewAddresses, previewAddresses } from './proxy/preview-addresses.ts'
import { createPreviewListener, type Site } from './proxy/preview-listener.ts'
import { createServedSite } from './proxy/served-site.ts'
import {
  createPhotographer,
  type Photographer,
  type Picture,
  PictureError,
  type Shot,
} from './screenshot/photographer.ts'
import { detectCommand, factsOf } from './servers/detect-command.ts'
import { createDevServer, type DevServer, type DevServerState, type ServerCommand } from './servers/dev-server.ts'
import { connectHere, targetAt } from './servers/machine-port.ts'
import { lastLines } from './servers/plain-log.ts'
import { probePort } from './servers/probe-port.ts'
import type { PreviewSource, StoredPreview, StoredPreviews } from './stored-previews.ts'

/** Where a preview's files are. */
export interface PreviewPlace {
  readonly workspace: Workspace
  readonly workspaceId: string | null
  /** Of a worktree; null for a place that others may use too. */
  readonly conversationId: string | null
}

/** Which place is meant. Without both it is the workspace of the start. */
export interface PlaceWish {
  readonly userId: string
  readonly workspaceId: string | undefined
  readonly conversationId: string | undefined
}

/** What previews are made of. */
export interface PreviewsDeps {
  readonly stored: StoredPreviews
  readonly clock: Clock
  /** Null while there is no workspace. */
  readonly machine: () => Machine | null
  /** Null for a place that is not there, or not theirs. */
  readonly placeOf: (wish: PlaceWish) => Promise<PreviewPlace | null>
  /** Whether somebody may use a place as it stands now. */
  readonly mayUse: (preview: StoredPreview, userId: string) => boolean
  /** Who a visitor is; null for one who may not be here any more. */
  readonly visitorOf: (visitor: string) => string | null
  /** Ports of this machine that nobody may name: the server's own. */
  readonly ownPorts: () => readonly number[]
  readonly parentOrigins: () => readonly string[]
  readonly isCredential: (authorization: string) => boolean
  readonly script: () => Promise<string>
  /** Seals cookies; of this installation. */
  readonly secret: Uint8Array
  /** An origin with a star, such as `https://*.preview.example.org`; null for the names of this machine. */
  readonly pattern: string | null
  /** Path of a Chromium that takes pictures; null where there is none. */
  readonly chromium: string | null
  readonly onFault: (error: unknown) => void
}

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
  /** The folder that it is of; null where it has none. */
  rootOf(previewId: string): string | null
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

/** How many there are at most, and what is told of a log, in characters. */
export const PREVIEW_COUNTS = { most: 200, logChars: 8_000 } as const

interface Kept {
  readonly id: string
  readonly value: StoredPreview
  readonly documents: GivenDocuments
  site: Site
  running: Running
}

interface Running {
  now(): DevServerState
  log(): string
  start(): Promise<void>
  stop(): Promise<void>
}

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
    const documents = createGivenDocuments(clock)
    const made = runningOf({ id, value, documents }, workspace)
    const one: Kept = { id, value, documents, ...made }
    kept.set(id, one)
    return one
  }

  /** What stands at its origin, and what makes that come and go. */
  function runningOf(
    { id, value, documents }: Pick<Kept, 'id' | 'value' | 'documents'>,
    known: Workspace | null,
  ): Pick<Kept, 'site' | 'running'> {
    const { source } = value
    let workspace = known
    const placed = async (): Promise<Workspace> => {
      workspace ??= (await deps.placeOf(wishOf(value)))?.workspace ?? null
      if (workspace !== null) return workspace
      throw new PreviewError('no-place', 'The folder of this preview is not there any more')
    }
    const common = { previewId: id, documents, parentOrigins: deps.parentOrigins }
    const site = createServedSite({
      ...common,
      origin: () => addresses.originOf(id),
      isCredential: deps.isCredential,
      absence: () => absenceOf(running.now(), lastLines(running.log(), 20)),
    })
    const simple = simpleState()
    let running: Running
    switch (source.type) {
      case 'port': {
        running = {
          ...simple,
          log: () => '',
          async start() {
            const { port } = source
            const connect = connectHere(port)
            const found = await probePort({ port, connect }, { limitMs: NAMED_MS, clock, signal: closing.signal })
            // What is not there yet may come: each request is tried.
            site.aim(targetAt({ port, isSecure: found?.isSecure ?? false, connect }))
            const problem = found === null ? `Nothing answers at port ${port} yet` : null
            simple.set({ state: 'ready', port, ports: [port], problem })
          },
          async stop() {
            site.aim(null)
            simple.set({ state: 'stopped', port: null, ports: [], problem: null })
          },
        }
        return { site, running }
      }
      case 'folder': {
        let folderSite: ReturnType<typeof createFolderSite> | null = null
        const asFolder: Site = {
          ...common,
          request: (incoming, outgoing) => (folderSite ?? site).request(incoming, outgoing),
          upgrade: (incoming, socket, head) => (folderSite ?? site).upgrade(incoming, socket, head),
        }
        running = {
          ...simple,
          log: () => '',
          async start() {
            folderSite ??= createFolderSite({
              ...common,
              workspace: await placed(),
              folder: source.folder,
              clock,
              onFault: deps.onFault,
            })
            simple.set({ state: 'ready' })
          },
          async stop() {
            folderSite?.close()
            folderSite = null
            simple.set({ state: 'stopped' })
          },
        }
        return { site: asFolder, running }
      }
      case 'command': {
        let server: DevServer | null = null
        running = {
          now: () => server?.now() ?? simple.now(),
          log: () => server?.log() ?? '',
          async start() {
            const place = await placed()
            const command = await commandIn(place, source.line)
            server ??= createDevServer({
              commands: createServedCommands({ workspace: place, machine: shellOf(machine()), clock }),
              clock,
              onTarget: site.aim,
              onFault: deps.onFault,
            })
            await server.start(command)
          },
          stop: async () => server?.stop(),
        }
        return { site, running }
      }
    }
  }

  function ticketUrl({ previewId, visitor, path }: Parameters<Previews['ticket']>[0]): string {
    const ticket = passes.ticketFor({ previewId: find(previewId).id, visitor, path })
    return `${addresses.originOf(previewId)}/.holdfast/enter?ticket=${ticket}`
  }

  function find(previewId: string): Kept {
    const found = kept.get(previewId)
    if (found) return found
    throw new PreviewError('unknown', `There is no preview ${previewId}`)
  }

  function shown({ id, value, running }: Kept): Preview {
    const { workspaceId, conversationId, source, root } = value
    return {
      id,
      workspaceId,
      conversationId,
      source,
      root,
      origin: addresses.originOf(id),
      ...running.now(),
      log: running.log().slice(-PREVIEW_COUNTS.logChars),
    }
  }

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
      const { source, place } = await settled(wanted, wish)
      const id = nameOf(source, { root: place?.workspace.rootPath ?? null, userId: wish.userId })
      const before = kept.get(id)
      if (before === undefined && kept.size >= PREVIEW_COUNTS.most)
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
    rootOf: (previewId) => kept.get(previewId)?.value.root ?? null,
    log: (previewId) => find(previewId).running.log(),
    ticket: ticketUrl,
    claim: (previewId, secret) => find(previewId).documents.claim(secret),
    async until(previewId, signal) {
      const one = find(previewId)
      while (!signal.aborted && one.running.now().state === 'starting')
        await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve))
      return shown(one)
    },
    photograph({ previewId, userId, path, ...shot }, signal) {
      if (deps.chromium === null)
        return Promise.reject(new PictureError('No Chromium is installed on the server, which takes the pictures'))
      if (deps.pattern !== null)
        return Promise.reject(new PictureError('Pictures are taken where previews have names of this machine only'))
      photographer ??= createPhotographer({
        program: deps.chromium,
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

  /** What is really meant: the folder of a place without a command is one of files. */
  async function settled(
    source: PreviewSource,
    wish: PlaceWish,
  ): Promise<{ readonly source: PreviewSource; readonly place: PreviewPlace | null }> {
    if (source.type === 'port') {
      if (deps.ownPorts().includes(source.port))
        throw new PreviewError('port-refused', `Port ${source.port} is Holdfast's own, which is no preview`)
      return { source, place: null }
    }
    const place = await deps.placeOf(wish)
    if (place === null) throw new PreviewError('no-place', 'There is no folder to preview: choose a workspace first')
    if (source.type === 'folder' || source.line !== null) return { source, place }
    const found = await detectCommand(factsOf(place.workspace))
    switch (found.type) {
      case 'command':
        return { source, place }
      case 'folder':
        return { source: { type: 'folder', folder: found.folder }, place }
      case 'nothing':
        throw nothingFound()
    }
  }
}

const LOOK_MS = 50
/** Whoever names a port waits so long to hear whether something answers there. */
const NAMED_MS = 2_000

async function commandIn(workspace: Workspace, line: string | null): Promise<ServerCommand> {
  if (line !== null) return { line, folder: '' }
  const found = await detectCommand(factsOf(workspace))
  if (found.type === 'command') return found
  throw nothingFound()
}

function nothingFound(): PreviewError {
  return new PreviewError(
    'nothing-found',
    'Nothing in this folder shows a page: no script dev, start, serve or preview in package.json, no known framework, no index.html. Name a command, a folder or a port',
  )
}

function shellOf(machine: Machine | null): Machine & { readonly bash: string } {
  if (machine !== null && machine.bash !== null) return { ...machine, bash: machine.bash }
  throw new PreviewError('no-shell', 'Nothing can be started here: there is no bash, or no sandbox for it')
}

function wishOf({ ownerId, workspaceId, conversationId }: StoredPreview): PlaceWish {
  return { userId: ownerId, workspaceId: workspaceId ?? undefined, conversationId: conversationId ?? undefined }
}

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
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30)
    .replace(/-+$/, '')
  return slug === '' ? `p-${hash}` : `${slug}-${hash}`
}

function absenceOf(
  { state, problem }: DevServerState,
  lines: string,
): { readonly title: string; readonly words: string } {
  switch (state) {
    case 'stopped':
      return { title: 'Nothing runs here', words: 'Start the preview in Holdfast.' }
    case 'starting':
      return { title: 'It starts', words: [problem ?? '', lines].join('\n').trim() }
    case 'crashed':
      return { title: 'The dev server has ended', words: problem ?? lines }
    case 'ready':
      return { title: 'Nothing answers', words: problem ?? lines }
  }
}

function simpleState(): { now(): DevServerState; set(changes: Partial<DevServerState>): void } {
  let state: DevServerState = {
    state: 'stopped',
    command: null,
    port: null,
    ports: [],
    exit: null,
    restartCount: 0,
    problem: null,
  }
  return {
    now: () => state,
    set(changes) {
      state = { ...state, ...changes }
    },
  }
}
