import { Readable } from 'node:stream'
import {
  type Canvas,
  canvases,
  canvasOf,
  canvasSummary,
  DEFAULT_AGENT_ID,
  type Entry,
  type EntryStore,
  entriesAfter,
  MAX_PAGE_ENTRIES,
  type SnapshotStore,
  settingLayers,
  settingsInForce,
  shownElements,
} from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { type CanvasChanges, type CanvasSnapshot, routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute, TAKEN_OVER } from '../door/bind-route.ts'
import { createPlayers, type OpenMedia } from '../parts/open-media.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** What the routes of canvases need. */
export interface CanvasRoutesDeps extends BindDeps {
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
  /** Opens what stands elsewhere; null where nothing is fetched. */
  readonly openMedia: OpenMedia | null
}

/** Serves the canvases of a conversation. */
export function bindCanvas({ store, openMedia, ...deps }: CanvasRoutesDeps): void {
  const players = createPlayers()

  bindRoute(deps, routes.readCanvas, async ({ params: { id }, query: { agentId, at }, answer }) => {
    const found = at === undefined ? await canvasNow(store, id) : await canvasAt(store, id, at)
    const owner = agentId ?? found.agentId ?? DEFAULT_AGENT_ID
    const canvas = canvasOf(found.canvases, owner)
    return answer(200, toSnapshot(canvas, { agentId: owner, head: found.head }))
  })

  bindRoute(deps, routes.listCanvasChanges, async ({ params: { id }, query: { agentId }, answer }) => {
    const owner = agentId ?? (await canvasNow(store, id)).agentId ?? DEFAULT_AGENT_ID
    return answer(200, { agentId: owner, ...(await canvasChanges(store, id, owner)) })
  })

  bindRoute(deps, routes.readCanvasMedia, async ({ params, query, userId, request, reply }) => {
    const { agentId, at } = query
    const media = await mediaOf(store, { id: params.id, elementId: params.elementId, agentId, at })
    if (!openMedia) throw new RefusedError(422, 'media-refused', 'This server fetches nothing from other places')
    const leave = players.enter(userId)
    const ending = new AbortController()
    reply.raw.on('close', () => {
      leave()
      ending.abort()
    })
    const opened = await openMedia({ ...media, range: request.headers.range ?? null, signal: ending.signal })
    if (opened.type === 'refused') throw new RefusedError(422, 'media-refused', opened.text)
    await reply
      .code(opened.isPart ? 206 : 200)
      .headers({
        // Opened by itself it runs nothing and loads nothing. [SEC3]
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, no-store',
        'content-type': opened.mediaType,
        ...(opened.sizeBytes === null ? {} : { 'content-length': opened.sizeBytes }),
        ...(opened.contentRange === null ? {} : { 'content-range': opened.contentRange, 'accept-ranges': 'bytes' }),
      })
      .send(Readable.from(opened.content))
    return TAKEN_OVER
  })
}

/** Finds the address that a media element shows. @throws {RefusedError} */
async function mediaOf(store: CanvasRoutesDeps['store'], place: MediaPlace) {
  const { id, elementId, at, agentId } = place
  const found = at === undefined ? await canvasNow(store, id) : await canvasAt(store, id, at)
  const canvas = canvasOf(found.canvases, agentId ?? found.agentId ?? DEFAULT_AGENT_ID)
  const element = canvas.elements.find((one) => one.id === elementId)
  if (element?.type !== 'media' || element.url === undefined)
    throw new RefusedError(404, 'unknown-element', `There is no picture, sound or film ${elementId} on the canvas`)
  return { url: element.url, kind: element.kind }
}

interface MediaPlace {
  readonly id: string
  readonly elementId: string
  readonly agentId: string | undefined
  readonly at: number | undefined
}

/** As many as a person can go through; what is older is asked for by its `seq`. */
const MOST_CHANGES = 1_000

function toSnapshot(canvas: Canvas, at: { readonly agentId: string; readonly head: number }): CanvasSnapshot {
  const { version, mode, layout, theme } = canvas
  const elements = shownElements(canvas).map((element) => ({ ...element }))
  return { ...at, version, mode, layout, theme, elements, summary: canvasSummary(canvas) }
}

async function canvasNow(store: CanvasRoutesDeps['store'], conversationId: string) {
  const { state } = await readOverview(store, conversationId)
  return { canvases: state.canvases, agentId: state.settings.agentId, head: state.head }
}

/** The newest changes of a canvas, oldest first, and how many are left out. */
async function canvasChanges(store: CanvasRoutesDeps['store'], conversationId: string, agentId: string) {
  const changes: CanvasChanges['changes'][number][] = []
  let earlierCount = 0
  for await (const { entries } of entriesAfter(store, { conversationId, after: 0, pageEntries: MAX_PAGE_ENTRIES })) {
    changes.push(...entries.flatMap((entry) => changeOf(entry, agentId)))
    if (changes.length > MOST_CHANGES) earlierCount += changes.splice(0, changes.length - MOST_CHANGES).length
  }
  return { changes, earlierCount }
}

/** A change as it is listed; a notification changes nothing that could be shown again. */
function changeOf(entry: Entry, agentId: string): CanvasChanges['changes'][number][] {
  if (entry.type !== 'canvas-changed' || entry.agentId !== agentId) return []
  const [operation] = entry.operations
  if (operation === undefined || operation.type === 'notify') return []
  const { seq, at, version, actor } = entry
  const elementId = 'elementId' in operation ? operation.elementId : null
  return [{ seq, at, version, byPerson: actor.type === 'person', operation: operation.type, elementId }]
}

/** The canvases as they were at an entry: the fold of the log up to it. */
async function canvasAt(store: CanvasRoutesDeps['store'], conversationId: string, at: number) {
  let state = { canvases: canvases.initial, layers: settingLayers.initial, head: 0 }
  const upTo = { conversationId, after: 0, to: at, pageEntries: MAX_PAGE_ENTRIES }
  for await (const { entries } of entriesAfter(store, upTo)) {
    state = {
      canvases: canvases.reduce(state.canvases, entries),
      layers: settingLayers.reduce(state.layers, entries),
      head: entries.at(-1)?.seq ?? state.head,
    }
  }
  return { canvases: state.canvases, agentId: settingsInForce(state.layers).agentId, head: state.head }
}
