import { say } from '../shared/language/say.ts'

/** The browser and the system, as far as the browser says. */
export function browserName(userAgent: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent ?? '')?.[1]
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent ?? '')?.[1]
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }
  const [known, under] = [browser, system].map((word) => (word === undefined ? undefined : (names[word] ?? word)))
  if (known && under) return say('account.browser-on', { browser: known, system: under })
  return known ?? under ?? (userAgent ?? say('account.unknown-browser')).slice(0, 60)
}
