import { expect, test } from 'vitest'
import type { ModelPart } from '../src/model-port.ts'
import { createHandOver } from '../src/wire/hand-over.ts'

const PARTS: readonly ModelPart[] = ['one', 'two', 'three'].map((text) => ({ type: 'block-delta', block: 0, text }))

test('[RUN18] parts are handed on in one call, and a promise is only where the reader pauses', async () => {
  const seen: ModelPart[] = []
  const { signal } = new AbortController()
  expect(createHandOver({ signal, onPart: (part) => void seen.push(part) }).give(PARTS)).toBeUndefined()
  expect(seen).toEqual(PARTS)
  const slow: ModelPart[] = []
  const onPart = async (part: ModelPart) => {
    slow.push(part)
  }
  const rest = createHandOver({ signal, onPart }).give(PARTS)
  expect(slow).toEqual(PARTS.slice(0, 1))
  await rest
  expect(slow).toEqual(PARTS)
})

test('[RUN19] parts of one event are handed on no further than to the stop', async () => {
  for (const pause of [undefined, Promise.resolve()]) {
    const stopping = new AbortController()
    const seen: ModelPart[] = []
    const handOver = createHandOver({
      signal: stopping.signal,
      onPart(part) {
        seen.push(part)
        stopping.abort()
        return pause
      },
    })
    await handOver.give(PARTS)
    expect(seen).toEqual(PARTS.slice(0, 1))
  }
})
