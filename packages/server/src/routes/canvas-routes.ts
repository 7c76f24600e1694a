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
import { type BindDeps, bindRoute } from '../door/bind-route.ts'

/** What the routes of canvases need. */
export interface CanvasRoutesDeps extends BindDeps {
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
}

/** Serves the canvases of a conversation. */
export function bindCanvas({ store, ...deps }: CanvasRoutesDeps): void {
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
