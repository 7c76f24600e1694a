import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { SERVER_LIMITS } from './server-settings.ts'

/** What a server offers beside its tools, for people to mention and to ask for. */
export interface ServerMaterial {
  readonly resources: readonly {
    readonly uri: string
    readonly name: string
    readonly description: string
    readonly mediaType: string | null
  }[]
  /** Families of resources. */
  readonly templates: readonly {
    readonly uriTemplate: string
    readonly name: string
    readonly description: string
    readonly mediaType: string | null
  }[]
  readonly prompts: readonly {
    readonly name: string
    readonly description: string
    readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  }[]
}

/** What a prompt of a server says; it is put before a person, who sends it or not. */
export interface ServerPrompt {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
}

/** As many of each kind as are listed, and the characters of one text. */
const MOST_LISTED = 1_000
const MOST_CHARS = 200_000

/** Asks for the lists; a server that has none has empty ones. @throws what the server answers with instead. */
export async function listMaterial(client: Client, signal: AbortSignal): Promise<ServerMaterial> {
  const capabilities = client.getServerCapabilities()
  const options = { signal, timeout: SERVER_LIMITS.listMs }
  const [{ resources }, { resourceTemplates }, { prompts }] = await Promise.all([
    capabilities?.resources ? client.listResources({}, options) : { resources: [] },
    capabilities?.resources ? orWithout(client.listResourceTemplates({}, options)) : { resourceTemplates: [] },
    capabilities?.prompts ? client.listPrompts({}, options) : { prompts: [] },
  ])
  return {
    resources: resources.slice(0, MOST_LISTED).map(({ uri, name, description, mimeType }) => ({
      uri,
      name,
      description: description ?? '',
      mediaType: mimeType ?? null,
    })),
    templates: resourceTemplates.slice(0, MOST_LISTED).map(({ uriTemplate, name, description, mimeType }) => ({
      uriTemplate,
      name,
      description: description ?? '',
      mediaType: mimeType ?? null,
    })),
    prompts: prompts.slice(0, MOST_LISTED).map((prompt) => ({
      name: prompt.name,
      description: prompt.description ?? '',
      arguments: (prompt.arguments ?? []).map(({ name, description, required }) => ({
        name,
        description: description ?? '',
        required: required === true,
      })),
    })),
  }
}

/** Servers with resources need not have templates, and some answer that they know no such method. */
async function orWithout<List extends { readonly resourceTemplates: readonly unknown[] }>(
  asked: Promise<List>,
): Promise<List | { readonly resourceTemplates: [] }> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ProtocolError) return { resourceTemplates: [] }
    throw error
  }
}

/** A value that a person writes for a prompt or a template. */
export interface AskedValue {
  readonly of:
    | { readonly type: 'prompt'; readonly name: string }
    | { readonly type: 'template'; readonly uriTemplate: string }
  readonly argument: string
  /** Values that are written already. */
  readonly given: Readonly<Record<string, string>>
  readonly value: string
}

/** What the server proposes for a value; nothing where it proposes none. @throws what the server answers with instead. */
export async function completeValue(
  client: Client,
  { of, argument, value, given }: AskedValue,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (client.getServerCapabilities()?.completions === undefined) return []
  const ref =
    of.type === 'prompt'
      ? { type: 'ref/prompt' as const, name: of.name }
      : { type: 'ref/resource' as const, uri: of.uriTemplate }
  const options = { signal, timeout: SERVER_LIMITS.listMs }
  const { completion } = await client.complete(
    { ref, argument: { name: argument, value }, context: { arguments: { ...given } } },
    options,
  )
  return completion.values.slice(0, MOST_PROPOSED).map((proposed) => proposed.slice(0, 1_000))
}

const MOST_PROPOSED = 100

/** The text of a resource; what is no text is named instead. @throws what the server answers with instead. */
export async function readResource(client: Client, uri: string, signal: AbortSignal): Promise<string> {
  const { contents } = await client.readResource({ uri }, { signal, timeout: SERVER_LIMITS.listMs })
  const texts = contents.map((part) =>
    'text' in part ? part.text : `[${part.mimeType ?? 'bytes'} of ${part.uri}, not text]`,
  )
  return texts.join('\n\n').slice(0, MOST_CHARS)
}

/** The words of a prompt with these arguments. @throws what the server answers with instead. */
export async function readPrompt(
  client: Client,
  asked: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<ServerPrompt> {
  const { messages } = await client.getPrompt(
    { name: asked.name, arguments: { ...asked.arguments } },
    { signal, timeout: SERVER_LIMITS.listMs },
  )
  return {
    messages: messages.slice(0, MOST_LISTED).map(({ role, content }) => ({
      role,
      text: content.type === 'text' ? content.text.slice(0, MOST_CHARS) : `[${content.type}]`,
    })),
  }
}
