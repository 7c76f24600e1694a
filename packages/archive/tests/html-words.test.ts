import { expect, it } from 'vitest'
import { linked } from '../src/export/html-words.ts'

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

it('[SEC27] ten times as many marks after an address take at most twelve times as long', () => {
  const address = (marks: number) => `http://a${'.'.repeat(marks)}x http://b${'.'.repeat(marks)}`
  linked(address(3_000))
  const few = processorTime(() => linked(address(3_000)))
  const many = processorTime(() => linked(address(30_000)))
  expect(many).toBeLessThan(12 * few + 10)
})

it('[SEC27] an address ends before the marks that close a sentence', () => {
  expect(linked('See https://example.org/a.b).')).toMatch(/>https:\/\/example\.org\/a\.b<\/a>\)\.$/)
  expect(linked('https://example.org?!,;:}]')).toMatch(/>https:\/\/example\.org<\/a>\?!,;:\}\]$/)
})
