import { type ModelRow, routes } from '@holdfast/protocol'
import type { ReachOptions } from '../reach/reach-server.ts'
import { reachServer } from '../reach/reach-server.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What `holdfast models` was asked for. */
export interface ModelsOptions extends ReachOptions {
  readonly json: boolean
}

/** Prints the models that may be chosen, the usual one marked. @returns the exit code. */
export async function listModels(options: ModelsOptions): Promise<number> {
  const server = await reachServer(options)
  try {
    const { defaultModelId, providers } = await server.api.call(routes.listModels, {})
    for (const { name, problem, models } of providers) {
      if (problem !== null) process.stderr.write(`${plainText(`${name}: ${problem}`)}\n`)
      for (const model of models)
        process.stdout.write(options.json ? `${JSON.stringify(model)}\n` : lineOf(model, defaultModelId))
    }
    return 0
  } finally {
    await server.close()
  }
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
