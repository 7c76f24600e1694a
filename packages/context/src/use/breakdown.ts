import type { ComposedRequest } from '../request/build-request.ts'
import type { PartCategory } from '../request/compose-messages.ts'
import { modelFamily } from '../size/model-family.ts'
import { textWeight } from '../size/text-weight.ts'
import { headSize, messageSize, partSizes, toTokens } from '../size/weight.ts'

/** What the context consists of, in tokens. [C1] */
export interface Breakdown {
  readonly system: number
  /** By where the tools come from: the name of a server, or empty for our own. */
  readonly tools: Readonly<Record<string, number>>
  readonly categories: Readonly<Record<PartCategory, number>>
}

const NOTHING: Readonly<Record<PartCategory, number>> = {
  messages: 0,
  'tool-results': 0,
  files: 0,
  summary: 0,
  notes: 0,
  time: 0,
  canvas: 0,
  memories: 0,
  workspace: 0,
  map: 0,
  instructions: 0,
  schedules: 0,
}

/** All of it in messages: of what another program sends, nobody here knows more. */
export function messagesOnly(totalTokens: number): Breakdown {
  return { system: 0, tools: {}, categories: { ...NOTHING, messages: totalTokens } }
}

/**
 * How many tokens each part of the context takes. The parts add up to `totalTokens`, which is measured where there
 * is a measurement: each gets its share by the estimate. [C1]
 */
export function breakdownOf(
  { request, messages }: ComposedRequest,
  options: {
    readonly modelId: string
    readonly ratio: number
    readonly totalTokens: number
    /** `source` of each tool, by name, as `tools-changed` says it. */
    readonly toolSources: ReadonlyMap<string, string>
  },
): Breakdown {
  const { modelId, ratio, totalTokens, toolSources } = options
  const family = modelFamily(modelId)
  const tools: Record<string, number> = {}
  for (const tool of request.tools) {
    const source = toolSources.get(tool.name) ?? ''
    tools[source] = (tools[source] ?? 0) + textWeight(JSON.stringify(tool)) / ratio
  }
  const categories = { ...NOTHING }
  for (const { message, origins } of messages) {
    const parts = partSizes(message, family).map((size) => toTokens(size, ratio))
    const whole = toTokens(messageSize(message, family), ratio)
    for (const [index, { category }] of origins.entries())
      categories[category] += message.role === 'user' ? (parts[index] ?? 0) : whole
  }
  return scaled({ system: toTokens(headSize(request).system, ratio), tools, categories }, totalTokens)
}

/** The figures in whole tokens that add up to the total; what rounding leaves goes to the largest. */
function scaled(breakdown: Breakdown, totalTokens: number): Breakdown {
  const estimates: [string, number][] = [
    ['system', breakdown.system],
    ...Object.entries(breakdown.tools).map(([name, tokens]): [string, number] => [`tools ${name}`, tokens]),
    ...Object.entries(breakdown.categories).map(([name, tokens]): [string, number] => [`category ${name}`, tokens]),
  ]
  const sum = estimates.reduce((total, [, tokens]) => total + tokens, 0)
  if (sum === 0) return { system: totalTokens, tools: {}, categories: NOTHING }
  const whole = new Map(estimates.map(([name, tokens]) => [name, Math.floor((tokens * totalTokens) / sum)]))
  const rest = totalTokens - [...whole.values()].reduce((total, tokens) => total + tokens, 0)
  const [largest] = estimates.reduce((most, estimate) => (estimate[1] > most[1] ? estimate : most))
  whole.set(largest, (whole.get(largest) ?? 0) + rest)
  const categories = { ...NOTHING }
  for (const name of categoryNames()) categories[name] = whole.get(`category ${name}`) ?? 0
  const tools = Object.fromEntries(Object.keys(breakdown.tools).map((name) => [name, whole.get(`tools ${name}`) ?? 0]))
  return { system: whole.get('system') ?? 0, tools, categories }
}

function categoryNames(): readonly PartCategory[] {
  return [
    'messages',
    'tool-results',
    'files',
    'summary',
    'notes',
    'time',
    'canvas',
    'memories',
    'workspace',
    'map',
    'instructions',
    'schedules',
  ]
}
