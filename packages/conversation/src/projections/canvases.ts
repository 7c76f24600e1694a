import { applyOperation } from '../canvas/apply-operation.ts'
import { type Canvases, canvasOf } from '../canvas/canvas.ts'
import type { Projection } from '../projection.ts'

/** The canvases of a conversation: one reducer for the server, every tab, and what the model is told. [CANVAS1] */
export const canvases: Projection<Canvases> = {
  name: 'canvases',
  version: 1,
  initial: {},
  reduce(state, entries) {
    let next: Map<string, Canvases[string]> | null = null
    for (const entry of entries) {
      if (entry.type !== 'canvas-changed') continue
      next ??= new Map(Object.entries(state))
      const { actor, seq, at, agentId, operations, version } = entry
      const place = { seq, at, userId: actor.type === 'person' ? actor.userId : null }
      let canvas = next.get(agentId) ?? canvasOf({}, agentId)
      for (const operation of operations) canvas = applyOperation(canvas, operation, place)
      next.set(agentId, { ...canvas, version })
    }
    return next === null ? state : Object.fromEntries(next)
  },
}
