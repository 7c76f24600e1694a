import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'
import { Role, Scope } from '../parts/who-may.ts'

/** The fewest characters of a password; nothing is asked of which they are. */
export const MIN_PASSWORD_LENGTH = 12

/** The most. */
export const MAX_PASSWORD_LENGTH = 200

/** A password that someone chooses. */
export const NewPassword = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH)

const Email = z.email().max(254)
const PersonName = z.string().trim().min(1).max(80)
const time = z.int().nonnegative()

/** What someone may spend in a calendar day or month (UTC), over all their conversations, in US dollars. [COST7] */
export const PersonBudget = z.strictObject({
  limitUsd: z.number().positive().max(1_000_000),
  period: z.enum(['day', 'month']),
})
export type PersonBudget = z.infer<typeof PersonBudget>

/** A person with an account. Times are milliseconds since the Unix epoch. */
export const Account = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  /** A disabled account can do nothing; what belongs to it stays. */
  disabled: z.boolean(),
  /** Null where they may spend what they like. */
  budget: PersonBudget.nullable(),
  createdAt: time,
})
export type Account = z.infer<typeof Account>

/** Who has just signed in, with the key that the page shows beside its cookie: neither opens alone. [SEC19] */
export const SignedInAccount = Account.extend({ pageKey: z.string() })
export type SignedInAccount = z.infer<typeof SignedInAccount>

/** One browser in which someone is signed in. */
export const SessionRow = z.object({
  id: z.string(),
  createdAt: time,
  /** When it was last extended by being used; not every use does. */
  extendedAt: time,
  expiresAt: time,
  address: z.string().nullable(),
  browser: z.string().nullable(),
  /** Whether the request that asks comes from it. */
  isCurrent: z.boolean(),
})
export type SessionRow = z.infer<typeof SessionRow>

/** An API key without what opens. */
export const ApiKeyRow = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  /** How it begins, so that it can be told from others. */
  beginning: z.string(),
  createdAt: time,
  /** Null for never. */
  expiresAt: time.nullable(),
  /** To the hour; null where it was not used yet. */
  usedAt: time.nullable(),
})
export type ApiKeyRow = z.infer<typeof ApiKeyRow>

const done = z.object({ done: z.literal(true) })
const user = z.object({ userId: OutsideId })

/** The routes about accounts, sign-ins and keys. Without accounts only the first two do anything. */
export const accountRoutes = {
  readSignInState: {
    method: 'GET',
    path: '/auth/state',
    access: 'anyone',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: {
      200: z.object({
        mode: z.enum(['token', 'accounts']),
        /** Whether there is no account yet, and the link of the terminal makes the first one. */
        needsSetup: z.boolean(),
        minPasswordLength: z.int().positive(),
      }),
    },
  },
  whoAmI: {
    method: 'GET',
    path: '/auth/me',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: {
      200: z.object({
        userId: z.string(),
        role: Role,
        scopes: z.array(Scope),
        /** Null in token mode, and for the operator's start-up token. */
        account: Account.nullable(),
        /** What of their budget is used, and when it begins anew; null for none. [COST7] */
        budget: PersonBudget.extend({ spentUsd: z.number().nonnegative(), endsAt: time }).nullable(),
      }),
    },
  },
  setUp: {
    method: 'POST',
    path: '/auth/setup',
    access: 'anyone',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      token: z.string().min(1).max(500),
      name: PersonName,
      email: Email,
      password: NewPassword,
    }),
    answers: { 201: SignedInAccount },
  },
  signIn: {
    method: 'POST',
    path: '/auth/sign-in/email',
    access: 'anyone',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      email: z.string().min(1).max(254),
      password: z.string().min(1).max(MAX_PASSWORD_LENGTH),
      /** Whether the browser stays signed in when it is closed. */
      rememberMe: z.boolean().exactOptional(),
    }),
    answers: { 200: SignedInAccount },
  },
  signOut: {
    method: 'POST',
    path: '/auth/sign-out',
    access: 'user',
    scope: 'session',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: done },
  },
  listSignIns: {
    method: 'GET',
    path: '/auth/sessions',
    access: 'user',
    scope: 'session',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ sessions: z.array(SessionRow) }) },
  },
  endSignIn: {
    method: 'DELETE',
    path: '/auth/sessions/:sessionId',
    access: 'record',
    scope: 'session',
    params: z.object({ sessionId: OutsideId }),
    query: nothing,
    body: nothing,
    answers: { 200: done },
  },
  endOtherSignIns: {
    method: 'POST',
    path: '/auth/sessions/end-others',
    access: 'user',
    scope: 'session',
    params: nothing,
    query: nothing,
    /** The API keys are taken away too where that is asked for. [SEC25] */
    body: z.strictObject({ removeKeys: z.boolean().exactOptional() }).nullish(),
    answers: { 200: done },
  },
  changePassword: {
    method: 'POST',
    path: '/auth/change-password',
    access: 'user',
    scope: 'session',
    params: nothing,
    query: nothing,
    /** All other sign-ins end, and the API keys are taken away unless they are to be kept. [SEC25] */
    body: z.strictObject({
      currentPassword: z.string().min(1).max(MAX_PASSWORD_LENGTH),
      newPassword: NewPassword,
      keepKeys: z.boolean().exactOptional(),
    }),
    answers: { 200: done },
  },
  listKeys: {
    method: 'GET',
    path: '/auth/keys',
    access: 'user',
    scope: 'session',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ keys: z.array(ApiKeyRow) }) },
  },
  makeKey: {
    method: 'POST',
    path: '/auth/keys',
    access: 'user',
    scope: 'session',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      name: PersonName,
      scopes: z.array(Scope).min(1).max(4),
      expiresInDays: z.int().min(1).max(3_650).exactOptional(),
    }),
    /** `key` is shown this once. */
    answers: { 201: z.object({ key: z.string(), row: ApiKeyRow }) },
  },
  removeKey: {
    method: 'DELETE',
    path: '/auth/keys/:keyId',
    access: 'record',
    scope: 'session',
    params: z.object({ keyId: OutsideId }),
    query: nothing,
    body: nothing,
    answers: { 200: done },
  },
  listUsers: {
    method: 'GET',
    path: '/users',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ users: z.array(Account) }) },
  },
  addUser: {
    method: 'POST',
    path: '/users',
    access: 'admin',
    scope: 'session',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      name: PersonName,
      email: Email,
      role: Role.default('user'),
      /** Without one it is made, and shown this once. */
      password: NewPassword.exactOptional(),
    }),
    answers: { 201: z.object({ user: Account, madePassword: z.string().nullable() }) },
  },
  changeUser: {
    method: 'PATCH',
    path: '/users/:userId',
    access: 'admin',
    scope: 'session',
    params: user,
    query: nothing,
    body: z.strictObject({
      name: PersonName.exactOptional(),
      role: Role.exactOptional(),
      disabled: z.boolean().exactOptional(),
      /** Null takes it away. */
      budget: PersonBudget.nullable().exactOptional(),
    }),
    answers: { 200: Account },
  },
  resetPassword: {
    method: 'POST',
    path: '/users/:userId/reset-password',
    access: 'admin',
    scope: 'session',
    params: user,
    query: nothing,
    /** Without a password one is made, and shown this once. All sign-ins of the user end, and their API keys are taken away. */
    body: z.strictObject({ password: NewPassword.exactOptional() }),
    answers: { 200: z.object({ user: Account, madePassword: z.string().nullable() }) },
  },
} as const satisfies Readonly<Record<string, Route>>
