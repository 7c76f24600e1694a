/** How long and how often; in milliseconds. */
export const LANGUAGE_SERVER_LIMITS = {
  /** How long a call waits. */
  waitMs: 1_500,
  /** One that does not say in so long that it answers questions is none that can be used. */
  offerMs: 10_000,
  /** One that gives no answer for so long is ended. */
  hungMs: 60_000,
  /** One that nobody needs for so long is ended. */
  idleMs: 600_000,
  /** One that crashed so often within the time of `crashesMs` is passed over for as long. */
  crashes: 3,
  crashesMs: 600_000,
  /** Servers that run at once. */
  servers: 4,
  /** Files that are looked at for one change, and files changed before it that are looked at with them. */
  files: 20,
} as const
