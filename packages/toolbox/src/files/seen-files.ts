/** What the agent knows of the files in this conversation, by the hash of what it was shown or wrote. */
export interface SeenFiles {
  note(path: string, hash: string | null): void
  hashOf(path: string): string | null
}

const MOST_FILES = 10_000

/** Nothing seen. The oldest goes when there are too many; such a file has to be read again before it is edited. */
export function createSeenFiles(): SeenFiles {
  const hashes = new Map<string, string>()
  return {
    note(path, hash) {
      hashes.delete(path)
      if (hash !== null) hashes.set(path, hash)
      const [oldest] = hashes.keys()
      if (hashes.size > MOST_FILES && oldest !== undefined) hashes.delete(oldest)
    },
    hashOf: (path) => hashes.get(path) ?? null,
  }
}
