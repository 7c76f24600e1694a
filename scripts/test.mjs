import { ensureWebBuilt, hasWebPage } from './lib/build.mjs'
import { asOne, concludeWith, runChecks, sideBySide } from './lib/checks.mjs'
import { runMain, SetupError, say } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'
import { commandCheck, fastStaticChecks } from './lib/static-checks.mjs'
import { TEST_TOOLS } from './lib/test-tools.mjs'
import { ensureTool } from './lib/tool.mjs'
import { lastTriesCheck, vitestCheck } from './lib/vitest-check.mjs'

await runMain(async () => {
  let node
  try {
    node = await setUp()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    say(error.message)
    return concludeWith({ passed: 0, failed: 1 })
  }
  return concludeWith(await runChecks(allChecks(node)))
})

/**
 * The unit tests keep every core busy and are not run again when they fail, so that nothing is done beside them. The slow
 * ones and those of the page wait much of the time, and the checks that only read the sources fit in between. Side by side they
 * make the machine as busy as it can be: what failed twice then has one more try when all else is over.
 */
function allChecks(node) {
  const found = {}
  const lastTries = []
  const env = () => ({ HOLDFAST_RETRY: '1', ...found })
  const tests = (name, project) => vitestCheck({ name, node, projects: [project], env, lastTries })
  const [types, ...otherStaticChecks] = fastStaticChecks(node)
  return [
    ...TEST_TOOLS.map((tool) => toolCheck(tool, found)),
    types,
    ...(hasWebPage() ? [setupCheck('web build', () => ensureWebBuilt(node))] : []),
    tests('unit tests', 'unit'),
    sideBySide(
      [
        ...otherStaticChecks,
        commandCheck({ name: 'unused code', node, packageName: 'knip', command: 'knip', args: [] }),
        tests('slow tests', 'slow'),
      ],
      [tests('tests of the page', 'browser')],
    ),
    lastTriesCheck({ node, env, lastTries }),
  ]
}

function toolCheck(tool, found) {
  return setupCheck(tool.name, async () => {
    found[tool.variable] = await ensureTool(tool)
  })
}

/** A piece of set-up as a check: what a person can put right is told, and counts as failed. */
function setupCheck(name, work) {
  const run = async () => {
    try {
      await work()
      return asOne(true)
    } catch (error) {
      if (!(error instanceof SetupError)) throw error
      say(error.message)
      return asOne(false)
    }
  }
  return { name, run }
}
