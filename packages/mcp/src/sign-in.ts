import { randomBytes } from 'node:crypto'
import { Json } from '@holdfast/conversation'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { isPage } from './is-page.ts'

/** What a sign-in with one server leaves behind: its registration, its tokens. All of it is secret. */
export const KeptSignIn = z.object({
  client: Json.optional(),
  tokens: Json.optional(),
  discovery: Json.optional(),
  /** Who signed in; absent where that was not noted. */
  by: z.string().optional(),
})
export type KeptSignIn = z.infer<typeof KeptSignIn>

/** Keeps the sign-ins of servers. */
export interface SignInStore {
  /** An implementer gives back what was written last, or null; it shows it to nobody else. [SEC4] */
  read(server: string): Promise<KeptSignIn | null>
  write(server: string, state: KeptSignIn): Promise<void>
}

/** Whose sign-in with a server is used: a name for people, or null where it was not noted. */
export interface SignInHolder {
  readonly by: string | null
}

/** The sign-in with one server. */
export interface SignIn {
  readonly provider: OAuthClientProvider
  /** Where a person signs in, while that is wanted. */
  url(): string | null
  /** Where the person who asks now signs in: every address that was given before leads to nothing. Null while none is wanted. */
  begin(): string | null
  /** Whose sign-in is used; null for none. */
  holder(): SignInHolder | null
  /** Learns whose sign-in was kept. */
  open(): Promise<void>
  /** Who signs in now. */
  signingIn(by: string): void
  /** Whether a callback with this state answers the sign-in that is open. */
  waitsFor(state: string): boolean
  /** Whether a callback with this state answers the sign-in that is open. It is open once. */
  takes(state: string): boolean
}

/** Signs in by OAuth, with PKCE and a state that nobody can guess. */
export function createSignIn({
  server,
  store,
  redirectUrl,
}: {
  readonly server: string
  readonly store: SignInStore
  /** Where the person comes back to; asked when it is needed, for the port is known late. */
  readonly redirectUrl: () => string
}): SignIn {
  let pending: { readonly url: string; readonly state: string } | null = null
  let openState = ''
  let holder: SignInHolder | null = null
  let signingIn: string | null = null
  let verifier = ''

  async function change(part: KeptSignIn): Promise<void> {
    await store.write(server, { ...(await store.read(server)), ...part })
  }

  const provider: OAuthClientProvider = {
    get redirectUrl() {
      return redirectUrl()
    },
    get clientMetadata() {
      return {
        client_name: 'Holdfast',
        redirect_uris: [redirectUrl()],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }
    },
    state() {
      openState = randomState()
      return openState
    },
    async clientInformation() {
      const { client } = (await store.read(server)) ?? {}
      const known = ClientInformation.safeParse(client).data
      // Registered for another address of ours: that registration is of no use here.
      return known?.redirect_uris === undefined || known.redirect_uris.includes(redirectUrl()) ? known : undefined
    },
    saveClientInformation: (client) => change({ client: storable(client) }),
    async tokens() {
      return Tokens.safeParse((await store.read(server))?.tokens).data
    },
    async saveTokens(tokens) {
      pending = null
      // Without anybody it is the same sign-in, renewed.
      const by = signingIn ?? (await store.read(server))?.by
      signingIn = null
      holder = { by: by ?? null }
      await change({ tokens: storable(tokens), ...(by === undefined ? {} : { by }) })
    },
    redirectToAuthorization(url) {
      // Shown to a person, who decides; never opened by us. Only what a browser takes for a page, over a line that
      // nobody reads along but on this machine. [SEC5]
      if (!isPage(url))
        throw new Error(`The server wants a sign-in at ${url.protocol}//${url.host}, which is no https page`)
      pending = { url: url.href, state: openState }
    },
    saveCodeVerifier(text) {
      verifier = text
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (discovery) => change({ discovery: storable(discovery) }),
    async discoveryState() {
      return Discovery.safeParse((await store.read(server))?.discovery).data
    },
    async invalidateCredentials(scope) {
      const known = (await store.read(server)) ?? {}
      const { client, tokens, discovery, by } = known
      if (scope === 'all' || scope === 'tokens') holder = null
      if (scope === 'verifier') verifier = ''
      else if (scope === 'all') await store.write(server, {})
      else if (scope === 'client') await store.write(server, { tokens, discovery, by })
      else if (scope === 'tokens') await store.write(server, { client, discovery })
      else await store.write(server, { client, tokens, by })
    },
  }

  return {
    provider,
    url: () => pending?.url ?? null,
    begin() {
      if (pending === null) return null
      const url = new URL(pending.url)
      const state = randomState()
      url.searchParams.set('state', state)
      pending = { url: url.href, state }
      return url.href
    },
    holder: () => holder,
    async open() {
      const { tokens, by } = (await store.read(server)) ?? {}
      holder = tokens === undefined ? null : { by: by ?? null }
    },
    signingIn(by) {
      signingIn = by
    },
    waitsFor: (state) => pending !== null && state !== '' && state === pending.state,
    takes(state) {
      if (pending === null || state === '' || state !== pending.state) return false
      pending = null
      return true
    },
  }
}

function randomState(): string {
  return randomBytes(32).toString('base64url')
}

/** As JSON has it: what a server did not say is absent, and not a member without a value. */
function storable(value: object): Json {
  return Json.parse(JSON.parse(JSON.stringify(value)))
}

const ClientInformation = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  redirect_uris: z.array(z.string()).optional(),
})
const Tokens = z.looseObject({
  access_token: z.string(),
  token_type: z.string(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  expires_in: z.number().optional(),
})
const Discovery = z.looseObject({ authorizationServerUrl: z.string() })
