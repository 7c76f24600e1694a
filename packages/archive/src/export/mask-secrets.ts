import { type Entry, type InParts, readStoredEntry, UPCASTS } from '@holdfast/conversation'

/** What is masked in an export that is given away, by how it looks. */
export interface SecretCounts {
  /** Keys, tokens and passwords. */
  readonly keys: number
  readonly mailAddresses: number
  /** Names of home folders, which are often those of people. */
  readonly homeFolders: number
}

/**
 * Masks what looks like a secret, and counts it. A mask is never longer than what it stands for. Long texts are work in
 * parts, so that nobody else waits for them. [SEC31]
 */
export interface SecretMask {
  text(words: string): InParts<string>
  /** Every word of an entry; ids, hashes and what only a provider reads stay. */
  entry(entry: Entry): InParts<Entry>
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

  function* text(words: string): InParts<string> {
    let masked = words
    for (const look of LOOKS) masked = yield* maskedBy(look, masked)
    return masked
  }

  function* maskedBy({ kind, pattern, mask }: Look, words: string): InParts<string> {
    const parts: string[] = []
    for (let from = 0; from < words.length; ) {
      yield
      const begin = Math.max(0, from - 1)
      const end = Math.min(words.length, from + PART_CHARS)
      const part = words.slice(begin, end + LONGEST_LOOK)
      const pieces: string[] = []
      const found = matchesIn(part, { pattern, from: from - begin, before: end - begin })
      for (const { at, matched, kept } of found) {
        counts[kind] += 1
        pieces.push(words.slice(from, begin + at), kept, mask)
        from = begin + at + matched.length
      }
      const until = Math.max(from, end)
      pieces.push(words.slice(from, until))
      parts.push(pieces.join(''))
      from = until
    }
    return parts.join('')
  }

  function* value(known: unknown, name: string): InParts<unknown> {
    if (typeof known === 'string') return isName(name) ? known : yield* text(known)
    if (FOREIGN.has(name)) return yield* foreign(known)
    if (Array.isArray(known)) {
      const values: unknown[] = []
      for (const one of known) values.push(yield* value(one, name))
      return values
    }
    if (typeof known !== 'object' || known === null || name === 'providerState') return known
    const members: [string, unknown][] = []
    for (const [key, one] of Object.entries(known)) members.push([key, yield* value(one, key)])
    return Object.fromEntries(members)
  }

  /** Of what is not ours, the names of fields say nothing, and may be secrets themselves. */
  function* foreign(known: unknown): InParts<unknown> {
    if (typeof known === 'string') return yield* text(known)
    if (Array.isArray(known)) {
      const values: unknown[] = []
      for (const one of known) values.push(yield* foreign(one))
      return values
    }
    if (typeof known !== 'object' || known === null) return known
    const members: [string, unknown][] = []
    for (const [key, one] of Object.entries(known)) members.push([yield* text(key), yield* foreign(one)])
    return Object.fromEntries(members)
  }

  return {
    text,
    *entry(entry) {
      return readStoredEntry(yield* value(entry, ''), UPCASTS)
    },
    counts: () => ({ ...counts }),
  }
}

/** Characters of a text that are looked through in one part of the work. */
const PART_CHARS = 262_144
/** More than any match has, with what is looked at behind it; before it one character is. */
const LONGEST_LOOK = 32_768

interface Match {
  readonly at: number
  readonly matched: string
  /** What stays of it, at its beginning. */
  readonly kept: string
}

/** The matches that begin within some places of a text, in their order. */
function matchesIn(
  text: string,
  { pattern, from, before }: { readonly pattern: RegExp; readonly from: number; readonly before: number },
): readonly Match[] {
  const matches: Match[] = []
  const looking = new RegExp(pattern)
  looking.lastIndex = from
  for (let match = looking.exec(text); match !== null && match.index < before; match = looking.exec(text))
    matches.push({ at: match.index, matched: match[0], kept: match[1] ?? '' })
  return matches
}

/** The fields of an entry that hold what a model, a tool or a person made up, with whatever names. */
const FOREIGN: ReadonlySet<string> = new Set(['input', 'arguments', 'parameters', 'value', 'values'])

/** What names something else, and is compared with it. */
function isName(field: string): boolean {
  return field === 'type' || field === 'hash' || /(?:Id|Ids|Hash)$/.test(field)
}
