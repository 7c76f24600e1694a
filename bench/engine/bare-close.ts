import { once } from 'node:events'
import { request } from 'node:http'
import { epochMs } from './epoch-clock.ts'
import { wordsOf } from './moment-script.ts'
import { MODEL_ID } from './open-engine.ts'

/** Asks the provider without an engine and closes the connection `afterMs` after the headers; gives the moment at which it did. */
export async function bareClose(
  url: string,
  asked: { readonly number: number; readonly afterMs: number },
): Promise<number> {
  const content = wordsOf({ type: 'bare', number: asked.number })
  const body = { model: MODEL_ID, max_tokens: 4_096, stream: true, messages: [{ role: 'user', content }] }
  const asking = request(`${url}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'key-for-benches', 'anthropic-version': '2023-06-01' },
    agent: false,
  })
  asking.on('response', (response) => response.resume().on('error', () => {}))
  asking.end(JSON.stringify(body))
  await once(asking, 'response')
  asking.on('error', () => {})
  await new Promise((resolve) => setTimeout(resolve, asked.afterMs))
  const closedAt = epochMs()
  asking.destroy()
  return closedAt
}
