import type { ScriptLine } from '@holdfast/engine/testing'
import { type CallEffect, defineTool, type Tool, type ToolContext, toolOf } from '@holdfast/tool'
import * as z from 'zod'

/** A tool of a test that counts its calls and ends when the test says so. */
export interface TestTool {
  readonly tool: Tool
  readonly started: readonly string[]
  /** The contexts of the calls, in their order. */
  readonly contexts: readonly ToolContext[]
  /** Lets every call that waits return this text. */
  finish(text: string): void
}

interface TestToolOptions {
  readonly name: string
  readonly category: 'read' | 'edit' | 'execute'
  /** Without it a call returns at once. */
  readonly waits?: true
  /** What every call reports as it starts. */
  readonly effects?: readonly CallEffect[]
}

const Input = z.object({ path: z.string() })

/** Makes a tool with one argument, a path under the workspace. */
export function testTool({ name, category, waits, effects = [] }: TestToolOptions): TestTool {
  const started: string[] = []
  const contexts: ToolContext[] = []
  let waiting: ((text: string) => void)[] = []
  return {
    started,
    contexts,
    finish(text) {
      const released = waiting
      waiting = []
      for (const release of released) release(text)
    },
    tool: defineTool({
      name,
      description: `A tool that is called ${name}.`,
      input: Input,
      category,
      annotations: { destructive: false },
      argumentRoles: { path: 'path' },
      run: ({ path }, context) => {
        started.push(path)
        contexts.push(context)
        for (const effect of effects) context.report(effect)
        return waits ? new Promise<string>((resolve) => waiting.push(resolve)) : `${name} of ${path}`
      },
    }),
  }
}

/** A tool that its client runs; whoever runs it here is wrong. */
export function clientTool(name: string): Tool {
  return toolOf({ name, description: 'Runs elsewhere.', parameters: { type: 'object' }, runsAt: 'client' }, () => {
    throw new Error(`${name} was run here`)
  })
}

interface Call {
  readonly callId: string
  readonly name: string
  readonly input: unknown
}

/** An answer that calls tools. */
export function calls(...made: readonly Call[]): readonly ScriptLine[] {
  return [...made.flatMap(callLines), { type: 'finish', finish: 'tool-calls' }]
}

function callLines({ callId, name, input }: Call, block: number): readonly ScriptLine[] {
  return [
    { type: 'block-started', block, start: { type: 'tool-call', callId, name } },
    { type: 'block-delta', block, text: typeof input === 'string' ? input : JSON.stringify(input) },
    { type: 'block-ended', block },
  ]
}
