import type { StoreWriteFailure } from '@holdfast/conversation'

/** What a bucket refused, in our words. */
export interface BucketFailure {
  readonly code: StoreWriteFailure
  /** What is so, as the end of a sentence that names the bucket. */
  readonly what: string
  readonly cause: Error | null
}

/** What an answer of the service that is none says. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export function failureOfAnswer(status: number, body: string): BucketFailure {
  const said = /<Code>([\w.]+)<\/Code>/.exec(body)?.[1] ?? `HTTP ${status}`
  return { ...meaningOf(status, said), cause: null }
}

/**
 * What it says that a request brought no answer.
 *
 * @throws the error, where it is not of the line.
 */
export function failureOfRequest(error: unknown): BucketFailure {
  if (!(error instanceof Error)) throw error
  if (error.name === 'TimeoutError') return { code: 'unreachable', what: 'did not answer in time', cause: error }
  // The line's own error is the cause of what `fetch` throws, which has no class of its own.
  if (!(error instanceof TypeError && error.cause instanceof Error)) throw error
  return { code: 'unreachable', what: `cannot be reached (${reasonOf(error.cause)})`, cause: error }
}

function meaningOf(status: number, said: string): Omit<BucketFailure, 'cause'> {
  if (said === 'NoSuchBucket') return { code: 'not-writable', what: 'does not exist; make it, or correct its name' }
  if (status === 401 || status === 403)
    return {
      code: 'not-writable',
      what: `refuses the keys (${said}); give them the right to list, read, write and delete`,
    }
  if (status === 507) return { code: 'disk-full', what: `has no space left (${said})` }
  if (status === 429 || status === 503) return { code: 'busy', what: `is too busy (${said})` }
  if (status >= 500) return { code: 'disk-error', what: `has a fault (${said})` }
  return { code: 'not-writable', what: `refused the request (${said}); look at its name, region and address` }
}

function reasonOf(error: Error): string {
  if (error instanceof AggregateError)
    return error.errors.map((one) => (one instanceof Error ? one.message : one)).join('; ')
  return error.message
}
