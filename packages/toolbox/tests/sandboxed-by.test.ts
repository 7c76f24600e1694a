import { expect, it } from 'vitest'
import { sandboxedBy } from '../src/shell/sandbox.ts'

it('[WS36] only commands that a sandbox confines say so of themselves', () => {
  expect(sandboxedBy({ type: 'none' })).toEqual({})
  expect(sandboxedBy({ type: 'bubblewrap' })).toEqual({ sandboxed: true })
})
