import { expect, it } from 'vitest'
import { isIgnored, readIgnoreRules } from '../src/workspace/ignore-rules.ts'

/** The least processor time of several times, in milliseconds. */
function processorTime(work: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const begun = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}

function ignores(text: string, name: string): boolean {
  return isIgnored([name], { isFolder: false, ruleSets: [readIgnoreRules(text, 0)] })
}

it('[SEC27] ten times as many blanks in a line of .gitignore take at most twelve times as long', () => {
  const line = (blanks: number) => `${' '.repeat(blanks)}x`
  readIgnoreRules(line(4_000), 0)
  const few = processorTime(() => readIgnoreRules(line(4_000), 0))
  const many = processorTime(() => readIgnoreRules(line(40_000), 0))
  expect(many).toBeLessThan(12 * few + 10)
})

it('[SEC27] a line of .gitignore that is longer than any path is no rule', () => {
  const long = 'x'.repeat(4_097)
  expect(ignores(`${long}\nnote`, long)).toBe(false)
  expect(ignores(`${long}\nnote`, 'note')).toBe(true)
})

it('[SEC27] blanks at the end of a line of .gitignore do not count, but one after a backslash does', () => {
  expect(ignores('note   ', 'note')).toBe(true)
  expect(ignores('note\\   ', 'note ')).toBe(true)
  expect(ignores('note\\   ', 'note')).toBe(false)
})
