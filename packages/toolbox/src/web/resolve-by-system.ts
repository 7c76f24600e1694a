import { lookup } from 'node:dns/promises'
import { unlessAborted } from '@holdfast/conversation'

/** Resolves names as the system does, hosts file and all. */
export async function resolveBySystem(
  name: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  signal.throwIfAborted()
  // The system's resolver hears no signal: its answer is then left behind.
  const answers = await unlessAborted(lookup(name, { all: true, order: 'verbatim' }), signal)
  return answers.map(({ address }) => address)
}
