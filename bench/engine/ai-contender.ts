import { join } from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { streamText, toUIMessageStream } from 'ai'
import Database from 'better-sqlite3'
import type { Contender } from './contender.ts'
import { wordsOf } from './delta-script.ts'
import { MODEL_ID } from './open-engine.ts'

/** The AI SDK: `streamText`, its UI stream, and the messages written to SQLite when the turn has ended. */
export function aiContender({ folder, url }: { readonly folder: string; readonly url: string }): Promise<Contender> {
  const database = new Database(join(folder, 'ai.sqlite'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE chat (messages TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO chat (messages) VALUES (?)')
  const model = createAnthropic({ baseURL: url, apiKey: 'key-for-benches' })(MODEL_ID)
  return Promise.resolve({
    async turn(order) {
      const result = streamText({ model, prompt: wordsOf(order), maxOutputTokens: 4_096, maxRetries: 0 })
      let shown = 0
      const stream = toUIMessageStream({
        stream: result.stream,
        onEnd: ({ messages }) => {
          insert.run(JSON.stringify(messages))
        },
      })
      for await (const chunk of stream) {
        if (chunk.type === 'error') throw new Error(chunk.errorText)
        if (chunk.type === 'text-delta') shown += 1
      }
      return shown
    },
    close() {
      database.close()
      return Promise.resolve()
    },
  })
}
