import { createPermissionRules } from '@holdfast/tool'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { shellCall, TOOLS } from './support/definitions.ts'
import { COPIES, GENERATED_PATTERNS, generatedLine, WRAPPER_NAMES } from './support/generated-lines.ts'
import { OWNED, openLineOracle } from './support/line-oracle.ts'

const isFull = process.env['HOLDFAST_FULL'] === '1'
const COUNT = isFull ? 100_000 : 1_500
const asked = process.env['HOLDFAST_SEED']
const SEED = asked !== undefined ? Number(asked) : isFull ? Date.now() % 2 ** 31 : 20_261_122
const program = process.env['HOLDFAST_BWRAP']
if (program === undefined) throw new Error('HOLDFAST_BWRAP names no program. Run `npm test`, or set it by hand.')
const oracle = openLineOracle({ program, wrappers: WRAPPER_NAMES, copies: COPIES })
afterAll(() => oracle.close())

const rules = createPermissionRules({
  defaultPolicy: 'ask',
  workspaceRoot: '/work',
  rules: GENERATED_PATTERNS.map((pattern) => ({ effect: 'allow', tool: 'shell', pattern })),
})

describe('the rules beside what lines really run', () => {
  it('[PERM2] the oracle sees the attacks ATTACK-C3 and ATTACK-C4', async () => {
    const attacks = [
      'evil',
      "make test --f /dev/stdin <<< $'test:\\n\\tevil'",
      "make test -E '$(shell evil)'",
      'npm test ---script-shell=./x.sh',
      "git push --e='evil;' . HEAD",
      `sort --o=${OWNED} a`,
      "split --f='evil' a",
      'bash +x -c evil',
      'echo evil | bash /dev/fd/0',
      'perl5.36 -0777e \'system("evil")\'',
      'node --env-file=envfile a.js',
      'uv run bash -c evil',
      "trap -- 'evil' EXIT",
      `xxd a ${OWNED}`,
    ]
    expect((await oracle.linesThatEscape([...attacks, 'git status', 'make test', 'npm test'])).toSorted()).toEqual(
      attacks.toSorted(),
    )
  }, 60_000)

  it('[PERM2] no generated line that a rule for something else allows runs or writes what it names nowhere (ATTACK-C3)', async () => {
    const lines = [...new Set(fc.sample(generatedLine, { numRuns: COUNT, seed: SEED }))]
    const allowed = lines.filter((line) => rules.decide(shellCall(line), TOOLS.execute).effect === 'allow')
    const escaped = await oracle.linesThatEscape(allowed)
    console.log(`seed ${SEED}: ${lines.length} lines, ${allowed.length} allowed and run, ${escaped.length} escaped`)
    expect(escaped, `HOLDFAST_SEED=${SEED}`).toEqual([])
    expect(allowed.length).toBeGreaterThan(lines.length / 50)
  }, 3_600_000)
})
