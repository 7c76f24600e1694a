import type { Client, NewProvider } from '@holdfast/client'

/** How often it is looked whether a provider has listed its models, and for how long at most, in milliseconds. */
const LOOK_MS = 300
const MOST_MS = 20_000

/**
 * Connects a provider, and takes it out again where it does not list its models: one that does not answer is not added
 * unasked. [UI25]
 *
 * @returns why it was taken out; null where it stays.
 * @throws {RequestFailedError}
 */
export async function connectChecked(client: Client, wish: NewProvider): Promise<string | null> {
  await client.addProvider(wish)
  const until = Date.now() + MOST_MS
  while (Date.now() < until) {
    const made = (await client.listProviders()).find(({ id }) => id === wish.id)
    if (made?.state === 'failed') {
      await client.removeProvider(wish.id)
      return made.problem ?? ''
    }
    if (made?.state !== 'asking') return null
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return null
}
