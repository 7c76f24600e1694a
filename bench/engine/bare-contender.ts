import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Contender } from './contender.ts'
import { wordsOf } from './delta-script.ts'
import { MODEL_ID } from './open-engine.ts'

const MARK = '"text_delta"'

/** A bare HTTP client that counts the deltas in the bytes and does nothing else: what nobody who listens goes below. */
export function bareContender({ url }: { readonly url: string }): Promise<Contender> {
  return Promise.resolve({
    async turn(order) {
      const messages = [{ role: 'user', content: wordsOf(order) }]
      const body = { model: MODEL_ID, max_tokens: 4_096, stream: true, messages }
      const asking = request(`${url}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'key-for-benches' },
      })
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        asking.on('response', resolve).on('error', reject)
      })
      asking.end(JSON.stringify(body))
      const answer = await answered
      let shown = 0
      let rest = ''
      answer.on('data', (bytes: Buffer) => {
        const parts = (rest + bytes.toString('latin1')).split(MARK)
        shown += parts.length - 1
        rest = (parts.at(-1) ?? '').slice(1 - MARK.length)
      })
      await once(answer, 'end')
      return shown
    },
    close: () => Promise.resolve(),
  })
}
