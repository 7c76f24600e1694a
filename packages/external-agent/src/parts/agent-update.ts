import type { Json } from '@holdfast/conversation'
import * as z from 'zod'

/** What an update says of a call; what is absent stays as it was. */
export interface CallChange {
  readonly toolCallId: string
  readonly title?: string
  readonly kind?: string
  readonly status?: string
  readonly content?: readonly CallContent[]
  readonly paths?: readonly string[]
  readonly rawInput?: Json
  readonly rawOutput?: Json
}

/** One piece of what a call gave. */
export type CallContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'diff'; readonly path: string; readonly oldText: string | null; readonly newText: string }

/** One step of a plan. */
export interface PlanStep {
  readonly content: string
  readonly status: string
}

/** What an agent says of its work, as far as it is used here. */
export type AgentUpdate =
  | { readonly type: 'text' | 'thinking'; readonly text: string; readonly messageId: string | null }
  | {
      readonly type: 'call'
      readonly change: CallChange
      /** Whether it is announced, and not changed. */
      readonly isNew: boolean
    }
  | { readonly type: 'plan'; readonly steps: readonly PlanStep[] }
  /** What it works in now, as far as it is told. [AGENT6, AGENT52] */
  | { readonly type: 'chosen'; readonly modeId: string | null; readonly modelId: string | null }
  /** A message of the person, as the agent has it. */
  | { readonly type: 'heard'; readonly text: string }
  /** Known, and of no use here. */
  | { readonly type: 'unused' }

const text = z.looseObject({ type: z.literal('text'), text: z.string() })
const other = z.looseObject({ type: z.string() })
const chunk = z.looseObject({ content: z.union([text, other]), messageId: z.string().nullish() })

const callContent = z.union([
  z.looseObject({ type: z.literal('content'), content: z.union([text, other]) }),
  z.looseObject({
    type: z.literal('diff'),
    path: z.string(),
    oldText: z.string().nullish(),
    newText: z.string(),
  }),
  other,
])

/** A call as updates and requests for permission name it. */
export const CallFields = z.looseObject({
  toolCallId: z.string().min(1),
  title: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  content: z.array(callContent).nullish(),
  locations: z.array(z.looseObject({ path: z.string() })).nullish(),
  rawInput: z.json().nullish(),
  rawOutput: z.json().nullish(),
})

const plan = z.looseObject({
  entries: z.array(z.looseObject({ content: z.string(), status: z.string().default('pending') })),
})

const mode = z.looseObject({ currentModeId: z.string() })

const configOptions = z.looseObject({
  configOptions: z.array(
    z.looseObject({ id: z.string(), category: z.string().nullish(), currentValue: z.unknown().optional() }),
  ),
})

const UNUSED = new Set(['available_commands_update', 'session_info_update', 'usage_update', 'notice'])

/** Reads an update; null for one that is unknown or malformed. [AGENT10] */
export function readUpdate(update: unknown): AgentUpdate | null {
  const kind = z.looseObject({ sessionUpdate: z.string() }).safeParse(update)
  if (!kind.success) return null
  switch (kind.data.sessionUpdate) {
    case 'agent_message_chunk':
      return said('text', update)
    case 'agent_thought_chunk':
      return said('thinking', update)
    case 'user_message_chunk': {
      const read = chunk.safeParse(update)
      return read.success ? { type: 'heard', text: textOf(read.data.content) } : null
    }
    case 'tool_call':
    case 'tool_call_update': {
      const read = CallFields.safeParse(update)
      if (!read.success) return null
      return { type: 'call', change: changeOf(read.data), isNew: kind.data.sessionUpdate === 'tool_call' }
    }
    case 'plan': {
      const read = plan.safeParse(update)
      if (!read.success) return null
      return { type: 'plan', steps: read.data.entries.map(({ content, status }) => ({ content, status })) }
    }
    case 'current_mode_update': {
      const read = mode.safeParse(update)
      return read.success ? { type: 'chosen', modeId: read.data.currentModeId, modelId: null } : null
    }
    case 'config_option_update': {
      const read = configOptions.safeParse(update)
      if (!read.success) return null
      const [modeId, modelId] = [currentIn(read.data, 'mode'), currentIn(read.data, 'model')]
      return modeId === null && modelId === null ? { type: 'unused' } : { type: 'chosen', modeId, modelId }
    }
    default:
      return UNUSED.has(kind.data.sessionUpdate) ? { type: 'unused' } : null
  }
}

function currentIn({ configOptions: options }: z.infer<typeof configOptions>, category: string): string | null {
  const value = options.find((option) => option.category === category)?.currentValue
  return typeof value === 'string' ? value : null
}

function said(type: 'text' | 'thinking', update: unknown): AgentUpdate | null {
  const read = chunk.safeParse(update)
  if (!read.success) return null
  return { type, text: textOf(read.data.content), messageId: read.data.messageId ?? null }
}

function textOf(content: z.infer<typeof chunk>['content']): string {
  const read = text.safeParse(content)
  return read.success ? read.data.text : `[${content.type}]`
}

/** What such fields say that is not null. */
export function changeOf(fields: z.infer<typeof CallFields>): CallChange {
  const { toolCallId, title, kind, status, content, locations, rawInput, rawOutput } = fields
  return {
    toolCallId,
    ...(title == null ? {} : { title }),
    ...(kind == null ? {} : { kind }),
    ...(status == null ? {} : { status }),
    ...(content == null ? {} : { content: content.flatMap(contentOf) }),
    ...(locations == null ? {} : { paths: locations.map(({ path }) => path) }),
    ...(rawInput == null ? {} : { rawInput }),
    ...(rawOutput == null ? {} : { rawOutput }),
  }
}

function contentOf(content: z.infer<typeof callContent>): CallContent[] {
  if (content.type === 'content' && 'content' in content) {
    const read = text.safeParse(content.content)
    return read.success ? [{ type: 'text', text: read.data.text }] : []
  }
  if (content.type !== 'diff') return []
  const diff = z.object({ path: z.string(), oldText: z.string().nullish(), newText: z.string() }).safeParse(content)
  return diff.success ? [{ type: 'diff', ...diff.data, oldText: diff.data.oldText ?? null }] : []
}
