import { SERVER_LIMITS } from './server-settings.ts'

/** Milliseconds before an attempt to connect; the first is 1 and comes at once. [TOOL9] */
export function pauseBefore(attempt: number): number {
  const { firstPauseMs, longestPauseMs } = SERVER_LIMITS
  return attempt <= 1 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 2))
}
