import { API_PATH, SOCKET_PATH } from '@holdfast/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { addUser, type Credentials, makeKey, PASSWORD, send, setUp, signIn } from './support/people.ts'
import { type Served, serve } from './support/serve.ts'

const IS_FULL = process.env['HOLDFAST_FULL'] === '1'

/** How often each way is tried. */
const TRIALS = IS_FULL ? 100 : 1

/** How long what was withdrawn may still be open, in milliseconds; measured in the full count, on a machine that has time. */
const LIMIT_MS = IS_FULL ? 5_000 : Number.POSITIVE_INFINITY

const MANY = { max: 1_000_000, windowMs: 60_000 }
const EMAIL = 'bob@example.org'

let served: Served
let admin: Credentials
let userId = ''
let conversationId = ''
let keeper: Credentials

beforeAll(async () => {
  served = await serve({ webRoot: null, withAccounts: true, rateLimits: { api: MANY, signIn: MANY, account: MANY } })
  admin = await setUp(served)
  keeper = await addUser(served, admin, { email: EMAIL, role: 'user' })
  userId = ((await send(served, ['GET', '/auth/me'], { as: keeper })).body as { userId: string }).userId
  const made = await send(served, ['POST', '/conversations'], { as: keeper, body: { commandId: 'create' } })
  conversationId = (made.body as { id: string }).id
})

afterAll(async () => {
  await served.close()
})

/** A socket and a stream of events that someone has open. */
interface Lines {
  /** Resolves when both have ended, with the socket's code. */
  readonly ended: Promise<number>
}

async function openLines(as: Credentials): Promise<Lines> {
  const headers = { origin: served.url, ...as }
  const socket = new WebSocket(served.url.replace('http', 'ws') + SOCKET_PATH, { headers })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const code = new Promise<number>((resolve) => socket.once('close', resolve))
  const path = `${API_PATH}/conversations/${conversationId}/entries?after=0&live=sse`
  const stream = await fetch(served.url + path, { headers })
  expect(stream.status).toBe(200)
  const reader = stream.body?.getReader()
  await reader?.read()
  return { ended: Promise.all([code, untilEnd(reader)]).then(([closeCode]) => closeCode) }
}

/** A stream that is cut fails; one that ends is done. */
async function untilEnd(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  try {
    while (!(await reader?.read())?.done);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/** One way to take away what someone came in with: makes the credential, and then withdraws it. */
interface Way {
  readonly name: string
  readonly open: () => Promise<{ readonly as: Credentials; readonly withdraw: () => Promise<unknown> }>
  /** Makes the next trial possible. */
  readonly restore?: () => Promise<unknown>
}

const change = (body: object) => send(served, ['PATCH', `/users/${userId}`], { as: admin, body })

const session = (withdraw: (as: Credentials) => Promise<unknown>) => async () => {
  const as = await signIn(served, EMAIL)
  return { as, withdraw: () => withdraw(as) }
}

const key = (withdraw: (keyId: string) => Promise<unknown>) => async () => {
  const { bearer, keyId } = await makeKey(served, keeper, ['read'])
  return { as: bearer, withdraw: () => withdraw(keyId) }
}

const enable = async () => {
  await change({ disabled: false })
  keeper = await signIn(served, EMAIL)
  const { body } = await send(served, ['GET', '/auth/keys'], { as: keeper })
  for (const { id } of (body as { keys: { id: string }[] }).keys)
    await send(served, ['DELETE', `/auth/keys/${id}`], { as: keeper })
}

const WAYS: readonly Way[] = [
  { name: 'by signing out', open: session((as) => send(served, ['POST', '/auth/sign-out'], { as, body: {} })) },
  {
    name: 'by ending the session from another one',
    open: session(async () => {
      const { body } = await send(served, ['GET', '/auth/sessions'], { as: keeper })
      const { sessions } = body as { sessions: { id: string; isCurrent: boolean }[] }
      for (const { id, isCurrent } of sessions)
        if (!isCurrent) await send(served, ['DELETE', `/auth/sessions/${id}`], { as: keeper })
    }),
  },
  {
    name: 'by ending all others',
    open: session(() => send(served, ['POST', '/auth/sessions/end-others'], { as: keeper, body: {} })),
  },
  {
    name: 'by another password',
    open: session(() =>
      send(served, ['POST', '/auth/change-password'], {
        as: keeper,
        body: { currentPassword: PASSWORD, newPassword: PASSWORD },
      }),
    ),
  },
  {
    name: 'by an admin who gives another password',
    open: session(() =>
      send(served, ['POST', `/users/${userId}/reset-password`], { as: admin, body: { password: PASSWORD } }),
    ),
    restore: async () => {
      keeper = await signIn(served, EMAIL)
    },
  },
  { name: 'by an admin who disables the account', open: session(() => change({ disabled: true })), restore: enable },
  { name: 'by deleting the key', open: key((id) => send(served, ['DELETE', `/auth/keys/${id}`], { as: keeper })) },
  { name: 'by disabling the account of a key', open: key(() => change({ disabled: true })), restore: enable },
]

test.each(WAYS)(
  `[SEC1] what is withdrawn $name is over, also for what is open, trials: ${TRIALS}`,
  async ({ open, restore }) => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const { as, withdraw } = await open()
      const lines = await openLines(as)
      await withdraw()
      const began = performance.now()
      expect(await lines.ended, `trial ${trial}`).toBe(4403)
      expect(performance.now() - began, `trial ${trial}`).toBeLessThan(LIMIT_MS)
      expect(await send(served, ['GET', '/auth/me'], { as }), `trial ${trial}`).toMatchObject({ status: 401 })
      await restore?.()
    }
  },
  30_000 + TRIALS * 5_000,
)

test(`[SEC1] an admin who is made a user again is none at the next request, with every credential, trials: ${TRIALS}`, async () => {
  for (let trial = 0; trial < TRIALS; trial++) {
    await change({ role: 'admin' })
    const { bearer, keyId } = await makeKey(served, keeper, ['admin'])
    const statuses = async () => {
      const answers = [keeper, bearer].map((as) => send(served, ['GET', '/users'], { as }))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await statuses(), `trial ${trial}`).toEqual([200, 200])
    await change({ role: 'user' })
    expect(await statuses(), `trial ${trial}`).toEqual([403, 403])
    await send(served, ['DELETE', `/auth/keys/${keyId}`], { as: keeper })
  }
})
