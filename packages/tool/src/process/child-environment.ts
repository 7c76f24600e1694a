/** Variables that a child process may have: what programs need to find files and speak a language. */
const ENVIRONMENT_ALLOWED: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TERM', 'COLORTERM'],
])

/**
 * The environment of a child: those variables of ours that are on the list, and those given for it. Everything
 * else, keys of providers and of databases among it, stays here. [WS2, SEC4]
 */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    if (ENVIRONMENT_ALLOWED.has(name) && value !== undefined) environment[name] = value
  }
  // Node's pipes are sockets, which bash takes for a login over the network: at the first level it would read the
  // start-up file of the user.
  return { ...environment, SHLVL: '1', ...added }
}
