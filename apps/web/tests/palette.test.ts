import { type TranscriptItem, transcript } from '@holdfast/conversation'
import { logOf, stepFinished, toolCallBlock } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { fuzzyScore } from '../src/shared/fuzzy.ts'
import { chordOf, isApple } from '../src/shared/keys/chord.ts'
import { chordFor, holderOf, SHORTCUTS, shortcutOf } from '../src/shared/keys/shortcuts.ts'
import type { Act } from '../src/shell/palette/acts.ts'
import { filesHere } from '../src/shell/palette/files-here.ts'
import { findActs, messageWords } from '../src/shell/palette/find-acts.ts'

function act(section: Act['section'], name: string, also = ''): Act {
  return { id: `${section} ${name}`, section, name, also, shortcut: null, run: () => {} }
}

const USUAL = { chords: {}, hasShortcuts: true }

function key(name: string, held: { readonly ctrl?: true; readonly alt?: true; readonly shift?: true }, code = '') {
  const { ctrl = false, alt = false, shift = false } = held
  return { key: name, code, ctrlKey: ctrl && !isApple, metaKey: ctrl && isApple, altKey: alt, shiftKey: shift }
}

test('[UI1] letters find a name in their order, whole words and beginnings of words first', () => {
  expect(fuzzyScore('New conversation', 'nwcv')).not.toBeNull()
  expect(fuzzyScore('New conversation', 'vn')).not.toBeNull()
  expect(fuzzyScore('New conversation', 'wen')).toBe(fuzzyScore('New conversation', 'WEN'))
  expect(fuzzyScore('Stop', 'pots')).toBeNull()
  expect(fuzzyScore('Café plan', 'cafe')).not.toBeNull()
  const scores = ['Stop', 'Write a stop word', 'Nonstop', 'Set the port'].map((name) => fuzzyScore(name, 'stop') ?? -1)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(new Set(scores).size).toBe(4)
})

test('[UI1] the palette shows what is urgent first, and a few conversations before anything is typed', () => {
  const many = Array.from({ length: 30 }, (_, index) => act('conversations', `Talk ${index}`))
  const acts = [act('now', 'Stop'), act('actions', 'Theme: dark', 'colours'), ...many, act('settings', 'Keyboard')]
  expect(findActs(acts, '').map(({ name }) => name)).toEqual([
    ...['Stop', 'Theme: dark'],
    ...['Talk 0', 'Talk 1', 'Talk 2', 'Talk 3', 'Talk 4', 'Keyboard'],
  ])
  expect(findActs(acts, 'colours').map(({ name }) => name)).toEqual(['Theme: dark'])
  expect(findActs(acts, '#').map(({ section }) => section)).toEqual(Array.from({ length: 30 }, () => 'conversations'))
  expect(findActs(acts, '>stop').map(({ name }) => name)).toEqual(['Stop'])
  expect(findActs(acts, 'talk 29').at(0)?.name).toBe('Talk 29')
  expect(findActs(acts, 'nothing like it')).toEqual([])
})

test('[UI1] a sign before the words asks for one section, and the server is asked for nothing else', () => {
  const acts = [act('actions', 'Export'), act('files', 'src/export.ts'), act('conversations', 'Export of May')]
  expect(findActs(acts, '@export').map(({ section }) => section)).toEqual(['files'])
  expect(findActs(acts, '/export').map(({ section }) => section)).toEqual(['actions'])
  expect(['export ', '@export', '>export', '/export', '#export'].map(messageWords)).toEqual(['export', '', '', '', ''])
})

test('[UI1] a changed file leads to what changed it last, the newest first', () => {
  const call = { callId: 'call_1', name: 'write_file' }
  const changed = (seq: number, paths: readonly string[]): TranscriptItem => {
    const changedFiles = paths.map((path) => ({ path, kind: 'changed' as const }))
    const [item] = transcript.reduce(
      transcript.initial,
      logOf('c', [stepFinished('run_1', 'step_1', [toolCallBlock(call.callId, call.name)])]),
    ).items
    if (!item) throw new Error('The log has no answer')
    return { ...item, seq, toolCalls: item.toolCalls.map((own) => ({ ...own, changedFiles })) }
  }
  expect(filesHere([changed(4, ['a.ts', 'b.ts']), changed(9, ['a.ts'])])).toEqual([
    { path: 'a.ts', seq: 9 },
    { path: 'b.ts', seq: 4 },
  ])
})

test('[UI1] a chord is what is pressed, by the place of the letter where Alt writes another', () => {
  expect(chordOf(key('k', { ctrl: true }))).toBe('Mod+K')
  expect(chordOf(key('F', { ctrl: true, shift: true }))).toBe('Mod+Shift+F')
  expect(chordOf(key('∫', { ctrl: true, alt: true }, 'KeyB'))).toBe('Mod+Alt+B')
  expect(chordOf(key('Escape', { shift: true }))).toBe('Shift+Escape')
  expect(chordOf(key('Control', { ctrl: true }))).toBeNull()
})

test('[UI1] a shortcut is given other keys, and Stop works also when all are off', () => {
  const chords = { palette: 'Mod+P' }
  expect(shortcutOf('Mod+K', USUAL)).toBe('palette')
  expect(shortcutOf('Mod+P', { ...USUAL, chords })).toBe('palette')
  expect(shortcutOf('Mod+K', { ...USUAL, chords })).toBeNull()
  expect(shortcutOf('Mod+K', { ...USUAL, hasShortcuts: false })).toBeNull()
  expect(shortcutOf('Mod+.', { ...USUAL, hasShortcuts: false })).toBe('stop')
  expect(holderOf('Mod+B', 'palette', USUAL)?.id).toBe('toggle-list')
  expect(holderOf('Mod+K', 'palette', USUAL)).toBeNull()
  expect(new Set(SHORTCUTS.map(({ id }) => chordFor(id, USUAL))).size).toBe(SHORTCUTS.length)
})
