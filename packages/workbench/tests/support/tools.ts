import type { ScriptLine } from '@holdfast/engine/testing'
import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'

/** A tool with one argument, a path, that counts its calls. */
export function testTool(named: { readonly name: string; readonly category: 'read' | 'edit' | 'execute' }): {
  readonly tool: Tool
  readonly started: readonly string[]
} {
  const started: string[] = []
  const tool = defineTool({
    name: named.name,
    description: `A tool that is called ${named.name}.`,
    input: z.object({ path: z.string() }),
    category: named.category,
    annotations: { destructive: false },
    argumentRoles: { path: 'path' },
    run: ({ path }) => {
      started.push(path)
      return `${named.name} of ${path}`
    },
  })
  return { tool, started }
}

/** An answer that calls tools. */
export function calls(
  ...made: readonly { readonly callId: string; readonly name: string; readonly input: unknown }[]
): readonly ScriptLine[] {
  const lines = made.flatMap(({ callId, name, input }, block): readonly ScriptLine[] => [
    { type: 'block-started', block, start: { type: 'tool-call', callId, name } },
    { type: 'block-delta', block, text: JSON.stringify(input) },
    { type: 'block-ended', block },
  ])
  return [...lines, { type: 'finish', finish: 'tool-calls' }]
}
