import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'

const Endpoint = z.url({ protocol: /^https?$/ }).max(2_000)

/** A browser as it gives itself to be told. https://www.w3.org/TR/push-api/ */
export const PushSubscription = z.strictObject({
  endpoint: Endpoint,
  keys: z.strictObject({ p256dh: z.string().min(1).max(200), auth: z.string().min(1).max(100) }),
})
export type PushSubscription = z.infer<typeof PushSubscription>

/** Browsers that are told what happens while no page is open. */
export const pushRoutes = {
  readPushSubscriptions: {
    method: 'GET',
    path: '/push-subscriptions',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    /** `publicKey`: what a browser asks for, in base64url; null where this server tells nobody. */
    answers: { 200: z.object({ publicKey: z.string().nullable(), browsers: z.int().nonnegative() }) },
  },
  addPushSubscription: {
    method: 'POST',
    path: '/push-subscriptions',
    access: 'user',
    params: nothing,
    query: nothing,
    body: PushSubscription,
    answers: { 201: z.object({ browsers: z.int().nonnegative() }) },
  },
  removePushSubscription: {
    method: 'DELETE',
    path: '/push-subscriptions',
    access: 'user',
    params: nothing,
    query: z.strictObject({ endpoint: Endpoint }),
    body: nothing,
    answers: { 200: z.object({ browsers: z.int().nonnegative() }) },
  },
} as const satisfies Readonly<Record<string, Route>>
