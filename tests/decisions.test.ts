import { expect, it } from 'vitest'
import { find, readText } from './walls/repository.ts'

const ROW = /^\| \[(\d{4})\]\((\d{4}-[a-z0-9-]+\.md)\) \| \S/gm

it('[ARCH20] the list of decisions has a row for every record, in the order of their numbers, and no other', () => {
  const rows = [...readText('docs/decisions/README.md').matchAll(ROW)].map(([, number, file]) => `${number} ${file}`)
  const records = find(['docs/decisions/[0-9]*.md']).map((path) => path.slice('docs/decisions/'.length))
  expect(records.length).toBeGreaterThan(0)
  expect(rows).toEqual(records.sort().map((name) => `${name.slice(0, 4)} ${name}`))
})
