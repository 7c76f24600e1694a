import type { Json } from '@holdfast/conversation'
import { createPermissionRules, type PermissionMode } from '@holdfast/tool'
import { createReadResultTool, createTodoTool, createTools } from '@holdfast/toolbox'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemClock } from './support/system-clock.ts'
import { callTool, openWorkbench, PLAIN_MACHINE, textOf } from './support/workbench.ts'

describe('todo', () => {
  it('[TOOL1] gives the whole list back, and refuses two tasks that are being done', async () => {
    const tool = createTodoTool()
    const tasks = [
      { text: 'read', state: 'done' },
      { text: 'fix\n[x] all', state: 'doing' },
      { text: 'test', state: 'open' },
    ]
    expect(textOf(await callTool(tool, { tasks }))).toBe('1 of 3 tasks are done.\n[x] read\n[>] fix [x] all\n[ ] test')
    const two = await callTool(tool, { tasks: tasks.map(({ text }) => ({ text, state: 'doing' })) })
    expect(textOf(two)).toContain('- tasks: More than one task is doing')
  })
})

describe('read_result', () => {
  /** Pieces of any size, as a store may give them. */
  async function* pieces(bytes: Uint8Array, sizeBytes: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.byteLength; at += sizeBytes) yield bytes.subarray(at, at + sizeBytes)
  }

  it('[WIN6] gives a stored result page by page, every character once, wherever pages and pieces are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n'), minLength: 1, maxLength: 80 }),
        fc.integer({ min: 16, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, byteCount, pieceBytes) => {
          const bytes = Buffer.from(text)
          const tool = createReadResultTool(async () => ({
            sizeBytes: bytes.byteLength,
            content: pieces(bytes, pieceBytes),
          }))
          let read = ''
          for (let from: number | null = 0; from !== null; ) {
            const answer = textOf(await callTool(tool, { callId: 'r', from_byte: from, byte_count: byteCount }))
            const [head = ''] = answer.split('\n', 1)
            read += answer.slice(head.length + 1)
            const next = /from_byte (\d+)/.exec(head)?.[1]
            from = next === undefined ? null : Number(next)
          }
          expect(read).toBe(text)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('[WIN6] says what there is when a result or a page is not there', async () => {
    const tool = createReadResultTool(async (reference) =>
      reference.type === 'entry' && reference.seq === 7
        ? { sizeBytes: 3, content: pieces(Buffer.from('abc'), 9) }
        : null,
    )
    const say = async (input: Json) => textOf(await callTool(tool, input))
    expect(await say({ callId: 'x' })).toBe('This conversation has no stored text of "x".')
    expect(await say({ seq: 7, from_byte: 3 })).toContain('The result has 3 bytes')
    expect(await say({ seq: 7, from_byte: 1 })).toBe('Bytes 1 to 3 of 3. This is its end.\nbc')
    for (const input of [{}, { seq: 7, callId: 'x' }]) expect(await say(input)).toContain('Give callId or seq')
  })
})

describe('the tools of a conversation', () => {
  it('[PERM1] declare enough for the modes: reads run, edits run where edits are accepted, the rest asks', async () => {
    const bench = await openWorkbench()
    const { tools } = createTools({
      clock: systemClock,
      workspace: { workspace: bench.workspace, machine: PLAIN_MACHINE, blobSink: bench.ports.blobSink },
      web: { resolveName: async () => [], permittedRanges: [], ownAddresses: () => [] },
      findResult: async () => null,
    })
    const inputs: Readonly<Record<string, Json>> = {
      list: {},
      glob: { pattern: '**/../*' },
      search: { pattern: 'rm -rf /', files: '*.ts' },
      read: { path: 'a' },
      process_output: { process_id: 'process-1' },
      read_result: { callId: 'r' },
      todo: { tasks: [] },
      write: { path: 'a', content: '/etc/passwd' },
      edit: { path: 'a', old_text: '..', new_text: '/' },
      move: { from: 'a', to: 'b' },
      delete: { path: 'a' },
      shell: { command: 'node x.js' },
      process_stop: { process_id: 'process-1' },
      fetch_page: { url: 'https://example.org/' },
    }
    const decided = (mode: PermissionMode, effect: string) => {
      const rules = createPermissionRules({ defaultPolicy: 'ask', rules: [], mode, workspaceRoot: bench.root })
      return tools
        .filter(
          ({ definition }) =>
            rules.decide({ name: definition.name, input: inputs[definition.name] ?? {} }, definition).effect === effect,
        )
        .map(({ definition }) => definition.name)
    }
    const reads = ['list', 'glob', 'search', 'read', 'process_output', 'read_result', 'todo']
    const edits = ['write', 'edit', 'move', 'delete']
    expect(tools.map(({ definition }) => definition.name).sort()).toEqual(Object.keys(inputs).sort())
    expect(decided('ask', 'allow').sort()).toEqual([...reads].sort())
    expect(decided('accept-edits', 'allow').sort()).toEqual([...reads, ...edits].sort())
    expect(decided('accept-edits', 'ask').sort()).toEqual(['fetch_page', 'process_stop', 'shell'])
    expect(decided('plan', 'deny').sort()).toEqual([...edits, 'fetch_page', 'process_stop', 'shell'].sort())
    await bench.close()
  })

  it('[TOOL3] have a limit of time each, and a description', async () => {
    const bench = await openWorkbench()
    for (const { definition } of bench.own.tools) {
      expect(definition.timeoutMs).toBeGreaterThan(0)
      expect(definition.description.length).toBeGreaterThan(20)
    }
    await bench.close()
  })

  it('[WS1] are fewer where there is no folder, no bash or no network, and say so', async () => {
    const none = createTools({ clock: systemClock, workspace: null, web: null, findResult: null })
    expect(none.tools.map(({ definition }) => definition.name)).toEqual(['todo'])
    expect(none.describe()).toContain('There is no workspace')
    const bench = await openWorkbench({ machine: { ...PLAIN_MACHINE, bash: null } })
    expect(bench.own.tools.map(({ definition }) => definition.name)).not.toContain('shell')
    expect(bench.own.describe()).toContain('bash is not installed')
    await bench.close()
  })
})
