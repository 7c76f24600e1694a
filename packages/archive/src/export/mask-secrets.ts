import { type Entry, readStoredEntry, UPCASTS } from '@holdfast/conversation'

/** What is masked in an export that is given away, by how it looks. */
export interface SecretCounts {
  /** Keys, tokens and passwords. */
  readonly keys: number
  readonly mailAddresses: number
  /** Names of home folders, which are often those of people. */
  readonly homeFolders: number
}

/** Masks what looks like a secret, and counts it. A mask is never longer than what it stands for. */
export interface SecretMask {
  text(words: string): string
  /** Every word of an entry; ids, hashes and what only a provider reads stay. */
  entry(entry: Entry): Entry
  counts(): SecretCounts
}

interface Look {
  readonly kind: keyof SecretCounts
  /** Its repetitions are bounded, so that no text takes more than linear time. The first group stays, if there is one. */
  readonly pattern: RegExp
  readonly mask: string
}

const LOOKS: readonly Look[] = [
  {
    kind: 'keys',
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    mask: '[key]',
  },
  {
    kind: 'keys',
    pattern:
      /(?<![A-Za-z0-9])(?:sk-[\w-]{16,500}|[sr]k_(?:live|test)_\w{10,200}|gh[pousr]_\w{20,300}|github_pat_\w{20,300}|glpat-[\w-]{16,200}|xox[abeprs]-[\w-]{10,300}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,100}|hf_[\w-]{20,100}|npm_\w{30,100}|eyJ[\w-]{8,4000}\.[\w-]{8,8000}\.[\w-]{0,4000})/g,
    mask: '[key]',
  },
  { kind: 'keys', pattern: /(?<![A-Za-z0-9])(Bearer {1,3})[\w.~+/-]{16,4000}=*/gi, mask: '[key]' },
  {
    // Letters of one kind alone are a word: `Basic understanding`.
    kind: 'keys',
    pattern: /(?<![A-Za-z0-9])(Basic {1,3})(?=[A-Za-z]{0,200}(?:[0-9+/=]|[a-z][A-Z]))[A-Za-z0-9+/]{8,4000}={0,2}/g,
    mask: '[key]',
  },
  {
    kind: 'keys',
    pattern:
      /(?<![A-Za-z0-9])((?:api[_-]?key|access[_-]?key|secret|token|password|passwd|pwd)[\\"']{0,3} {0,3}[:=] {0,3}[\\"']{0,3})(?=[^\s"'`,;&\\]{0,200}\d)[^\s"'`,;&\\[]{8,500}/gi,
    mask: '[key]',
  },
  {
    // A variable of an environment needs no figure to be a secret.
    kind: 'keys',
    pattern:
      /(?<![A-Za-z0-9_])([A-Z0-9_]{0,60}(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|PWD)(?:_[A-Z0-9_]{0,30})?=["']?)[^\s"'`,;&\\[$)]{8,500}/g,
    mask: '[key]',
  },
  {
    // Up to the last `@` before a host, for a password may have one, and a `/`; figures up to a `/` are a port.
    kind: 'keys',
    pattern: /(:\/\/[^\s/:@]{1,100}:)(?!\d{1,5}[/?#])[^\s"'`<>*]{1,200}(?=@[A-Za-z0-9[])/g,
    mask: '*',
  },
  {
    kind: 'mailAddresses',
    pattern: /(?<![\w.%+-])(?!git@)[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])/g,
    mask: '[mail]',
  },
  { kind: 'homeFolders', pattern: /(?<![\w.-])(\/(?:home|Users)\/)[^\s/\\"'`<>:|,;)]{1,64}/g, mask: '~' },
  { kind: 'homeFolders', pattern: /(\\{1,2}Users\\{1,2})[^\s/\\"'`<>:|,;)]{1,64}/g, mask: '~' },
]

/** Makes a mask that has counted nothing yet. */
export function createSecretMask(): SecretMask {
  const counts = { keys: 0, mailAddresses: 0, homeFolders: 0 }

  function text(words: string): string {
    let masked = words
    for (const { kind, pattern, mask } of LOOKS) {
      masked = masked.replace(pattern, (_, ...groups: readonly unknown[]) => {
        counts[kind] += 1
        return `${typeof groups[0] === 'string' && groups.length > 2 ? groups[0] : ''}${mask}`
      })
    }
    return masked
  }

  function value(known: unknown, name: string): unknown {
    if (typeof known === 'string') return isName(name) ? known : text(known)
    if (FOREIGN.has(name)) return foreign(known)
    if (Array.isArray(known)) return known.map((one) => value(one, name))
    if (typeof known !== 'object' || known === null || name === 'providerState') return known
    return Object.fromEntries(Object.entries(known).map(([key, one]) => [key, value(one, key)]))
  }

  /** Of what is not ours, the names of fields say nothing, and may be secrets themselves. */
  function foreign(known: unknown): unknown {
    if (typeof known === 'string') return text(known)
    if (Array.isArray(known)) return known.map(foreign)
    if (typeof known !== 'object' || known === null) return known
    return Object.fromEntries(Object.entries(known).map(([key, one]) => [text(key), foreign(one)]))
  }

  return { text, entry: (entry) => readStoredEntry(value(entry, ''), UPCASTS), counts: () => ({ ...counts }) }
}

/** The fields of an entry that hold what a model, a tool or a person made up, with whatever names. */
const FOREIGN: ReadonlySet<string> = new Set(['input', 'arguments', 'parameters', 'value', 'values'])

/** What names something else, and is compared with it. */
function isName(field: string): boolean {
  return field === 'type' || field === 'hash' || /(?:Id|Ids|Hash)$/.test(field)
}
