import { defineTool, readToolInput, toolOf, toolsOf } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { startCall, textOf } from './support/call-harness.ts'

describe('the input of a call', () => {
  const edit = defineTool({
    name: 'edit',
    description: 'Edit a file.',
    input: z.object({ path: z.string(), edits: z.array(z.object({ from: z.string(), count: z.int().default(1) })) }),
    category: 'edit',
    run: ({ edits }) => edits.map(({ from, count }) => `${from} ${count}`).join(),
  })

  it('[TOOL1] is checked by a zod schema, with the path of each error', () => {
    expect(edit.check({ edits: [{ from: 'a' }, { from: 3 }] })).toMatchObject({
      type: 'invalid',
      issues: [{ path: 'path' }, { path: 'edits[1].from' }],
    })
    expect(edit.check({ path: 'a', edits: [] }).type).toBe('valid')
  })

  it('[TOOL1] has one schema for the model, converted once, in all the tools that are made of it', () => {
    const input = z.object({ path: z.string() })
    const made = ['a', 'b'].map((name) =>
      defineTool({ name, description: name, input, category: 'read', run: ({ path }) => path }),
    )
    expect(made[0]?.definition.parameters).toMatchObject({ required: ['path'] })
    expect(made[1]?.definition.parameters).toBe(made[0]?.definition.parameters)
  })

  it('[TOOL1] reaches the tool completed by its schema, and the model sees that schema', async () => {
    expect(edit.definition.parameters).toMatchObject({ type: 'object', required: ['path', 'edits'] })
    const { result } = startCall(() => '', {
      rest: { tool: edit, call: { callId: 'c', name: 'edit', input: { path: 'a', edits: [{ from: 'x' }] } } },
    })
    expect(textOf(await result)).toBe('x 1')
  })

  it('[TOOL1] counts the characters of a text, of which some are two units of UTF-16, in both drafts', () => {
    const text = { type: 'string', minLength: 3, maxLength: 4 }
    const parameters = { type: 'object', properties: { text } }
    for (const schema of [parameters, { ...parameters, $schema: 'http://json-schema.org/draft-07/schema#' }]) {
      const { check } = toolOf({ name: 'x', description: '', parameters: schema }, () => '')
      const fits = (given: string) => check({ text: given }).type === 'valid'
      expect(['', 'ab', '😀😀', 'a😀'].map(fits)).toEqual([false, false, false, false])
      expect(['abc', '😀😀😀', '😀😀😀😀', 'ab😀', 'a\ud83db'].map(fits)).toEqual([true, true, true, true, true])
      expect(['abcde', '😀😀😀😀😀', 'abc😀d', 'a'.repeat(100)].map(fits)).toEqual([false, false, false, false])
      expect([check({ text: 'a' }), check({ text: 'abcde' })]).toMatchObject([
        { issues: [{ path: 'text', message: 'must NOT have fewer than 3 characters' }] },
        { issues: [{ path: 'text', message: 'must NOT have more than 4 characters' }] },
      ])
    }
  })

  it('[TOOL1] is checked by a JSON schema, of the newest and of an older draft', () => {
    const parameters = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'number' } } },
      required: ['b'],
      additionalProperties: false,
    }
    for (const schema of [parameters, { ...parameters, $schema: 'http://json-schema.org/draft-07/schema#' }]) {
      expect(
        toolOf({ name: 'x', description: '', parameters: schema }, () => '').check({ a: [1, 'two'], c: 1 }),
      ).toMatchObject({
        type: 'invalid',
        issues: expect.arrayContaining([
          expect.objectContaining({ path: 'a[1]' }),
          expect.objectContaining({ path: 'b' }),
          expect.objectContaining({ path: 'c' }),
        ]),
      })
    }
  })

  it('[TOOL1] that does not fit runs nothing and is a result for the model', async () => {
    let ran = false
    const { result } = startCall(
      () => {
        ran = true
      },
      { definition: { parameters: { type: 'object', required: ['path'] } } },
    )
    expect(await result).toMatchObject({ outcome: 'error', durationMs: 0 })
    expect(textOf(await result)).toContain("- path: must have required property 'path'")
    expect(ran).toBe(false)
  })

  it.each([
    ['no object', 'text'],
    ['a reference to nowhere', { $ref: '#/nowhere' }],
    ['an asynchronous schema', { $async: true, type: 'object' }],
    ['a type that is none', { type: 'thing' }],
  ])('[TOOL1] with a schema that is %s is never run unchecked', (_, parameters) => {
    expect(toolOf({ name: 'x', description: '', parameters }, () => '').check({})).toMatchObject({ type: 'invalid' })
  })

  it('[TOOL1] two schemas of one id are two schemas, and ten thousand cost little before they are used', () => {
    const schema = (type: string) => ({
      $id: 'https://schemas.example/input',
      type: 'object',
      properties: { a: { type } },
    })
    const tools = ['string', 'number'].map((type) =>
      toolOf({ name: type, description: '', parameters: schema(type) }, () => ''),
    )
    expect(tools.map((tool) => tool.check({ a: 'text' }).type)).toEqual(['valid', 'invalid'])
    const before = performance.now()
    for (let index = 0; index < 10_000; index++)
      toolOf({ name: 'x', description: '', parameters: schema('string') }, () => '')
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('[TOOL1] a check that throws is a refusal', async () => {
    const broken = {
      ...edit,
      check: () => {
        throw new Error('schema broke')
      },
    }
    const { result } = startCall(() => '', { rest: { tool: broken } })
    expect(textOf(await result)).toContain('could not be checked: Error: schema broke')
  })

  it('[RUN10] that is not whole JSON is never run and never mended', () => {
    expect(readToolInput({ inputText: '{"a":1}', complete: true })).toEqual({ type: 'read', input: { a: 1 } })
    expect(readToolInput({ inputText: '', complete: true })).toEqual({ type: 'read', input: {} })
    for (const inputText of ['{"a":1', '{a:1}', "{'a':1}", 'rm', '{"a":1}}', `${'['.repeat(100_000)}`]) {
      expect(readToolInput({ inputText, complete: true })).toMatchObject({ type: 'unreadable' })
    }
    expect(readToolInput({ inputText: '{"a":1}', complete: false })).toMatchObject({ type: 'unreadable' })
  })

  it('[TOOL1] the tools of a source are checked by what the source lists', async () => {
    const source = {
      name: 'server',
      list: () => [{ name: 'add', description: '', parameters: { type: 'object', required: ['a'] } }],
      run: (call: { readonly name: string }) => `ran ${call.name}`,
    }
    const [tool] = toolsOf(source)
    expect(tool?.check({})).toMatchObject({ type: 'invalid' })
    const { result } = startCall(() => '', { rest: { tool, call: { callId: 'c', name: 'add', input: { a: 1 } } } })
    expect(textOf(await result)).toBe('ran add')
  })
})
