import { type ModelRow, type ModelsAnswer, routes } from '@holdfast/protocol'
import type { ReachOptions } from '../reach/reach-server.ts'
import { reachServer } from '../reach/reach-server.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What `holdfast models` was asked for. */
export interface ModelsOptions extends ReachOptions {
  readonly json: boolean
}

type Provider = ModelsAnswer['providers'][number]

/** Prints the models that may be chosen, the usual one marked. @returns the exit code. */
export async function listModels(options: ModelsOptions): Promise<number> {
  const server = await reachServer(options)
  try {
    const { defaultModelId, providers } = await server.api.call(routes.listModels, {})
    for (const { name, problem, problemAt, models } of providers) {
      if (problem !== null) process.stderr.write(`${plainText(problemLine({ name, problem, problemAt }))}\n`)
      for (const model of models)
        process.stdout.write(options.json ? `${JSON.stringify(model)}\n` : lineOf(model, defaultModelId))
    }
    return 0
  } finally {
    await server.close()
  }
}

/** What came of asking it last for its models: answers are asked for apart, and may come by now. [CLI51] */
export function problemLine({
  name,
  problem,
  problemAt,
}: {
  readonly name: string
  readonly problem: string
  readonly problemAt: Provider['problemAt']
}): string {
  if (problemAt === undefined) return `${name}: ${problem}`
  const at = new Date(problemAt).toISOString().slice(0, 16).replace('T', ' ')
  return `${name} did not list its models when it was asked at ${at} UTC: ${problem}`
}

function lineOf({ id, name, contextWindowTokens, isWindowLearnt }: ModelRow, defaultModelId: string | null): string {
  const facts = [
    id,
    name,
    ...(contextWindowTokens === null ? [] : [`${contextWindowTokens} tokens${isWindowLearnt ? ' (learnt)' : ''}`]),
    ...(id === defaultModelId ? ['answers where none is chosen'] : []),
  ]
  return `${plainText(facts.join('  '))}\n`
}
