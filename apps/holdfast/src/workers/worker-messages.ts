import * as z from 'zod'
import type { StartOptions } from '../config.ts'
import { LOG_LEVELS } from '../stderr-log.ts'

const words = z.array(z.string()).readonly().exactOptional()
const word = z.string().exactOptional()

/** What `start` was asked for, as it was asked. */
const Options = z.object({
  port: z.string(),
  host: z.string(),
  dataDir: word,
  workspace: word,
  open: z.boolean(),
  json: z.boolean(),
  detect: z.boolean(),
  logLevel: z.enum(LOG_LEVELS).exactOptional(),
  auth: word,
  workers: word,
  allowedHost: words,
  trustProxy: words,
  basePath: word,
  publicUrl: word,
  newSecretKey: z.boolean().exactOptional(),
} satisfies Record<keyof StartOptions, z.ZodType>)

const CodeTaken = z.object({ type: z.literal('code-taken'), code: z.string() })
const TokenMade = z.object({ type: z.literal('token-made'), token: z.string() })

/** What the process that has the port says to a worker. A line comes with its socket. */
export const ToWorker = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begin'),
    options: Options,
    number: z.int(),
    isFirst: z.boolean(),
    run: z.string(),
    address: z.object({ host: z.string(), port: z.int() }),
  }),
  z.object({ type: z.literal('line') }),
  z.object({ type: z.literal('code-made'), code: z.string() }),
  CodeTaken,
  TokenMade,
  z.object({ type: z.literal('end') }),
])
export type ToWorker = z.infer<typeof ToWorker>

/** What a worker says to the process that has the port. */
export const FromWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), url: z.string(), opened: z.string(), token: z.string(), link: z.string() }),
  CodeTaken,
  TokenMade,
])
export type FromWorker = z.infer<typeof FromWorker>
