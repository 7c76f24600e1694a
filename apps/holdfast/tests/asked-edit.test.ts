import { describe, expect, it } from 'vitest'
import { askedWords } from '../src/cli/terminal/asked-edit.ts'

const reason = 'It goes to a worktree, made of the folder as it stands.. '

describe('an edit that a terminal asks about', () => {
  it('[AGENT78] is shown by its path and the lines that go and come, and ends with one full stop', () => {
    const input = {
      title: 'Edit a.txt',
      path: 'src/a.txt',
      oldText: 'one\ntwo\nthree\n',
      newText: 'one\nzwei\nthree\n',
    }
    expect(askedWords({ tool: 'agent_edit', input, reason })).toBe(
      [
        'Allow agent_edit of src/a.txt?',
        '- two',
        '+ zwei',
        'Beside that: {"title":"Edit a.txt"}',
        'It goes to a worktree, made of the folder as it stands.',
      ].join('\n'),
    )
  })

  it('[AGENT78] says where it leads out of its folder, and into that of git', () => {
    const edit = (path: string) =>
      askedWords({ tool: 'agent_edit', input: { path, oldText: '', newText: 'a\nb' }, reason: 'Asked' })
    expect(edit('/etc/stranger')).toBe(
      'Allow agent_edit of /etc/stranger (outside of its folder)?\n+ a\n+ b ‹no line break at its end›\nAsked.',
    )
    expect(edit('.git/hooks/pre-commit')).toContain('of .git/hooks/pre-commit (in the folder of git itself)?')
    expect(edit('src/.gitignore')).toContain('of src/.gitignore?')
    const move = { tool: 'agent_move', input: { paths: ['a', '/b'] }, reason: 'Asked.' }
    expect(askedWords(move)).toBe('Allow agent_move (outside of its folder) {"paths":["a","/b"]}? Asked.')
  })

  it('[AGENT78, UI32] keeps a path and a text from passing for something else, and says what is not shown', () => {
    const words = askedWords({
      tool: 'write',
      input: { path: 'a\n+ b', content: `${'x'.repeat(20_000)}\n` },
      reason: 'Asked',
    })
    expect(words.split('\n')).toHaveLength(3)
    expect(words).toContain('of "a\\n+ b"?')
    expect(words).toContain('‹12002 characters are not shown›')
    expect(
      askedWords({ tool: 'edit', input: { path: 'a', old_text: 'b', new_text: 'b', all: true }, reason: 'Asked' }),
    ).toBe('Allow edit of a?\nIt changes no line.\nBeside that: {"all":true}\nAsked.')
    expect(askedWords({ tool: 'shell', input: { command: 'ls' }, reason: 'Asked.' })).toBe(
      'Allow shell {"command":"ls"}? Asked.',
    )
  })
})
