import type { Log } from '@holdfast/server'

/** Writes one JSON line for each message to stderr; only errors when it is to be quiet. */
export function createStderrLog({ quiet }: { readonly quiet: boolean }): Log {
  function write(level: string, message: string, fields: Readonly<Record<string, unknown>>): void {
    if (quiet && level !== 'error') return
    const plain = Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? describe(value) : value,
    ])
    process.stderr.write(
      `${JSON.stringify({ at: new Date().toISOString(), level, message, ...Object.fromEntries(plain) })}\n`,
    )
  }
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  }
}

function describe(error: Error): Record<string, unknown> {
  return { name: error.name, message: error.message, stack: error.stack }
}
