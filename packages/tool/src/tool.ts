import type { Json, ToolCategory } from '@holdfast/conversation'
import * as z from 'zod'
import type { CallEffect } from './call-effect.ts'
import type { ArgumentRole, ToolAnnotations, ToolCall, ToolDefinition } from './definition.ts'
import { checkBySchema, checkByZod, type InputCheck } from './input-check.ts'
import type { PersonAtHand } from './person.ts'

/** What a running tool may use. */
export interface ToolContext {
  readonly callId: string
  /** The step that made the call; with the id of the call it names one. Absent outside a conversation. [RUN11] */
  readonly stepId?: string
  /** Fires at the time limit and at a stop. A tool that hears it has the grace to end; then it is left behind. */
  readonly signal: AbortSignal
  /** Milliseconds that it may take; for tools that pass the limit on. */
  readonly timeoutMs: number
  /** Shows that it is alive, and says how far it is. Starts the limit of silence anew, and no other. */
  progress(message: string): void
  /**
   * Says what the call really did, right after it was done: it reaches the log with the call's end, whatever that is,
   * and what is reported after the end at once. A tool reports each effect once, and none that did not happen. [WS1]
   */
  report(effect: CallEffect): void
  /** Stops the limits while a person is asked; the function that it returns lets them go on. [PERM4] */
  suspend(): () => void
  /** Whom it may ask while it runs; its limits rest meanwhile. Absent where nobody can be asked. [TOOL11] */
  readonly person?: PersonAtHand
}

/** What a tool does. Whatever it returns, throws or leaves undone becomes one result. [TOOL5] */
export type RunTool<Input> = (input: Input, context: ToolContext) => unknown

/** A tool that can be run: its definition, the check of its input, and what it does. */
export interface Tool {
  readonly definition: ToolDefinition
  /** Checks and completes the input. Nothing runs before it has passed. [TOOL1] */
  check(input: Json): InputCheck
  run(input: unknown, context: ToolContext): unknown
  /** What is less than was asked for when it runs; a conversation is told once, before its first call. [RUN13] */
  readonly notice?: ToolNotice
  /** Names of the tools that a call with this input finds, for a tool that searches among tools. [TOOL10] */
  finds?(input: Json): readonly string[]
  /**
   * The conversation of the sub-agent that a call will run, for a tool that runs one; null where the call will run
   * none. Asked once, before the call starts: what it says is written down as the intent. [AGENT3, TOOL6]
   */
  childConversationOf?(call: Pick<ToolCall, 'callId' | 'stepId' | 'input'>): Promise<string | null>
  /**
   * What a call is about where its input only names that, for whoever is asked: it stands in the question, and the call
   * runs with nothing else. Null where the input says it all. [AGENT5]
   */
  askedAbout?(call: Pick<ToolCall, 'callId' | 'stepId' | 'input'>): Promise<AskedAbout | null>
  /**
   * Why the tool refuses a call with this input whatever a person answers, told from the input alone; null where that is
   * not so, or not known. Nobody is asked about such a call: it is answered with these words. [PERM12]
   */
  refusalOf?(input: Json): string | null
  /**
   * How far a call is in an agent that does not wait for a yes: nobody can be asked about it any more, and it is written
   * down as what it is, or, while it is running, forbidden. An implementer says `waiting` of what waits. [AGENT6, AGENT36]
   */
  stateElsewhere?(callId: string): 'waiting' | 'running' | 'over'
  /**
   * Whether a call with this input touches nothing that its neighbours read or change, so that it runs beside them. Asked
   * before it begins; what is asked twice has to be answered the same. [AGENT59]
   */
  runsApart?(call: Pick<ToolCall, 'callId' | 'stepId' | 'input'>): Promise<boolean>
  /** Its calls run in another program, which orders them itself: they are waited for side by side. [AGENT1] */
  readonly runsElsewhere?: true
}

/** What a question is about beside the input of its call. */
export interface AskedAbout {
  /** For the person. */
  readonly words: string
  /** Names exactly what is meant. */
  readonly pinned: string
}

/** What a person should know of a tool. */
export interface ToolNotice {
  /** Names it, so that it is said once. */
  readonly code: string
  readonly text: string
  /** Until when it is so. */
  readonly until: string
}

/** A tool with the schema of its input in zod. */
export interface ToolOptions<Schema extends z.ZodType> {
  readonly name: string
  /** For the model. */
  readonly description: string
  readonly input: Schema
  readonly category: ToolCategory
  readonly annotations?: ToolAnnotations
  readonly argumentRoles?: Readonly<Record<string, ArgumentRole>>
  readonly timeoutMs?: number
  readonly outputLimitChars?: number
  readonly notice?: ToolNotice
  readonly run: RunTool<z.output<Schema>>
}

/** Makes a tool from a zod schema. The model sees the schema as JSON Schema; one schema, kept, is converted once. */
export function defineTool<Schema extends z.ZodType>({
  input: schema,
  run,
  notice,
  ...rest
}: ToolOptions<Schema>): Tool {
  return {
    definition: { ...rest, parameters: parametersOf(schema) },
    check: (input) => checkByZod(schema, input),
    run: (input, context) => run(schema.parse(input), context),
    ...(notice === undefined ? {} : { notice }),
  }
}

/** Every conversation has tools of its own, and their schemas are the same: each is converted once. */
const converted = new WeakMap<z.ZodType, Json>()

function parametersOf(schema: z.ZodType): Json {
  const known = converted.get(schema)
  if (known !== undefined) return known
  const parameters = z.json().parse(z.toJSONSchema(schema, { io: 'input' }))
  converted.set(schema, parameters)
  return parameters
}

/** Makes a tool from a definition with a JSON Schema, as MCP servers give them. */
export function toolOf(definition: ToolDefinition, run: RunTool<Json>): Tool {
  const check = checkBySchema(definition.parameters)
  return { definition, check, run: (input, context) => run(z.json().parse(input), context) }
}

/** Where tools come from: built-in ones, an MCP server, the workspace, a client. */
export interface ToolSource {
  /** For people: where a tool comes from. */
  readonly name: string
  /** The definitions as they are now, in a stable order. */
  list(): readonly ToolDefinition[]
  /**
   * Runs one call. An implementer stops when the signal fires, and need not bound, time or check anything: the
   * caller does, whatever comes back. [TOOL3, TOOL5]
   */
  run(call: { readonly name: string; readonly input: Json }, context: ToolContext): unknown
}

/** The tools of a source, as they are now. */
export function toolsOf(source: ToolSource): readonly Tool[] {
  return source
    .list()
    .map((definition) => toolOf(definition, (input, context) => source.run({ name: definition.name, input }, context)))
}
