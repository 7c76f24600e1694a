import { createHash } from 'node:crypto'
import { says } from '@holdfast/engine/testing'
import { canonicalJson, type Tool, type ToolDefinition, toolOf } from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loggedTools } from '../src/chosen/logged-tools.ts'
import { openHarness } from './support/harness.ts'

/** A definition as a person's program gives it: an object of its own, which it might change. */
function changeable(description: string) {
  const properties: Record<string, { type: string }> = { title: { type: 'string' } }
  const definition = { name: 'issues', description, source: 'github', parameters: { type: 'object', properties } }
  const tool: Tool = toolOf(definition satisfies ToolDefinition, () => 'done')
  return { tool, definition, properties }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const definition: fc.Arbitrary<ToolDefinition> = fc.record({
  name: fc.constantFrom('a', 'b'),
  description: fc.string({ unit: 'binary', maxLength: 3 }),
  parameters: fc.constantFrom({ type: 'object' }, { properties: { b: {}, a: {} }, type: 'object' }, true, null),
})

describe('the definitions as the log has them', () => {
  it('[TOOL16] have the hash of what they say, whatever was asked for before', () => {
    const seed = Date.now()
    const instructions = fc.array(fc.record({ source: fc.constantFrom('x', 'y'), text: fc.string({ maxLength: 2 }) }), {
      maxLength: 2,
    })
    const asked = fc.array(fc.tuple(fc.array(definition, { maxLength: 3 }), instructions), { maxLength: 60 })
    fc.assert(
      fc.property(asked, (lists) => {
        for (const [list, said] of lists) {
          const defined = canonicalJson(
            list.map(({ name, description, parameters }) => ({ name, description, parameters })),
          )
          const all = `{"definitions":${defined},"instructions":${canonicalJson(said)}}`
          const { hash, definitions } = loggedTools({ sha256 }, list, said)
          expect(hash).toBe(sha256(said.length === 0 ? defined : all))
          expect(definitions).toEqual(list)
        }
      }),
      { seed },
    )
  })

  it('[TOOL16] are hashed once for conversations with the same, and again where one says something else', () => {
    const parameters = { type: 'object' }
    let hashes = 0
    const ports = {
      sha256(text: string) {
        hashes += 1
        return sha256(text)
      },
    }
    const named = (description: string): ToolDefinition => ({ name: 'read', description, parameters })
    const first = loggedTools(ports, [named('Reads')], [])
    expect(loggedTools(ports, [named('Reads')], [])).toBe(first)
    expect(hashes).toBe(1)
    const others = [
      loggedTools(ports, [named('Writes')], []),
      loggedTools(ports, [named('Reads'), named('Reads')], []),
      loggedTools(ports, [{ ...named('Reads'), source: 'server' }], []),
      loggedTools(ports, [{ ...named('Reads'), parameters: { type: 'array' } }], []),
      loggedTools(ports, [named('Reads')], [{ source: 'server', text: 'Be kind' }]),
    ]
    expect(new Set([first, ...others].map(({ hash }) => hash)).size).toBe(6)
    expect(hashes).toBe(6)
  })

  it('[TOOL16, REQ1] stay in the log and in requests as they were said, also where a program changes its own object', async () => {
    const { tool, properties } = changeable('Creates an issue')
    const harness = await openHarness([says('One'), says('Two')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    properties['changed'] = { type: 'number' }
    await harness.send('Again', 'send-2')
    await harness.until('run-finished', 2)
    const { engine, conversationId, model } = harness
    const [first, second] = model.requests
    expect(second?.tools).toBe(first?.tools)
    expect(JSON.stringify(second?.tools)).not.toContain('changed')
    for (const entry of await harness.log()) {
      if (entry.type !== 'step-started') continue
      expect(await engine.receiptOf({ conversationId, stepId: entry.stepId })).toMatchObject({ isExact: true })
    }
  })
})
