import { canvasOf, canvasSummary } from '@holdfast/conversation'
import type { FactSource } from '../../api/fact-source.ts'

/** As much as one section may take. [REQ6] */
const BUDGET_TOKENS = 1_500

/**
 * What stands on the canvas of the conversation's agent, with what the person did there. It is told again after every
 * change, and at the next turn after a change of the person; nothing is said where nothing was ever drawn. Another
 * agent's canvas is not told: each knows its own. [REQ6, CANVAS3, CANVAS6, AGENT4]
 */
export function createCanvasFact(): FactSource {
  return {
    section: 'canvas',
    budgetTokens: BUDGET_TOKENS,
    isPerAgent: true,
    async textNow({ state: { canvases, settings } }) {
      const summary = canvasSummary(canvasOf(canvases, settings.agentId))
      return summary === '' ? null : summary
    },
  }
}
