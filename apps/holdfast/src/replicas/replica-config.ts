import { CliError } from '../cli-error.ts'

/** How servers of one database hear of each other. */
export interface ReplicaConfig {
  /** Where Redis is; null for none: then they hear through the database alone. */
  readonly redisUrl: string | null
  /**
   * Where a session of PostgreSQL can be opened that stays, past a pooler in transaction mode; null for the address that all
   * else uses.
   */
  readonly databaseDirectUrl: string | null
}

/** What is done instead of what HOLDFAST_REDIS_URL asks for, where there is nobody to talk to. [RUN13] */
export const REDIS_UNUSED =
  'HOLDFAST_REDIS_URL is set, and not used: without HOLDFAST_DATABASE_URL one server alone has everything in its data folder'

/** @throws {CliError} for an address that is none. */
export function readReplicaConfig(variable: (name: string) => string | undefined): ReplicaConfig {
  const redisUrl = variable('HOLDFAST_REDIS_URL') ?? null
  if (redisUrl !== null && !isRedisUrl(redisUrl)) {
    throw new CliError(
      'E_CONFIG',
      2,
      'HOLDFAST_REDIS_URL is an address such as redis://USER:PASSWORD@HOST:PORT, or rediss:// with TLS, with special characters of the password percent-encoded (# is %23, / is %2F, @ is %40). Leave it out to do without Redis.',
    )
  }
  const databaseDirectUrl = variable('HOLDFAST_DATABASE_DIRECT_URL') ?? null
  if (databaseDirectUrl !== null && !/^postgres(ql)?:\/\/./.test(databaseDirectUrl)) {
    throw new CliError(
      'E_CONFIG',
      2,
      'HOLDFAST_DATABASE_DIRECT_URL is an address that begins with postgres://. Leave it out where HOLDFAST_DATABASE_URL does not lead through a pooler.',
    )
  }
  return { redisUrl, databaseDirectUrl }
}

/** A `#` or `/` in a password ends it early, and the rest of it would be taken for something else. */
function isRedisUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol)) return false
  return url.hostname !== '' && url.hash === '' && /^(\/\d*)?$/.test(url.pathname)
}
