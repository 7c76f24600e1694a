import { DEMO_SCENARIOS } from '@holdfast/provider/demo'
import { expect, test } from 'vitest'
import { commandOffers } from '../src/composer/mentions/offers.ts'
import { demoCommands } from '../src/shell/demo-commands.ts'

const demo = DEMO_SCENARIOS.map(({ name, shows, inputTokensOf }) => ({
  name,
  shows,
  takesWords: inputTokensOf !== undefined,
}))

test('[UI1, CLI32] the composer offers what the demo model can show, with what each shows, the most useful first', () => {
  const offered = commandOffers(demoCommands(demo, null), '')
  expect(offered.map(({ name }) => name)).toEqual(DEMO_SCENARIOS.map(({ name }) => `demo ${name}`))
  for (const { name, description } of offered) expect(description.length, name).toBeGreaterThan(10)
  const at = (name: string) => offered.findIndex((offer) => offer.name === `demo ${name}`)
  for (const useful of ['stream-long', 'edit', 'permission', 'preview', 'canvas-dashboard'])
    for (const other of ['no-usage', 'stop-unconfirmed', 'tool-hang-drain', 'title-slow'])
      expect(at(useful), `${useful} before ${other}`).toBeLessThan(at(other))
})

test('[CLI32] what the demo is not asked for itself is run with what stands behind its name', () => {
  const ran: string[] = []
  const commands = demoCommands(demo, (words) => ran.push(words))
  commands.find(({ text }) => text === '/demo fill-context')?.run?.('80')
  commands.find(({ text }) => text === '/demo thinking')?.run?.('')
  expect(ran).toEqual(['fill-context 80', 'thinking'])
})
