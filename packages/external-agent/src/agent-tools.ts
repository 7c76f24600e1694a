import type { Json } from '@holdfast/conversation'
import { type Tool, type ToolContext, type ToolDefinition, toolOf } from '@holdfast/tool'
import * as z from 'zod'
import { CALL_KINDS } from './call-input.ts'
import type { HouseCall } from './house-calls.ts'
import { foldersLeftBy } from './parts/left-folder.ts'
import { type AgentCall, isOver, type Prompt } from './prompt.ts'

/** A call of the log with what it stands for. */
export type OpenPart =
  | { readonly type: 'call'; readonly call: AgentCall; readonly prompt: Prompt }
  | { readonly type: 'house-call'; readonly call: HouseCall }
  | { readonly type: 'plan' }

/** What the tools of one conversation know of its agent. */
export interface AgentToolsDeps {
  /** Where calls come from, for people. */
  readonly agentName: string
  /** What a call of the log stands for; null for one of an agent that is not here any more. */
  readonly partOf: (callId: string) => OpenPart | null
  /** Told where a call reports what it changed: what is seen later, and by no call, is said to be of the last one. [WS1] */
  readonly onCall: (report: ToolContext['report']) => void
  /** Ends the prompt: a stop came, or a limit. */
  readonly stop: (prompt: Prompt) => void
}

/** A person may take a day to look, and a build an hour: whoever wants it shorter presses stop. */
const LONGEST_MS = 86_400_000

const INPUT: Json = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    command: { type: 'string' },
    path: { type: 'string' },
    paths: { type: 'array' },
    url: { type: 'string' },
    oldText: { type: 'string' },
    newText: { type: 'string' },
    content: { type: 'string' },
    changes: { type: 'array' },
    input: {},
    steps: { type: 'array' },
  },
}

const ROLES = {
  command: 'shell-line',
  path: 'path',
  paths: 'path',
  url: 'url',
  title: 'plain',
  oldText: 'plain',
  newText: 'plain',
  content: 'plain',
  changes: 'plain',
  input: 'plain',
  steps: 'plain',
} as const

/** The tools that stand for what an agent does with its own. [AGENT1] */
export function createAgentTools(deps: AgentToolsDeps): readonly Tool[] {
  const kinds = Object.entries(CALL_KINDS).map(([kind, category]) =>
    toolFor(deps, { ...about(deps, `agent_${kind}`), category, description: `What the agent does itself: ${kind}.` }),
  )
  return [
    ...kinds,
    toolFor(deps, { ...about(deps, 'agent_plan'), category: 'read', description: 'The plan of the agent.' }),
  ]
}

function about({ agentName }: AgentToolsDeps, name: string): Omit<ToolDefinition, 'description'> {
  return {
    name,
    source: agentName,
    parameters: INPUT,
    argumentRoles: ROLES,
    timeoutMs: LONGEST_MS,
    silenceMs: LONGEST_MS,
  }
}

function toolFor(deps: AgentToolsDeps, definition: ToolDefinition): Tool {
  return {
    ...toolOf(definition, (_input, context) => runPart(deps, context)),
    runsElsewhere: true,
    stateElsewhere(callId) {
      const part = deps.partOf(callId)
      if (part === null) return 'waiting'
      if (part.type !== 'call' || isOver(part.call)) return 'over'
      return part.call.permission === null ? 'running' : 'waiting'
    },
  }
}

/** A house tool in the hands of an agent: what that does not wait for any more is not done. [AGENT43] */
export function houseTool(tool: Tool, { agentName, partOf }: Pick<AgentToolsDeps, 'agentName' | 'partOf'>): Tool {
  return {
    ...tool,
    run(input, context) {
      const part = partOf(context.callId)
      const isGivenUp = part?.type === 'house-call' && part.call.isGivenUp
      return isGivenUp
        ? failed(`${agentName} did not wait for this call any longer: it did not run.`)
        : tool.run(input, context)
    },
  }
}

async function runPart({ partOf, stop, onCall, agentName }: AgentToolsDeps, context: ToolContext): Promise<unknown> {
  onCall(context.report)
  const part = partOf(context.callId)
  if (part === null)
    return failed(
      `${agentName} was ended before this call: it did not run. The agent is told so with its next message.`,
    )
  if (part.type !== 'call') return 'The plan is shown.'
  const { call, prompt } = part
  if (call.permission !== null && foldersLeftBy(call.permission.about) !== null) {
    call.permission.answer('allow')
    prompt.settleQuestion(call)
    return 'It may work outside of its folder there. By this alone nothing is changed: what it does there follows.'
  }
  const onAbort = (): void => stop(prompt)
  context.signal.addEventListener('abort', onAbort, { once: true })
  try {
    call.permission?.answer('allow')
    return await outcomeOf(part, context)
  } finally {
    context.signal.removeEventListener('abort', onAbort)
    prompt.settle(call)
  }
}

/** Waits for the end of a call, and no longer than until somebody has to be asked: the agent may wait for that in it. */
async function outcomeOf(
  { call, prompt }: Extract<OpenPart, { type: 'call' }>,
  { signal, progress }: ToolContext,
): Promise<unknown> {
  let title = call.title
  for (;;) {
    if (isOver(call)) return resultOf(call)
    if (signal.aborted) return failed('The agent was stopped in this call. What it had done by then is done.')
    if (prompt.ended() !== null) return failed('The agent ended its answer before this call did.')
    if (call.permission !== null) return 'The agent asks before it goes on with this call: see the next one.'
    if (prompt.hasUnshownQuestion()) return 'This call goes on while the agent waits for another. Its end follows.'
    if (call.title !== title) progress(call.title)
    title = call.title
    await prompt.changes.next({ limitMs: null, signal })
  }
}

function resultOf({ status, content, rawOutput, title }: AgentCall): unknown {
  const said = content.map((one) => (one.type === 'text' ? one.text : `Changed ${one.path}`))
  const text = said.length > 0 ? said.join('\n') : outputText(rawOutput)
  const words = text === '' ? `${title === '' ? 'The call' : title}: ${status}` : text
  return status === 'failed' ? failed(words) : words
}

const output = z.object({ output: z.string() })

function outputText(raw: Json): string {
  if (raw === null) return ''
  if (typeof raw === 'string') return raw
  const read = output.safeParse(raw)
  return read.success ? read.data.output : JSON.stringify(raw)
}

function failed(text: string): { type: 'tool-return'; text: string; isError: boolean; images: [] } {
  return { type: 'tool-return', text, isError: true, images: [] }
}
