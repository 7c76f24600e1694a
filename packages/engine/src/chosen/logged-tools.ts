import { canonicalJson, type ToolDefinition } from '@holdfast/tool'
import type { EnginePorts, SourceInstructions } from '../api/ports.ts'

/** A tool as the log says what requests carry of it. */
type LoggedDefinition = Pick<ToolDefinition, 'name' | 'description' | 'parameters' | 'source'>

/** What the log says of a list of tools. */
export interface LoggedTools {
  readonly hash: string
  /** Frozen to any depth: the entries of all conversations with these tools hold it. */
  readonly definitions: LoggedDefinition[]
}

/** A list that was asked for, by what tells it from another. */
interface KnownList extends LoggedTools {
  readonly asked: readonly ToolDefinition[]
  readonly instructions: readonly SourceInstructions[]
}

/** Lists that are remembered: conversations that go on at once have the same few. */
const MOST_LISTS = 32

/** By the function that hashed them, the one that was asked for last first. */
const lists = new WeakMap<EnginePorts['sha256'], KnownList[]>()

/**
 * The definitions as the log has them and their hash. A list that says the same as one before, in whatever conversation,
 * is neither written as text nor hashed again. [TOOL16]
 */
export function loggedTools(
  { sha256 }: Pick<EnginePorts, 'sha256'>,
  asked: readonly ToolDefinition[],
  instructions: readonly SourceInstructions[],
): LoggedTools {
  const known = lists.get(sha256) ?? []
  lists.set(sha256, known)
  const place = known.findIndex((one) => areSame(one.asked, asked) && areSameWords(one.instructions, instructions))
  const list = place >= 0 ? known.splice(place, 1)[0] : undefined
  const found = list ?? { ...writtenDown(sha256, asked, instructions), asked: [...asked], instructions }
  known.unshift(found)
  if (known.length > MOST_LISTS) known.pop()
  return found
}

function areSame(one: readonly ToolDefinition[], other: readonly ToolDefinition[]): boolean {
  return (
    one.length === other.length &&
    one.every((definition, index) => definition === other[index] || saySame(definition, other[index]))
  )
}

/** Parameters are compared as objects: every conversation has tools of its own, and their schemas are the same. */
function saySame(one: ToolDefinition, other: ToolDefinition | undefined): boolean {
  return (
    one.parameters === other?.parameters &&
    one.name === other.name &&
    one.source === other.source &&
    one.description === other.description
  )
}

function areSameWords(one: readonly SourceInstructions[], other: readonly SourceInstructions[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ source, text }, index) => source === other[index]?.source && text === other[index]?.text)
  )
}

function writtenDown(
  sha256: EnginePorts['sha256'],
  asked: readonly ToolDefinition[],
  instructions: readonly SourceInstructions[],
): LoggedTools {
  const defined = `[${asked.map(canonicalTextOf).join(',')}]`
  const said = instructions.map(({ source, text }) => ({ source, text }))
  const all = `{"definitions":${defined},"instructions":${canonicalJson(said)}}`
  const definitions = asked.map(({ name, description, parameters, source }): LoggedDefinition => {
    const copied = structuredClone(parameters)
    return { name, description, parameters: copied, ...(source === undefined ? {} : { source }) }
  })
  return { hash: sha256(instructions.length === 0 ? defined : all), definitions: frozen(definitions) }
}

/** Lists that differ in one tool have the schemas of the others in common. */
const canonicalTexts = new WeakMap<object, string>()

function canonicalTextOf({ name, description, parameters, source }: ToolDefinition): string {
  const from = source === undefined ? '' : `,"source":${JSON.stringify(source)}`
  const words = `"description":${JSON.stringify(description)},"name":${JSON.stringify(name)}`
  return `{${words},"parameters":${canonicalParameters(parameters)}${from}}`
}

function canonicalParameters(parameters: ToolDefinition['parameters']): string {
  if (typeof parameters !== 'object' || parameters === null) return canonicalJson(parameters)
  const text = canonicalTexts.get(parameters) ?? canonicalJson(parameters)
  canonicalTexts.set(parameters, text)
  return text
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
