import type { BucketOptions } from '@holdfast/store/bucket'
import { CliError } from '../cli-error.ts'
import type { ConfigFile } from '../config-file-schema.ts'

/** The most connections to PostgreSQL that one process has where the file says nothing. */
const USUAL_CONNECTIONS = 10

const KEY_ID = 'HOLDFAST_BUCKET_KEY_ID'
const SECRET_KEY = 'HOLDFAST_BUCKET_SECRET_KEY'

/**
 * The bucket that new content of blobs goes to; null for the database. The keys are in the environment alone. [LOG32]
 *
 * @throws {CliError} when a key is missing, or the bucket's name cannot stand before the host.
 */
export function readBucket(
  { bucket }: Pick<ConfigFile, 'bucket'>,
  variable: (name: string) => string | undefined,
): BucketOptions | null {
  if (bucket === undefined) return null
  const { name, endpoint, region, prefix } = bucket
  const accessKeyId = requiredKey(KEY_ID, variable)
  const secretAccessKey = requiredKey(SECRET_KEY, variable)
  const pathStyle = bucket.pathStyle ?? endpoint !== undefined
  if (!pathStyle && name.includes('.')) {
    const why = `bucket.name: "${name}" has a dot, which no certificate of a host covers`
    throw new CliError('E_CONFIG', 2, `${why}. Set bucket.pathStyle to true.`)
  }
  return {
    name,
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    accessKeyId,
    secretAccessKey,
    pathStyle,
    prefix: prefix ?? '',
  }
}

/** The most connections to PostgreSQL that one process has at a time. */
export function readConnections({ database }: Pick<ConfigFile, 'database'>): number {
  return database?.connections ?? USUAL_CONNECTIONS
}

function requiredKey(name: string, variable: (name: string) => string | undefined): string {
  const value = variable(name)
  if (value !== undefined) return value
  const words = `bucket: the environment has no ${name}`
  throw new CliError('E_CONFIG', 2, `${words}. Set ${KEY_ID} and ${SECRET_KEY}, or take bucket out of the file.`)
}
