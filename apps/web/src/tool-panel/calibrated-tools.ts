import type { ToolRow } from '@holdfast/protocol'

/** What definitions take of a request, by source; the empty name is our own. */
export type SentBySource = Readonly<Record<string, number>>

/**
 * The tools with figures that add up to those of the meter: it knows by what the provider has measured how much all
 * definitions of a source take, and each has its share of it. What is not sent is scaled as the rest is. [WIN1]
 */
export function calibratedTools(tools: readonly ToolRow[], sent: SentBySource | null): readonly ToolRow[] {
  const included = tools.filter((tool) => tool.included)
  if (sent === null || included.length === 0) return tools
  const overall = factorOf(included, sumOf(sent))
  const bySource = new Map(
    [...Map.groupBy(included, sourceOf)].map(([source, own]) => [source, factorOf(own, sent[source] ?? 0)] as const),
  )
  return tools.map((tool) => {
    const factor = (tool.included ? bySource.get(sourceOf(tool)) : null) ?? overall
    return { ...tool, schemaTokens: Math.round(tool.schemaTokens * factor) }
  })
}

/** The tokens of all sources. */
export function sumOf(sent: SentBySource): number {
  return Object.values(sent).reduce((sum, tokens) => sum + tokens, 0)
}

function sourceOf({ source }: ToolRow): string {
  return source ?? ''
}

/** 1 where there is nothing to go by. */
function factorOf(tools: readonly ToolRow[], tokens: number): number {
  const estimated = tools.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0)
  return estimated === 0 || tokens === 0 ? 1 : tokens / estimated
}
