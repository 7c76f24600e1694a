import { API_PATH } from '@holdfast/protocol'
import type { Served } from './serve.ts'

/** What someone sends with every request. */
export type Credentials = Readonly<Record<string, string>>

/** What a browser sends after a sign-in: the cookie, and the key that its page has kept. */
export function pageOf({ cookie, body }: Answered): Credentials {
  const { pageKey } = body as { pageKey: string }
  return { cookie, 'holdfast-page-key': pageKey }
}

/** An answer, read. */
export interface Answered {
  readonly status: number
  readonly body: unknown
  /** The cookies that were set, as they are sent back. */
  readonly cookie: string
}

/** The password of everyone in these tests. */
export const PASSWORD = 'correct horse battery'

/** Sends a request as a page of the server would. */
export async function send(
  { url }: Pick<Served, 'url'>,
  [method, path]: readonly [string, string],
  { as, body }: { readonly as: Credentials; readonly body?: unknown },
): Promise<Answered> {
  const answer = await fetch(url + API_PATH + path, {
    method,
    headers: { origin: url, ...as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .join('; ')
  return { status: answer.status, body: await answer.json(), cookie }
}

/** Makes the first account, and gives what its page sends. */
export async function setUp(served: Served): Promise<Credentials> {
  const token = served.accounts?.setupToken() ?? ''
  const body = { token, name: 'Ada', email: 'ada@example.org', password: PASSWORD }
  return pageOf(await send(served, ['POST', '/auth/setup'], { as: {}, body }))
}

/** Adds a user, as an admin, and signs in as that user. */
export async function addUser(
  served: Served,
  admin: Credentials,
  { email, role }: { readonly email: string; readonly role: 'user' | 'admin' },
): Promise<Credentials> {
  const body = { name: email.split('@')[0], email, role, password: PASSWORD }
  await send(served, ['POST', '/users'], { as: admin, body })
  return signIn(served, email)
}

/** Signs in, and gives what the page sends. */
export async function signIn(served: Served, email: string): Promise<Credentials> {
  return pageOf(await send(served, ['POST', '/auth/sign-in/email'], { as: {}, body: { email, password: PASSWORD } }))
}

/** Makes an API key, and gives what is sent with it. */
export async function makeKey(
  served: Served,
  as: Credentials,
  scopes: readonly string[],
): Promise<{ readonly bearer: Credentials; readonly keyId: string; readonly key: string }> {
  const { body } = await send(served, ['POST', '/auth/keys'], { as, body: { name: 'a script', scopes } })
  const { key, row } = body as { key: string; row: { id: string } }
  return { bearer: { authorization: `Bearer ${key}` }, keyId: row.id, key }
}
