import {
  type Canvas,
  type CanvasWish,
  canvases,
  canvasOf,
  canvasSummary,
  DEFAULT_AGENT_ID,
  type EntryStore,
  type Json,
  MAX_PAGE_ENTRIES,
  type SnapshotStore,
  settingLayers,
  settingsInForce,
  shownElements,
} from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { type CanvasAction, type CanvasSnapshot, routes } from '@holdfast/protocol'
import * as z from 'zod'
import { type BindDeps, bindRoute } from './bind-route.ts'
import type { Commands } from './commands.ts'

/** What the routes of canvases need. */
export interface CanvasRoutesDeps extends BindDeps {
  readonly commands: Pick<Commands, 'changeCanvas'>
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
}

/** Serves the canvases of a conversation. */
export function bindCanvas({ commands, store, ...deps }: CanvasRoutesDeps): void {
  bindRoute(deps, routes.readCanvas, async ({ params: { id }, query: { agentId, at }, answer }) => {
    const found = at === undefined ? await canvasNow(store, id) : await canvasAt(store, id, at)
    const owner = agentId ?? found.agentId ?? DEFAULT_AGENT_ID
    const canvas = canvasOf(found.canvases, owner)
    return answer(200, toSnapshot(canvas, { agentId: owner, head: found.head }))
  })

  bindRoute(deps, routes.changeCanvas, async ({ params: { id, elementId }, body, userId, answer }) => {
    const { commandId, action, value = null, agentId } = body
    const command = { commandId, conversationId: id, wish: wishOf(action, elementId, value) }
    return answer(
      200,
      await commands.changeCanvas(userId, { ...command, ...(agentId === undefined ? {} : { agentId }) }),
    )
  })
}

const Check = z.strictObject({ itemId: z.string().max(200), checked: z.boolean() })

function wishOf(action: CanvasAction, elementId: string, value: Json): CanvasWish {
  switch (action) {
    case 'check':
      return { type: 'check', elementId, ...Check.parse(value) }
    case 'answer':
      return { type: 'answer', elementId, value }
    case 'pin':
      return { type: 'pin', elementId, pinned: z.boolean().parse(value) }
    case 'remove':
    case 'clear':
    case 'restore':
      return action === 'remove' ? { type: action, elementId } : { type: action }
  }
}

function toSnapshot(canvas: Canvas, at: { readonly agentId: string; readonly head: number }): CanvasSnapshot {
  const { version, mode, layout, theme } = canvas
  const elements = shownElements(canvas).map((element) => ({ ...element }))
  return { ...at, version, mode, layout, theme, elements, summary: canvasSummary(canvas) }
}

async function canvasNow(store: CanvasRoutesDeps['store'], conversationId: string) {
  const { state } = await readOverview(store, conversationId)
  return { canvases: state.canvases, agentId: state.settings.agentId, head: state.head }
}

/** The canvases as they were at an entry: the fold of the log up to it. */
async function canvasAt(store: CanvasRoutesDeps['store'], conversationId: string, at: number) {
  let state = { canvases: canvases.initial, layers: settingLayers.initial, head: 0 }
  while (state.head < at) {
    const page = await store.read({ conversationId, after: state.head, limit: MAX_PAGE_ENTRIES })
    const entries = page.entries.filter(({ seq }) => seq <= at)
    const last = entries.at(-1)
    if (!last) break
    state = {
      canvases: canvases.reduce(state.canvases, entries),
      layers: settingLayers.reduce(state.layers, entries),
      head: last.seq,
    }
  }
  return { canvases: state.canvases, agentId: settingsInForce(state.layers).agentId, head: state.head }
}
