import { type ExternalAgentChoices, routes } from '@holdfast/protocol'
import { withApi } from '../../reach/with-api.ts'
import { plainText } from '../../terminal/plain-text.ts'
import { type ExternalOptions, LOOK_MS } from './external-agents.ts'

/** What `holdfast agents external choices` was told. */
export interface ExternalChoicesOptions extends ExternalOptions {
  readonly paidBy?: string
}

/** Says what can be chosen of an external agent. @returns the exit code: 1 when it could not say it. [AGENT55] */
export function showChoices(id: string, { json, paidBy, ...options }: ExternalChoicesOptions): Promise<number> {
  return withApi(options, async (api) => {
    const asked = { params: { id: id.replace(/^external:/, '') }, query: paidBy === undefined ? {} : { paidBy } }
    const choices = await api.call(routes.listExternalAgentChoices, { ...asked, answerMs: LOOK_MS })
    process.stdout.write(`${json ? JSON.stringify(choices) : wordsOf(choices)}\n`)
    return choices.problem === null ? 0 : 1
  })
}

function wordsOf({
  payers,
  paidBy,
  modes,
  askMode,
  models,
  usualModel,
  takesImages,
  problem,
}: ExternalAgentChoices): string {
  const lines = [
    ...(problem === null ? [] : [`It could not be asked what it offers: ${problem}`]),
    ...payers.map(({ id, name }) => `--paid-by ${id}${paidBy === id ? ' *' : ''}  ${name ?? PAYERS[id] ?? ''}`),
    ...(modes ?? []).map(
      ({ id, name, asksFirst }) =>
        `--agent-mode ${id}${askMode === id ? ' *' : ''}  ${name}${asksFirst ? '' : ', which may act without asking'}`,
    ),
    ...models.map(({ id, name }) => `--agent-model ${id}${usualModel === id ? ' *' : ''}  ${name}`),
    ...(takesImages === false ? ['It takes no pictures: it is told of them in words.'] : []),
    '* holds where nothing is chosen; of who pays: whose models these are',
  ]
  return lines.map(plainText).join('\n')
}

const PAYERS: Readonly<Record<string, string>> = {
  own: 'its own sign-in',
  providers: 'the providers here, whichever fits',
}
