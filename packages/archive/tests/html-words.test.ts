import { expect, it } from 'vitest'
import { escapedPieces, linked, linkedPieces } from '../src/export/html-words.ts'

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

it('[SEC31] a long text comes in pieces that are together what it is in one, whatever stands at their ends', () => {
  const line = 'see https://example.org/a?b=1&c=2, "and" <on> \u{1f600}'
  const lines = Array.from({ length: 20_000 }, (_, at) => `${line} ${at}`)
  const pieces = [...linkedPieces(lines.join('\n'))]
  expect(pieces.join('')).toBe(lines.map(linked).join('\n'))
  expect(pieces.length).toBeGreaterThan(10)
  const row = `${'\u{1f600}'.repeat(600_000)}a`
  const rows = [...escapedPieces(`x${row}`)]
  expect(rows.join('')).toBe(`x${row}`)
  expect(rows.length).toBe(2)
})

it('[SEC31] ten times the text takes at most twelve times as long, and no piece is made of much of it', () => {
  const line = 'a line with 12 words and https://example.com/path as a link\n'
  const read = (count: number) => {
    for (const piece of linkedPieces(line.repeat(count))) longest = Math.max(longest, piece.length)
  }
  let longest = 0
  read(20_000)
  const few = processorTime(() => read(20_000))
  const many = processorTime(() => read(200_000))
  expect(many).toBeLessThan(12 * few + 100)
  expect(longest).toBeLessThan((65_536 / line.length + 1) * linked(line).length)
})
