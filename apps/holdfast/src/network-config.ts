import { isIP } from 'node:net'
import type { Network } from '@holdfast/server'
import { CliError } from './cli-error.ts'

/** What the command line says about how the server is reached. */
export interface NetworkOptions {
  readonly allowedHost?: readonly string[]
  readonly trustProxy?: readonly string[]
  readonly basePath?: string
  readonly publicUrl?: string
}

/**
 * Reads how the server is reached. The path of the public address is the base path where no other is given.
 *
 * @throws {CliError} when something is not what it should be.
 */
export function readNetwork({ allowedHost, trustProxy, basePath, publicUrl }: NetworkOptions): Network {
  const url = publicUrl === undefined ? null : toPublicUrl(publicUrl)
  return {
    publicUrl: url,
    basePath: basePath === undefined ? (url?.pathname.replace(/(?<!\/)\/+$/, '') ?? '') : toBasePath(basePath),
    allowedHosts: (allowedHost ?? []).map(toHost),
    trustedProxies: (trustProxy ?? []).map(toRange),
  }
}

function toPublicUrl(text: string): URL {
  const url = URL.parse(text)
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isPlain || !/^https?:$/.test(url.protocol) || !isPath(url.pathname))
    throw usage(`--public-url is the address that people open, such as https://holdfast.example.org, not "${text}".`)
  return url
}

function toBasePath(text: string): string {
  const path = text.replace(/(?<!\/)\/+$/, '')
  if (path === '' || (path.startsWith('/') && isPath(path))) return path
  throw usage(`--base-path is a path such as /holdfast, of letters, digits, ".", "_", "~" and "-", not "${text}".`)
}

function isPath(path: string): boolean {
  return /^(\/[\w.~-]+)*\/?$/.test(path) && !path.split('/').some((part) => part === '.' || part === '..')
}

function toHost(text: string): string {
  if (/^(\[[0-9a-f:]+\]|[\w.-]+)(:\d{1,5})?$/i.test(text)) return text
  throw usage(`--allowed-host is a name such as holdfast.lan or holdfast.lan:8080, not "${text}".`)
}

function toRange(text: string): string {
  const [address = '', bits] = text.split('/', 2)
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most && Number(bits) > 0)
  if (family !== 0 && isRange) return text
  throw usage(`--trust-proxy is an address or a range such as 10.0.0.0/8, not "${text}".`)
}

function usage(words: string): CliError {
  return new CliError('E_USAGE', 2, words)
}
