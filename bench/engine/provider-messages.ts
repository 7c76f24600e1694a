import * as z from 'zod'

/** What the provider's process tells. */
export const ProviderMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), url: z.string() }),
  z.object({
    type: z.literal('request-over'),
    asked: z.object({ type: z.enum(['moment', 'go-on', 'bare']), number: z.int() }).nullable(),
    ending: z.enum(['finished', 'client-closed', 'fault', 'provider-closed']).nullable(),
    /** Milliseconds since the Unix epoch. */
    clientClosedMs: z.number().nullable(),
    operation: z.enum(['generate', 'stream', 'count-tokens', 'list-models']).nullable(),
    problems: z.array(z.string()).readonly(),
  }),
])
export type ProviderMessage = z.infer<typeof ProviderMessage>

/** A request whose response is over, as the provider saw it. */
export type RequestOver = Extract<ProviderMessage, { type: 'request-over' }>
