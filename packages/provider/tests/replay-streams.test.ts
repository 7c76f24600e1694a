import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replayStreams } from '../corpus/replay-streams.ts'
import { ANTHROPIC_WIRE } from './support/anthropic-wire.ts'
import { CHAT_WIRE } from './support/chat-wire.ts'

const USAGE = { inputTokens: 1, cacheReadTokens: 2, outputTokens: 3 }

describe('the replay of recorded streams', () => {
  it.each(['quick', 'whole'] as const)(
    '[RUN5] finds both forms in a folder, and no difference however they are cut: %s',
    (depth) => {
      const folder = mkdtempSync(join(tmpdir(), 'streams-'))
      try {
        for (const [name, wire] of [
          ['a', ANTHROPIC_WIRE],
          ['b', CHAT_WIRE],
        ] as const) {
          const text = wire.block({ type: 'text', pieces: ['Grüße 世界', '👩‍🚀'] }, 0)
          const call = wire.block({ type: 'tool-call', callId: 'c', name: 't', pieces: ['{"a"', ':1}'] }, 1)
          const chunks = [...wire.start(USAGE), wire.ping, ...text, ...call, ...wire.end('tool-calls', USAGE)]
          writeFileSync(join(folder, `${name}.json`), JSON.stringify({ chunks }))
        }
        writeFileSync(join(folder, 'c.chunks.txt'), '{"type":"response.created"}\n')
        const { streams, otherFormats, mismatches, thrown, falseEnds, problems } = replayStreams(folder, depth)
        expect([streams, otherFormats, mismatches, thrown, falseEnds, problems]).toEqual([2, 1, 0, 0, 0, []])
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )
})
