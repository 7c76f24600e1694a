import { lookup } from 'node:dns/promises'

/** Resolves names as the system does, hosts file and all. */
export async function resolveBySystem(
  name: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    // The system's resolver hears no signal: its answer is then left behind.
    const answers = await Promise.race([lookup(name, { all: true, verbatim: true }), aborted.promise])
    return answers.map(({ address }) => address)
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
