import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { FAULTS } from '../faults/faults.ts'
import type { RequestRecord } from '../server/record.ts'
import { createStrictProvider } from '../server/strict-provider.ts'
import { readScriptFile, type ScriptFile } from './script-file.ts'

const USAGE = `holdfast-strict-provider serve [--port 4010] [--script replies.json] [--no-key]
holdfast-strict-provider faults

serve   answers on loopback until it is interrupted, and says of each request what became of it
faults  lists all faults and their places
`

const USUAL_PORT = 4_010

/**
 * The command line: `say` gets lines for people, `complain` what is wrong with what was asked for. The promise resolves with
 * the exit code, when `signal` aborts or at once where something is wrong: 2 for the command, 1 for a file or a port.
 */
export async function runCommand(asked: AskedCommand): Promise<number> {
  try {
    return await carryOut(asked)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    if (String(error.code).startsWith('ERR_PARSE_ARGS')) {
      asked.complain(`${error.message}\n\n${USAGE}`)
      return 2
    }
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error
    asked.complain(`The port cannot be used: ${error.message}. Choose another: --port 0 takes any that is free.`)
    return 1
  }
}

/** What the command is given, and where it speaks. */
export interface AskedCommand {
  readonly args: readonly string[]
  readonly say: (line: string) => void
  readonly complain: (line: string) => void
  readonly signal: AbortSignal
}

async function carryOut({ args, say, complain, signal }: AskedCommand): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: 'string' },
      script: { type: 'string' },
      'no-key': { type: 'boolean', default: false },
    },
  })
  const [command] = positionals
  if (command === 'faults') {
    for (const { name, places, outcome } of FAULTS) say(`${name}  ${outcome}  ${places.join(' ')}`)
    return 0
  }
  if (command === undefined || command === 'help') {
    say(USAGE)
    return 0
  }
  if (command !== 'serve') {
    complain(`There is no command ${JSON.stringify(command)}.\n\n${USAGE}`)
    return 2
  }
  const port = values.port === undefined ? USUAL_PORT : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    complain(`--port is a number from 0 to 65535, not ${values.port}`)
    return 2
  }
  const script = await scriptAt(values.script)
  if (typeof script === 'string') {
    complain(script)
    return 1
  }
  await serve({ port, script, requiresKey: !values['no-key'], say, signal })
  return 0
}

/** The script, or what is wrong with its file. */
async function scriptAt(path: string | undefined): Promise<ScriptFile | string> {
  if (path === undefined) return { replies: [], otherwise: undefined }
  try {
    return readScriptFile(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    const isOfFile = error instanceof SyntaxError || error instanceof RangeError
    if (isOfFile) return `${path}: ${error.message}`
    if (error instanceof Error && 'code' in error) return `${path} cannot be read: ${error.message}`
    throw error
  }
}

async function serve({
  port,
  script,
  requiresKey,
  say,
  signal,
}: {
  readonly port: number
  readonly script: ScriptFile
  readonly requiresKey: boolean
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}): Promise<void> {
  const provider = await createStrictProvider({ port, requiresKey, onDone: (record) => say(lineOf(record)) })
  try {
    provider.script(...script.replies)
    if (script.otherwise !== undefined) provider.otherwise(script.otherwise)
    say(`The strict provider answers at ${provider.url}`)
    for (const [name, url] of Object.entries(provider.urls)) say(`  ${name.padEnd(10)} ${url}`)
    const over = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => over.resolve(), { once: true })
    if (signal.aborted) over.resolve()
    await over.promise
  } finally {
    await provider.close()
  }
}

function lineOf(record: RequestRecord): string {
  const { number, format, operation, model, status, ending, usage, violations, cacheBreak } = record
  const what = `#${number} ${format ?? 'unknown'} ${operation ?? ''} ${model ?? ''} ${status ?? 'no status'} ${ending}`
  const read = usage === undefined ? '' : ` read ${usage.cacheReadTokens} of ${inputOf(record)} tokens`
  const lost =
    cacheBreak === undefined ? '' : ` (${cacheBreak.lostTokens} lost: ${cacheBreak.reason} ${cacheBreak.path ?? ''})`
  const refused = violations.map(({ rule, message }) => `\n    ${rule} ${message}`).join('')
  return what + read + lost + refused
}

function inputOf({ usage }: RequestRecord): number {
  if (usage === undefined) return 0
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens
}
