import { waitFor } from '@holdfast/conversation'
import { createServedCommands, type Machine, type Workspace } from '@holdfast/toolbox'
import { createFolderSite } from '../folders/folder-site.ts'
import { PreviewError } from '../preview-error.ts'
import type { PlaceWish, PreviewsDeps } from '../previews-deps.ts'
import { createServedSite } from '../proxy/served-site.ts'
import type { Site } from '../proxy/site.ts'
import { createDevServer, type DevServer } from '../servers/dev-server.ts'
import type { DevServerState } from '../servers/dev-server-state.ts'
import { connectHere, targetAt } from '../servers/machine-port.ts'
import { lastLines } from '../servers/plain-log.ts'
import { probePort } from '../servers/probe-port.ts'
import type { StoredPreview } from '../stored-previews.ts'
import { type KeptPreview, type Running, type SiteAndRunning, simpleState } from './running.ts'
import { commandIn } from './settle-source.ts'

/** Makes what stands at the origin of a preview, and what makes that come and go. */
export function createRunning(
  { id, value, documents, workspace: known, origin }: KeptPreview,
  deps: PreviewsDeps,
): SiteAndRunning {
  const { source } = value
  const { clock } = deps
  let workspace = known
  const placed = async (): Promise<Workspace> => {
    workspace ??= (await deps.placeOf(wishOf(value)))?.workspace ?? null
    if (workspace !== null) return workspace
    throw new PreviewError('no-place', 'The folder of this preview is not there any more')
  }
  const common = { previewId: id, documents, parentOrigins: deps.parentOrigins }
  const site = createServedSite({
    ...common,
    origin,
    isCredential: deps.isCredential,
    absence: () => absenceOf(running.now(), lastLines(running.log(), 20)),
  })
  const simple = simpleState()
  let running: Running
  switch (source.type) {
    case 'port': {
      const { port } = source
      const connect = connectHere(port)
      let looking = new AbortController()

      /** What is not there yet may come: each request is tried. @returns whether something answers. */
      async function look(signal: AbortSignal): Promise<boolean> {
        const found = await probePort({ port, connect }, { limitMs: NAMED_MS, clock, signal })
        if (signal.aborted) return false
        site.aim(targetAt({ port, isSecure: found?.isSecure ?? false, connect }))
        const isThere = found !== null
        const problem = isThere ? null : `Nothing answers at port ${port} yet`
        simple.set({ state: isThere ? 'ready' : 'starting', port, ports: [port], problem })
        return isThere
      }

      async function lookUntilThere(signal: AbortSignal): Promise<void> {
        do await waitFor(clock, AGAIN_MS, signal)
        while (!signal.aborted && !(await look(signal)))
      }

      running = {
        ...simple,
        log: () => '',
        folder: () => '',
        read: site.read,
        async start() {
          looking.abort()
          looking = new AbortController()
          const { signal } = looking
          if (!(await look(signal)) && !signal.aborted) lookUntilThere(signal).catch(deps.onFault)
        },
        async stop() {
          looking.abort()
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
        folder: () => source.folder,
        read: null,
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
      let folder = ''
      running = {
        now: () => server?.now() ?? simple.now(),
        log: () => server?.log() ?? '',
        folder: () => folder,
        read: site.read,
        async start() {
          const place = await placed()
          const command = await commandIn(place, source.line)
          folder = command.folder
          server ??= createDevServer({
            commands: createServedCommands({ workspace: place, machine: shellOf(deps.machine()), clock }),
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

function shellOf(machine: Machine | null): Machine & { readonly bash: string } {
  if (machine !== null && machine.bash !== null) return { ...machine, bash: machine.bash }
  throw new PreviewError('no-shell', 'Nothing can be started here: there is no bash, or no sandbox for it')
}

function wishOf({ ownerId, workspaceId, conversationId }: StoredPreview): PlaceWish {
  return { userId: ownerId, workspaceId: workspaceId ?? undefined, conversationId: conversationId ?? undefined }
}

/** Whoever names a port waits so long to hear whether something answers there. */
const NAMED_MS = 2_000

/** So often it is looked for afterwards. */
const AGAIN_MS = 1_000

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
