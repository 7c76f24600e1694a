/** Where a model gets the bodies that a request names. */
export interface BlobSource {
  /** The content of a blob by its hash. Rejects when there is none. [LOG11] */
  read(hash: string): Promise<Uint8Array>
}

/** For programs that send neither pictures nor files. */
export const noBlobs: BlobSource = {
  read: async (hash) => {
    throw new Error(`There is no blob ${hash}: this program was set up without pictures and files`)
  },
}
