import { ErrorReply } from '@redis/client'

/** Why Redis cannot be used, in words; never its address, which may hold a password. */
export function redisReason(error: unknown): string {
  if (error instanceof ErrorReply && /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/.test(error.message))
    return `it refused the user or the password (${error.message})`
  if (error instanceof AggregateError) return error.errors.map(redisReason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
