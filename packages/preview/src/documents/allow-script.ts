/** What of ours a page has to let run. */
export interface OwnScript {
  /** Its whole address. */
  readonly url: string
  /** Chosen for this document. */
  readonly nonce: string
}

/** The policies of a document with our script among what they allow, and whether the script needs its nonce. */
export interface AllowedScript {
  readonly policy: string
  readonly needsNonce: boolean
}

/**
 * A `Content-Security-Policy` that lets one more script run and is else what it was. It goes into `script-src-elem`,
 * for what allows inline code, `eval`, workers and everything else to stay as strict. An address counts for nothing
 * beside 'strict-dynamic', and a nonce would turn 'unsafe-inline' off: each is used where it does no harm. [PREV3]
 */
export function allowScript(policies: string, script: OwnScript): AllowedScript {
  let needsNonce = false
  const allowed = policies.split(',').map((policy) => {
    const directives = policy.split(';').flatMap((text) => {
      const [name, ...sources] = text.trim().split(/\s+/)
      return name ? [{ name: name.toLowerCase(), sources, text: text.trim() }] : []
    })
    // The first of a name counts (CSP 3, 2.2.1).
    const first = (name: string) => directives.find((one) => one.name === name)
    const elements = first('script-src-elem')
    const effective = elements ?? first('script-src') ?? first('default-src')
    if (effective === undefined) return directives.map(({ text }) => text).join('; ')
    const isDynamic = effective.sources.some((source) => source.toLowerCase() === "'strict-dynamic'")
    if (isDynamic) needsNonce = true
    const own = isDynamic ? `'nonce-${script.nonce}'` : script.url
    const others = effective.sources.filter((source) => source.toLowerCase() !== "'none'")
    const widened = ['script-src-elem', ...others, own].join(' ')
    if (elements) return directives.map((one) => (one === elements ? widened : one.text)).join('; ')
    return [...directives.map(({ text }) => text), widened].join('; ')
  })
  return { policy: allowed.filter((policy) => policy !== '').join(', '), needsNonce }
}

/** Policies without what they say of who may show the page in a frame: previews have an answer of their own to that. */
export function withoutFrameAncestors(policies: string): string {
  return policies
    .split(',')
    .map((policy) =>
      policy
        .split(';')
        .map((text) => text.trim())
        .filter((text) => text !== '' && !/^frame-ancestors(?:\s|$)/i.test(text))
        .join('; '),
    )
    .filter((policy) => policy !== '')
    .join(', ')
}
