import * as z from 'zod'
import { WireEntry } from '../../frames/server-frames.ts'
import type { Route } from '../../parts/route.ts'
import { conversation, nothing } from '../../parts/route-parts.ts'

/** A place in a stream: its beginning, its end as it is now, or as many digits as each place has. */
const Offset = z.union([z.literal('-1'), z.literal('now'), z.string().regex(/^\d{16}$/)], {
  error: 'An offset is -1, now, or what stream-next-offset said',
})

/** The route for clients of Durable Streams, of which a conversation is one of the type application/json, never closed. */
export const streamRoutes = {
  /** Entries as messages: those that are there, or with `live` those that come. `HEAD` says where it ends. */
  readStream: {
    method: 'GET',
    path: '/interop/streams/:id',
    access: 'owner',
    params: conversation,
    query: z.object({
      offset: Offset.exactOptional(),
      live: z.enum(['long-poll', 'sse']).exactOptional(),
      /** The last `stream-cursor` that the client was given. */
      cursor: z
        .string()
        .regex(/^\d{1,15}$/)
        .exactOptional(),
    }),
    body: nothing,
    answers: { 200: z.array(WireEntry), 204: nothing, 304: nothing },
  },
} as const satisfies Readonly<Record<string, Route>>
