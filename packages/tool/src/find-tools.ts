import type { Json } from '@holdfast/conversation'
import * as z from 'zod'
import type { ToolDefinition } from './definition.ts'
import { defineTool, type Tool } from './tool.ts'

/** The name of the tool that finds others. */
export const FIND_TOOLS = 'find_tools'

/** As many as one search brings: each is sent with every request from then on. */
const MOST_FOUND = 5
const DESCRIPTION_CHARS = 300

const Query = z.strictObject({
  query: z.string().min(1).max(500).describe('What the tool should do, in a few words, or its exact name.'),
})

/**
 * A tool that searches among definitions that the model is not shown. What it finds can be called from the next
 * request on, so that any number of tools costs what a few do. [TOOL10]
 */
export function createFindTools(definitions: readonly ToolDefinition[]): Tool {
  const sources = [...new Set(definitions.map(({ source }) => source ?? 'built-in'))]
  const tool = defineTool({
    name: FIND_TOOLS,
    description: `Finds tools that are not shown to you. There are more of: ${sources.slice(0, 40).join(', ')}. Say what you need; what is found can be called from your next step on.`,
    input: Query,
    category: 'read',
    annotations: { readOnly: true, openWorld: false },
    argumentRoles: { query: 'plain' },
    run: ({ query }) => inWords(found(definitions, query)),
  })
  return {
    ...tool,
    finds(input) {
      const read = Query.safeParse(input)
      return read.success ? found(definitions, read.data.query).map(({ name }) => name) : []
    },
  }
}

function inWords(found: readonly ToolDefinition[]): string {
  if (found.length === 0) return 'No tool fits. Try other words, or go on without it.'
  const lines = found.map(({ name, description }) => `- ${name}: ${firstWords(description)}`)
  return `These can be called from your next step on:\n${lines.join('\n')}`
}

function firstWords(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim()
  return line.length <= DESCRIPTION_CHARS ? line : `${line.slice(0, DESCRIPTION_CHARS)}…`
}

interface Indexed {
  readonly definition: ToolDefinition
  readonly name: ReadonlySet<string>
  readonly text: ReadonlySet<string>
}

/** Made once for a list that does not change. */
const indexes = new WeakMap<ToolDefinition, Indexed>()

/** The definitions that fit best, best first; equals in the order of the list. */
function found(definitions: readonly ToolDefinition[], query: string): readonly ToolDefinition[] {
  const exact = definitions.filter(({ name }) => name === query.trim())
  if (exact.length > 0) return exact
  const indexed = definitions.map(indexOf)
  const wanted = [...wordsIn(query)].map((word) => ({ word, weight: rarityOf(word, indexed) }))
  return indexed
    .map(({ definition, name, text }) => {
      const score = wanted.reduce(
        (sum, { word, weight }) => sum + (name.has(word) ? 3 * weight : 0) + (text.has(word) ? weight : 0),
        0,
      )
      return { definition, score }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ definition }) => definition)
}

function indexOf(definition: ToolDefinition): Indexed {
  const known = indexes.get(definition)
  if (known) return known
  const { name, description, source, parameters } = definition
  const text = wordsIn(`${source ?? ''} ${description} ${argumentNames(parameters).join(' ')}`)
  const made = { definition, name: wordsIn(name), text }
  indexes.set(definition, made)
  return made
}

/** A word that few tools have says more. */
function rarityOf(word: string, indexed: readonly Indexed[]): number {
  const having = indexed.filter(({ name, text }) => name.has(word) || text.has(word)).length
  return Math.log(1 + indexed.length / (1 + having))
}

function argumentNames(parameters: Json): string[] {
  const properties = isRecord(parameters) ? parameters['properties'] : undefined
  return isRecord(properties) ? Object.keys(properties) : []
}

function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Words without their endings of number, so that `issue` finds `issues`. */
function wordsIn(text: string): ReadonlySet<string> {
  const words =
    text
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.map((word) => (word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word)))
}
