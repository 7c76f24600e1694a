import { stripVTControlCharacters } from 'node:util'

/** What a program printed, as text: a line that was written over is what it was at last. */
export function plainLog(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).replace(/[^\P{Cc}\t]/gu, ''))
    .join('\n')
}

/** The last lines of a text, without empty ones at its end. */
export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n')
}

/** The ports of addresses of this machine that a program printed, in the order in which it did. */
export function printedPorts(text: string): readonly number[] {
  const found = text.matchAll(/https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{1,5})/gi)
  return [...new Set([...found].map(([, port]) => Number(port)))]
}
