import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { find, ROOT, readText } from '../tests/walls/repository.ts'
import { citationsOf, notYetBuilt, TEST_FILES } from '../tests/walls/rule-citations.ts'

const LIST = 'docs/not-yet-built.md'

/** Takes the rows of rules that have a test now out of the list; rows are added by hand, with their capability. */
const cited = new Set(
  find(TEST_FILES).flatMap((path) => citationsOf({ path, text: readText(path) }).map(({ rule }) => rule)),
)
const PARTLY = '\n## Kept in part\n'
const [untested = '', inPart] = readText(LIST).split(PARTLY)
const kept = untested.split('\n').filter((line) => !notYetBuilt(line).listed.some((rule) => cited.has(rule)))
writeFileSync(join(ROOT, LIST), [kept.join('\n'), ...(inPart === undefined ? [] : [inPart])].join(PARTLY))
