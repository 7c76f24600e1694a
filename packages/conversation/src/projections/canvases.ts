import { applyOperation, withErasedAnswer } from '../canvas/apply-operation.ts'
import { type Canvases, canvasOf } from '../canvas/canvas.ts'
import type { Projection } from '../projection.ts'

/** The canvases of a conversation: one reducer for the server, every tab, and what the model is told. [CANVAS1] */
export const canvases: Projection<Canvases> = {
  name: 'canvases',
  version: 2,
  initial: {},
  reduce(state, entries) {
    let next: Map<string, Canvases[string]> | null = null
    for (const entry of entries) {
      if (entry.type !== 'canvas-changed' && entry.type !== 'body-erased') continue
      const { actor, seq, at } = entry
      const userId = actor.type === 'person' ? actor.userId : null
      if (entry.type === 'body-erased') {
        const { answered } = entry.of
        if (answered === undefined) continue
        next ??= new Map(Object.entries(state))
        let canvas = next.get(answered.agentId) ?? canvasOf({}, answered.agentId)
        for (const elementId of answered.elementIds) canvas = withErasedAnswer(canvas, elementId, { seq, at, userId })
        next.set(answered.agentId, canvas)
        continue
      }
      next ??= new Map(Object.entries(state))
      const { agentId, operations, version } = entry
      let canvas = next.get(agentId) ?? canvasOf({}, agentId)
      const place = { seq, at, version, userId }
      for (const operation of operations) canvas = applyOperation(canvas, operation, place)
      next.set(agentId, { ...canvas, version })
    }
    return next === null ? state : Object.fromEntries(next)
  },
}
