import type { Diagnostics } from '@holdfast/server'

/** How much is said, from least to most. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What the log is made of. */
export interface StderrLogOptions {
  readonly level: LogLevel
  /** What no line may hold, whoever put it there: the start-up token, keys of providers. [SEC4] */
  readonly secrets: () => readonly string[]
}

/** Writes one JSON line for each message to stderr, from the level on. */
export function createStderrLog({ level: most, secrets }: StderrLogOptions): Diagnostics {
  function write(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void {
    if (LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(most)) return
    const plain = Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? describe(value) : value,
    ])
    const line = JSON.stringify({ at: new Date().toISOString(), level, message, ...Object.fromEntries(plain) })
    process.stderr.write(`${hidden(secrets(), line)}\n`)
  }
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  }
}

function hidden(secrets: readonly string[], line: string): string {
  return secrets
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .reduce((text, secret) => text.replaceAll(secret, '[hidden]'), line)
}

/** A shorter word is no secret, and hiding it would only garble the log. In characters. */
const SHORTEST_SECRET = 8

function describe(error: Error): Record<string, unknown> {
  return { name: error.name, message: error.message, stack: error.stack }
}
