import { expect, test } from 'vitest'
import { together } from './together.ts'

test('[SYNC1, SYNC2] tabs, terminals, a script on a broken line and useChat end with the same words after the server was killed in mid-answer', async () => {
  const { told, read, answers, followed, printed, streamed, admitted } = await together(50)
  expect(read).toEqual({ firstTab: told, secondTab: told, script: told })
  expect(followed).toEqual({ firstTerminal: answers, secondTerminal: answers })
  expect(admitted).toEqual(['/demo stream-long', 'hello again', 'from a third terminal', '/demo stream-slow'])
  expect(told).toHaveLength(8)
  expect(told[1]?.length).toBeGreaterThan(100)
  expect(printed).toBe(`${told[5]}\n`)
  expect(streamed).toBe(told[7])
}, 120_000)
