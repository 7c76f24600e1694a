import { defineTool, type Tool, type ToolContext, toolOf } from '@holdfast/tool'
import * as z from 'zod'
import type { Chance } from './chance.ts'
import type { Scheduler, SimulatedProcess } from './scheduler.ts'

/** A tool that began to run. */
export interface ToolRun {
  readonly conversationId: string
  readonly callId: string
  readonly name: string
  readonly input: unknown
  /** Fires when the call is to end. */
  readonly signal: AbortSignal
}

/** What the tools of a replica are made of. */
export interface SimulatedToolParts {
  readonly chance: Chance
  readonly scheduler: Scheduler
  readonly process: SimulatedProcess
  /** Whether tools may misbehave. */
  readonly faults: () => boolean
  readonly onRun: (run: ToolRun) => void
  /** Told when its work is over, however it ended. */
  readonly onEnd: (run: ToolRun) => void
  /** Whether a client offers a tool of its own. */
  readonly clients: boolean
  /** Changes the canvas for a call. */
  readonly draw: (call: Pick<ToolContext, 'callId' | 'signal'>) => Promise<string>
  /** Gives tasks to other agents; null where there are none, or no deeper ones. */
  readonly subAgent: Tool | null
}

const PathInput = z.object({ path: z.string(), note: z.string().optional() })
const CommandInput = z.object({ command: z.string() })

/** How a call goes. */
type Behaviour = 'at-once' | 'soon' | 'throws' | 'slow' | 'deaf' | 'huge' | 'nothing' | 'never'

/** Longer than any time-out and grace of the tools. */
const DEAF_MS = 9_000
const TOOL_TIMEOUT_MS = 4_000

/** The tool that a client offers. [TOOL18] */
export const CLIENT_TOOL = 'ask_client'

/** The tool that gives a task to another agent. [AGENT3] */
export const SUB_AGENT_TOOL = 'run_agent'

/** Shorter than what agents do together now and then. */
const SUB_AGENT_TIMEOUT_MS = 20_000

/** The words for a call in the answer of one command: nobody else says them. */
export function clientWords(commandId: string, callId: string): string {
  return `${commandId} did ${callId}`
}

/** The tools of one conversation: they do nothing but tell that they ran, in every way in which tools can end. */
export function simulatedTools(parts: SimulatedToolParts, conversationId: string): readonly Tool[] {
  async function told(name: string, input: unknown, context: ToolContext, work: () => Promise<unknown>) {
    const { callId, signal } = context
    const run: ToolRun = { conversationId, callId, name, input, signal }
    parts.onRun(run)
    try {
      return await work()
    } finally {
      parts.onEnd(run)
    }
  }

  const run = (name: string) => (input: unknown, context: ToolContext) =>
    told(name, input, context, () => behave(parts, name, context))
  const seen = (tool: Tool): Tool => ({
    ...tool,
    definition: { ...tool.definition, timeoutMs: SUB_AGENT_TIMEOUT_MS },
    run: (input, context) => told(SUB_AGENT_TOOL, input, context, async () => tool.run(input, context)),
  })
  const path = { input: PathInput, argumentRoles: { path: 'path', note: 'plain' }, timeoutMs: TOOL_TIMEOUT_MS } as const
  const harmless = { destructive: false } as const
  return [
    ...(parts.clients ? [clientTool(run(CLIENT_TOOL))] : []),
    ...(parts.subAgent === null ? [] : [seen(parts.subAgent)]),
    defineTool({
      ...path,
      name: 'read_file',
      description: 'Reads a file.',
      category: 'read',
      annotations: harmless,
      run: run('read_file'),
    }),
    defineTool({
      ...path,
      name: 'list_files',
      description: 'Lists a folder.',
      category: 'read',
      annotations: harmless,
      run: run('list_files'),
    }),
    defineTool({
      ...path,
      name: 'write_file',
      description: 'Writes a file.',
      category: 'edit',
      annotations: harmless,
      run: run('write_file'),
    }),
    defineTool({
      name: 'run_command',
      description: 'Runs a command.',
      input: CommandInput,
      argumentRoles: { command: 'shell-line' },
      category: 'execute',
      timeoutMs: TOOL_TIMEOUT_MS,
      run: run('run_command'),
    }),
    defineTool({
      ...path,
      name: 'draw',
      description: 'Draws on the canvas.',
      category: 'other',
      annotations: harmless,
      run: (input, context) =>
        told('draw', input, context, async () => {
          const { chance, scheduler, process, faults } = parts
          if (faults() && chance.happens(0.25)) await scheduler.hopAfter(process, DEAF_MS, 'draw goes on too long')
          else await scheduler.hop(process, 'draw begins')
          return parts.draw(context)
        }),
    }),
  ]
}

/** Whoever runs it here is wrong: that is seen as a call of its without a right to run. */
function clientTool(run: (input: unknown, context: ToolContext) => Promise<unknown>): Tool {
  const definition = { name: CLIENT_TOOL, description: 'Runs at the client.', parameters: { type: 'object' } } as const
  return toolOf({ ...definition, category: 'execute', runsAt: 'client' }, run)
}

async function behave(
  { chance, scheduler, process, faults }: SimulatedToolParts,
  name: string,
  context: ToolContext,
): Promise<unknown> {
  const behaviour: Behaviour = faults()
    ? chance.weighted<Behaviour>([
        ['at-once', 30],
        ['soon', 35],
        ['throws', 8],
        ['slow', 10],
        ['deaf', 6],
        ['huge', 2],
        ['nothing', 3],
        ['never', 2],
      ])
    : 'soon'
  switch (behaviour) {
    case 'at-once':
      return `${name} is done`
    case 'soon':
      await scheduler.hop(process, `${name} ends`)
      return { text: `${name} is done`, at: 'soon' }
    case 'throws':
      await scheduler.hop(process, `${name} throws`)
      throw new Error(`${name} failed`)
    case 'slow':
      context.progress('working')
      await scheduler.hopAfter(process, chance.below(2 * TOOL_TIMEOUT_MS), `${name} ends slowly`)
      return context.signal.aborted ? 'stopped early' : `${name} is done at last`
    case 'deaf':
      await scheduler.hopAfter(process, DEAF_MS, `${name} ends too late`)
      return `${name} never heard of it`
    case 'huge':
      await scheduler.hop(process, `${name} ends with much`)
      return 'much '.repeat(12_000)
    case 'nothing':
      await scheduler.hop(process, `${name} ends with nothing`)
      return undefined
    case 'never':
      return new Promise(() => {})
  }
}
