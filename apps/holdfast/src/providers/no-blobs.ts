import { type BlobSource, ProviderError } from '@holdfast/provider'

/**
 * The source of a way to models that knows no conversation: bodies belong to conversations and are never read by their
 * hash alone. [LOG11]
 */
export const NO_BLOBS: BlobSource = {
  read: (hash) =>
    Promise.reject(
      new ProviderError('bad-request', `The request names the body ${hash}, which cannot be read for a model yet`, {}),
    ),
}
