import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'

/** The routes by which pages and commands of the terminal come in. */
export const doorRoutes = {
  /** A ticket opens one address for a minute, beside the cookie: for what a browser loads by itself, such as a file. [SEC19] */
  makeTicket: {
    method: 'POST',
    path: '/auth/tickets',
    access: 'user',
    scope: 'session',
    params: nothing,
    query: nothing,
    /** The path and the query, as they will be asked for. */
    body: z.strictObject({ target: z.string().min(1).max(4_000).startsWith('/') }),
    answers: { 201: z.object({ ticket: z.string() }) },
  },
  /** The server shows that it has the start-up token, before a command sends it anything that is secret. [SEC21] */
  proveServer: {
    method: 'POST',
    path: '/auth/proof',
    access: 'anyone',
    params: nothing,
    query: nothing,
    body: z.strictObject({ challenge: z.string().min(20).max(200) }),
    answers: { 200: z.object({ proof: z.string() }) },
  },
  /** Another start-up token counts from now on, and every session ends. Only for who has the present one. [SEC22] */
  rotateStartUpToken: {
    method: 'POST',
    path: '/auth/rotate-token',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ done: z.literal(true) }) },
  },
} as const satisfies Readonly<Record<string, Route>>
