import { DEMO_SCENARIOS } from '@holdfast/provider/demo'
import { expect, test } from 'vitest'
import { DEMO_NAMES } from '../src/shell/demo-names.ts'

test('[UI1] the composer offers what the demo model can show', () => {
  expect([...DEMO_NAMES].toSorted()).toEqual(DEMO_SCENARIOS.map(({ name }) => name).toSorted())
})
