import { globMatches } from './glob.ts'

/** Whether an address is one of a pattern such as `https://example.com/docs/*` or `https://*.example.com/*`. */
export function urlMatches(pattern: string, address: string): boolean {
  const wanted = /^(https?):\/\/([^/?#]+)(\/.*)?$/.exec(pattern)
  const url = URL.canParse(address) ? new URL(address) : null
  if (!wanted || !url || url.username !== '' || url.password !== '') return false
  const [, scheme = '', host = '', path = '/'] = wanted
  if (url.protocol !== `${scheme}:`) return false
  const isHost = host.startsWith('*.')
    ? url.host.endsWith(host.slice(1).toLowerCase())
    : url.host === host.toLowerCase()
  return isHost && globMatches(path, `${url.pathname}${url.search}`)
}
