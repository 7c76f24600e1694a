import { type BodyOf, routes } from '@holdfast/protocol'
import type { Api } from './api.ts'
import { openSession } from './session.ts'
import { plainText } from './terminal-watcher.ts'
import { newCommandId } from './turn.ts'

/** Which rules a command is about. */
export interface RulesOptions {
  readonly dataDir?: string
  /** Absent for the rules that hold in all conversations. */
  readonly conversation?: string
}

type Rule = BodyOf<typeof routes.listPermissions, 200>['rules'][number]

/** Says what a person allowed and denied for good. [PERM5] @returns the exit code. */
export async function listRules({ json, ...options }: RulesOptions & { readonly json: boolean }): Promise<number> {
  return withApi(options, async (api) => {
    const rules = await rulesOf(api, options.conversation)
    if (json) process.stdout.write(`${JSON.stringify({ rules })}\n`)
    else for (const rule of rules) process.stdout.write(`${lineOf(rule)}\n`)
    if (rules.length === 0 && !json)
      process.stderr.write('No rules. One is made when a question of a tool is answered with "always".\n')
  })
}

/** Takes rules back. [PERM5] @returns the exit code. */
export async function revokeRules(ruleIds: readonly string[], options: RulesOptions): Promise<number> {
  const { conversation } = options
  return withApi(options, async (api) => {
    for (const ruleId of ruleIds) {
      if (conversation === undefined) await api.call(routes.revokePermissionRule, { params: { ruleId } })
      else
        await api.call(routes.revokeRule, {
          params: { id: conversation, ruleId },
          query: { commandId: newCommandId() },
        })
      process.stderr.write(`Took back ${plainText(ruleId)}.\n`)
    }
  })
}

async function rulesOf(api: Api, conversationId: string | undefined): Promise<readonly Rule[]> {
  if (conversationId === undefined) return (await api.call(routes.listPermissionRules, {})).rules
  return (await api.call(routes.listPermissions, { params: { id: conversationId } })).rules
}

/** Names and patterns come from tools: nothing in them reaches the terminal as more than text. */
function lineOf({ ruleId, effect, tool, pattern, categories }: Rule): string {
  const about = [
    tool,
    ...(pattern === undefined ? [] : [pattern]),
    ...(categories === undefined ? [] : [`(${categories.join(', ')})`]),
  ]
  return [ruleId, effect, about.join(' ')].map(plainText).join('  ')
}

async function withApi({ dataDir }: Pick<RulesOptions, 'dataDir'>, work: (api: Api) => Promise<void>): Promise<number> {
  const session = await openSession({ detect: false, ...(dataDir === undefined ? {} : { dataDir }) })
  try {
    await work(session.api)
    return 0
  } finally {
    await session.close()
  }
}
