import { createHash } from 'node:crypto'
import { Json } from '@holdfast/conversation'
import { canonicalJson, type ToolAnnotations, type ToolDefinition } from '@holdfast/tool'
import * as z from 'zod'
import { wrongHeaderName } from './header-names.ts'
import { hiddenIn } from './hidden-text.ts'
import { SERVER_LIMITS } from './server-settings.ts'
import { toolNameOf } from './tool-name.ts'

/** What a server says of one of its tools, as far as anybody reads it. A change of any byte of it is a change. */
export const OfferedTool = z.object({
  name: z.string(),
  title: z.string().exactOptional(),
  description: z.string(),
  parameters: Json,
  result: Json.exactOptional(),
  annotations: Json.exactOptional(),
})
export type OfferedTool = z.infer<typeof OfferedTool>

/** A tool that is not offered to anybody, and why. */
export interface RefusedTool {
  readonly name: string
  readonly reason: string
}

/** What a list of tools comes to. */
export interface ToolOffer {
  readonly tools: readonly OfferedTool[]
  readonly refused: readonly RefusedTool[]
}

/** As the protocol has it. */
const ListedTool = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: Json,
  outputSchema: Json.optional(),
  annotations: Json.optional(),
})

/** Reads a server's list of tools: what is hidden, too large, named twice or too many is refused with its reason. */
export function readOffer(listed: readonly unknown[], { isAtAddress }: { readonly isAtAddress: boolean }): ToolOffer {
  const tools = new Map<string, OfferedTool>()
  const refused: RefusedTool[] = []
  const { tools: most } = SERVER_LIMITS
  for (const value of listed.slice(0, most)) {
    const read = ListedTool.safeParse(value)
    const tool = read.success ? toOffered(read.data) : null
    const name = tool === null ? nameIn(value) : tool.name
    const reason = tool === null ? 'its definition is not one of the protocol' : reasonAgainst(tool, isAtAddress)
    if (tool !== null && reason === null && !tools.has(name)) tools.set(name, tool)
    else refused.push({ name: shown(name), reason: reason ?? 'another tool of this server has the same name' })
  }
  if (listed.length > most)
    refused.push({ name: `${listed.length - most} more`, reason: `a server may have ${most} tools` })
  return { tools: [...tools.values()], refused }
}

/** SHA-256 of all that is read of a tool. */
export function hashOf(tool: OfferedTool): string {
  return createHash('sha256').update(canonicalJson(tool)).digest('hex')
}

/** A server's tool as ours; nothing that it says of itself loosens a rule. [PERM1] */
export function toDefinition(
  tool: OfferedTool,
  server: { readonly name: string; readonly timeoutMs: number; readonly silenceMs: number },
): ToolDefinition {
  return {
    name: toolNameOf(server.name, tool.name),
    description: tool.description,
    parameters: tool.parameters,
    source: server.name,
    timeoutMs: server.timeoutMs,
    silenceMs: server.silenceMs,
    deferred: true,
    category: 'other',
    claims: { annotations: claimsOf(tool.annotations) },
  }
}

function toOffered({ name, title, description, inputSchema, outputSchema, annotations }: z.infer<typeof ListedTool>) {
  return {
    name,
    description: description ?? '',
    parameters: inputSchema,
    ...(title === undefined ? {} : { title }),
    ...(outputSchema === undefined ? {} : { result: outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  }
}

function reasonAgainst(tool: OfferedTool, isAtAddress: boolean): string | null {
  const { descriptionChars, schemaChars } = SERVER_LIMITS
  if (tool.name.length > 200) return 'its name is longer than 200 characters'
  if (tool.description.length > descriptionChars) return `its description is longer than ${descriptionChars} characters`
  if (JSON.stringify(tool.parameters).length > schemaChars) return `its schema is longer than ${schemaChars} characters`
  if (typeof tool.parameters !== 'object' || tool.parameters === null) return 'the schema of its input is no object'
  const wrongHeader = isAtAddress ? wrongHeaderName(tool.parameters) : null
  if (wrongHeader !== null) return wrongHeader
  const hidden = hiddenIn(tool)
  return hidden === null ? null : `its definition holds a character that nobody sees (${hidden})`
}

const Hint = z.boolean().optional().catch(undefined)
const Claims = z
  .looseObject({ readOnlyHint: Hint, destructiveHint: Hint, idempotentHint: Hint, openWorldHint: Hint })
  .catch({})

function claimsOf(annotations: Json | undefined): ToolAnnotations {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = Claims.parse(annotations ?? {})
  return {
    ...(readOnlyHint === undefined ? {} : { readOnly: readOnlyHint }),
    ...(destructiveHint === undefined ? {} : { destructive: destructiveHint }),
    ...(idempotentHint === undefined ? {} : { idempotent: idempotentHint }),
    ...(openWorldHint === undefined ? {} : { openWorld: openWorldHint }),
  }
}

function nameIn(value: unknown): string {
  return typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : '(no name)'
}

/** A name for people, without what they cannot see. */
function shown(name: string): string {
  return name.slice(0, 200).replaceAll(/[^\x20-\x7e]/g, '?')
}
