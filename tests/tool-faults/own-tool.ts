import type { Json, ToolOutcome } from '@holdfast/conversation'
import { type ToolContext, type ToolDefinition, toolOf } from '@holdfast/tool'
import type { CasePlace, FaultCase } from './fault-case.ts'

/** What a function of a test does as the tool `work`. */
export type Work = (input: Json, context: ToolContext, place: CasePlace) => unknown

interface Expected {
  readonly outcome: ToolOutcome
  readonly says: RegExp
  readonly definition?: Partial<ToolDefinition>
  readonly stopped?: true
  readonly lateCount?: number
}

/** A case with one call of one tool of this process, which begins. */
export function ownToolCase(name: string, work: Work, expected: Expected): FaultCase {
  const { outcome, says, definition, stopped, lateCount } = expected
  return {
    name,
    open: (place) => {
      const tool = toolOf({ ...WORK, ...definition }, (input, context) => work(input, context, place))
      return { tools: () => [tool], close: async () => {} }
    },
    calls: [{ tool: 'work', inputText: '{}', outcome, says, begins: true }],
    ...(stopped === undefined ? {} : { stopped }),
    ...(lateCount === undefined ? {} : { lateCount }),
  }
}

/** A tool that works alone, with effects. */
export const WORK: ToolDefinition = {
  name: 'work',
  description: 'Does work',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  category: 'other',
  annotations: { destructive: false, openWorld: false },
}

/** A promise that is none. */
export function thenable(then: (keep: (value: unknown) => void, fail: (reason: unknown) => void) => void): object {
  return { then }
}
