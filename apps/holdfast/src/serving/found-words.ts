import { type ModelsAnswer, type ProviderSetting, routes } from '@holdfast/protocol'
import { type Api, createApi } from '../cli/reach/api.ts'

/** What a start tells of the models that there are; null with accounts, where the start-up token reads nothing. [CLI36] */
export async function readFoundWords(
  { url, token }: { readonly url: string; readonly token: string },
  auth: 'token' | 'accounts',
): Promise<string | null> {
  if (auth === 'accounts') return null
  const api: Api = createApi({ url, token })
  const [{ providers }, models] = await Promise.all([
    api.call(routes.listProviders, {}),
    api.call(routes.listModels, {}),
  ])
  return foundWords(providers, models)
}

/** Two lines: what was found, and who answers. */
export function foundWords(
  providers: readonly ProviderSetting[],
  { defaultModelId }: Pick<ModelsAnswer, 'defaultModelId'>,
): string {
  const found = providers.flatMap((provider) => wordsOf(provider) ?? [])
  const first =
    found.length === 0 ? 'Found: no server of models on this computer, no key' : `Found: ${found.join(' · ')}`
  const answers =
    defaultModelId === 'demo'
      ? 'The demo model answers: a script of this computer. Connect a model on the page: Settings, Models.'
      : `${defaultModelId} answers in new conversations.`
  return `${first}\n${answers}\n`
}

function wordsOf({ name, source, modelCount }: ProviderSetting): string | null {
  switch (source.type) {
    case 'environment':
      return `${source.variable} in the environment`
    case 'found':
      return `${name} ${countWords(modelCount)}`
    case 'file':
      return `${name} in the configuration file`
    case 'stored':
      return `${name}, which was connected here`
  }
}

function countWords(count: number): string {
  if (count === 0) return 'without a model'
  return count === 1 ? 'with 1 model' : `with ${count} models`
}
