import type { HttpReach, StdioReach } from './server-settings.ts'

/** Shorter values are words such as `true` that stand everywhere. */
const SHORTEST = 6

/** Takes the values of a server's variables and headers out of what it prints. [SEC4] */
export function hideSecretsOf(reach: StdioReach | HttpReach): (text: string) => string {
  const values = Object.values(reach.type === 'http' ? reach.headers : reach.environment)
    .flatMap((value) => [value, value.replace(/^[A-Za-z]+ /, '')])
    .filter((value) => value.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
  return (text) => values.reduce((hidden, value) => hidden.replaceAll(value, '[hidden]'), text)
}
