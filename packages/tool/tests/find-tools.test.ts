import { createFindTools, DEFAULT_LIMITS, type ToolDefinition } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import { startCall } from './support/call-harness.ts'

const definition = (name: string, description: string, parameters = {}): ToolDefinition => ({
  name,
  description,
  source: name.split('__')[0] ?? '',
  parameters: { type: 'object', properties: parameters },
})

const DEFINITIONS = [
  definition('github__create_issue', 'Creates an issue in a repository.', { title: {}, labels: {} }),
  definition('github__list_pull_requests', 'Lists pull requests.'),
  definition('slack__postMessage', 'Sends a message to a channel.'),
  definition('postgres__query', 'Runs a query on the database.'),
  ...Array.from({ length: 500 }, (_, index) =>
    definition(`other__tool_${index}`, `Creates a thing in a list, number ${index}.`),
  ),
]

describe('finding tools', () => {
  const tool = createFindTools(DEFINITIONS)
  const find = (query: string) => tool.finds?.({ query }) ?? []

  it.each([
    ['create issue', 'github__create_issue'],
    ['open issues on github', 'github__create_issue'],
    ['send a message', 'slack__postMessage'],
    ['SQL database', 'postgres__query'],
    ['labels', 'github__create_issue'],
    ['postgres__query', 'postgres__query'],
  ])('[TOOL10] %j finds %s first', (query, name) => {
    expect(find(query)[0]).toBe(name)
  })

  it('[TOOL10] counts a word of the name for more than one of the description', () => {
    const inName = definition('b__archive', 'Puts things away.')
    const both = [definition('a__first', 'Makes an archive.'), inName]
    expect(createFindTools(both).finds?.({ query: 'archive' })).toEqual(['b__archive', 'a__first'])
  })

  it('[TOOL10] finds five at most, an exact name alone, and nothing for words that stand nowhere', () => {
    expect(find('creates a thing')).toHaveLength(5)
    expect(find('other__tool_77')).toEqual(['other__tool_77'])
    expect(find('zebra')).toEqual([])
    expect(tool.finds?.({ wrong: 1 })).toEqual([])
  })

  it('[TOOL10] names the sources, and no tool', () => {
    expect(tool.definition.description).toContain('github, slack, postgres, other')
    expect(tool.definition.description).not.toContain('create_issue')
  })
})

describe('silence', () => {
  it('[TOOL3] a limit of the tool itself stands before the limit of the registry, and progress starts it anew', async () => {
    const limits = { ...DEFAULT_LIMITS, silenceMs: 10_000 }
    const call = startCall(
      (_, context, clock) =>
        new Promise(() => {
          clock.after(800, () => context.progress('half'))
        }),
      { definition: { silenceMs: 1_000 }, limits },
    )
    await call.clock.advance(1_500)
    expect(call.settled).toEqual([])
    await call.clock.advance(400 + limits.graceMs)
    expect(call.settled).toMatchObject([{ outcome: 'timed-out' }])
  })
})
