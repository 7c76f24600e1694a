import { type ExternalAgentRow, type ExternalAgentTest, routes } from '@holdfast/protocol'
import { CliError } from '../../../cli-error.ts'
import { withApi } from '../../reach/with-api.ts'
import { plainText } from '../../terminal/plain-text.ts'

/** How long the server may look at an agent, in milliseconds: longer than the minute after which it ends it. [CLI47] */
export const LOOK_MS = 90_000

/** What every command about external agents was told. */
export interface ExternalOptions {
  readonly dataDir?: string
  readonly json: boolean
}

/** What `holdfast agents external add` was told beside name and command. */
export interface ExternalAddOptions extends ExternalOptions {
  readonly id?: string
  readonly env?: readonly string[]
}

/** Says which there are, and how to install those that are not. @returns the exit code. [CLI33] */
export function listExternals({ json, ...options }: ExternalOptions): Promise<number> {
  return withApi(options, async (api) => {
    const { agents } = await api.call(routes.listExternalAgents, {})
    for (const row of agents) print(json ? JSON.stringify(row) : lineOf(row))
    return 0
  })
}

/** Adds one. Nothing is started. @returns the exit code. [CLI33] */
export function addExternal({
  name,
  command: words,
  ...asked
}: { readonly name: string; readonly command: readonly string[] } & ExternalAddOptions): Promise<number> {
  const { json, id, env, ...options } = asked
  const [command, ...args] = words
  if (command === undefined)
    throw new CliError(
      'E_USAGE',
      2,
      `Say which program ${name} is: holdfast agents external add "${name}" -- COMMAND ARGS`,
    )
  const body = {
    name,
    command,
    args,
    ...(id === undefined ? {} : { id }),
    ...(env === undefined ? {} : { env: variablesOf(env) }),
  }
  return withApi(options, async (api) => {
    const row = await api.call(routes.addExternalAgent, { body })
    if (json) print(JSON.stringify(row))
    else process.stderr.write(`${plainText(addedWords(row))}\n`)
    return 0
  })
}

/** Starts one, says what it is, and ends it. @returns the exit code: 1 when it does not work. [CLI34] */
export function testExternal(id: string, { json, ...options }: ExternalOptions): Promise<number> {
  return withApi(options, async (api) => {
    process.stderr.write(`Starting ${plainText(plainId(id))}. It is asked for nothing and ended again.\n`)
    const found = await api.call(routes.testExternalAgent, { params: { id: plainId(id) }, answerMs: LOOK_MS })
    print(json ? JSON.stringify(found) : testWords(plainId(id), found))
    return found.type === 'works' ? 0 : 1
  })
}

/** Removes one that was added. @returns the exit code. [CLI33] */
export function removeExternal(id: string, { json, ...options }: ExternalOptions): Promise<number> {
  return withApi(options, async (api) => {
    const removed = await api.call(routes.removeExternalAgent, { params: { id: plainId(id) } })
    if (json) print(JSON.stringify(removed))
    else process.stderr.write(`Removed ${plainText(removed.id)}. Conversations with it stay readable.\n`)
    return 0
  })
}

/** In conversations it is called `external:ID`; both are taken. */
function plainId(id: string): string {
  return id.replace(/^external:/, '')
}

function variablesOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      // The value may be a secret: it is not repeated.
      if (at < 1) throw new CliError('E_USAGE', 2, 'Give each variable as NAME=VALUE.')
      return [text.slice(0, at).trim(), text.slice(at + 1)]
    }),
  )
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function commandOf({ command, args }: ExternalAgentRow): string {
  return [command, ...args].join(' ')
}

function lineOf(row: ExternalAgentRow): string {
  const install = row.install === null ? '' : `; to install it: ${row.install}`
  const state = row.problem ?? (row.isInstalled ? 'installed' : `not installed${install}`)
  return [row.name, `external:${row.id}`, row.source, commandOf(row), state]
    .map((word) => plainText(word).replace(/\s+/g, ' '))
    .join('  ')
}

function addedWords(row: ExternalAgentRow): string {
  const missing = row.isInstalled ? '' : ` Its program is not there yet: ${row.command}.`
  return `Added ${row.name} as external:${row.id}. It runs with all rights of the account that runs Holdfast, exactly this:\n  ${commandOf(row)}\nTry it: holdfast agents external test ${row.id}${missing}`
}

function testWords(id: string, found: ExternalAgentTest): string {
  const signIns = found.signIns.map((words) => `  ${words}`)
  if (found.type === 'fails')
    return [`${id} does not work: ${found.text}`, ...(signIns.length === 0 ? [] : ['Ways to sign in:', ...signIns])]
      .map(plainText)
      .join('\n')
  const { version, protocolVersion, tookMs, modes, askMode } = found
  const held =
    modes.length === 0
      ? 'It has no modes.'
      : `Modes: ${modes.map(({ name }) => name).join(', ')}. ${askMode === null ? 'None is known to ask first: it decides itself what it asks.' : `Held in: ${modes.find((mode) => mode.id === askMode)?.name ?? askMode}.`}`
  return [
    `${id} works: version ${version ?? 'not told'}, protocol ${protocolVersion}, ready in ${(tookMs / 1_000).toFixed(1)} s. Nothing was asked of a model.`,
    held,
    ...(signIns.length === 0 ? [] : ['Ways to sign in, if it asks for it:', ...signIns]),
  ]
    .map(plainText)
    .join('\n')
}
