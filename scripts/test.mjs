import { hasWebPage, webBuildArguments } from './lib/build.mjs'
import { asOne, concludeWith, runChecks } from './lib/checks.mjs'
import { environment, runChild } from './lib/child.mjs'
import { runMain, SetupError, say } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'
import { commandCheck, fastStaticChecks } from './lib/static-checks.mjs'
import { TEST_TOOLS } from './lib/test-tools.mjs'
import { ensureTool } from './lib/tool.mjs'
import { vitestCheck } from './lib/vitest-check.mjs'

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

function allChecks(node) {
  const found = {}
  return [
    ...TEST_TOOLS.map((tool) => toolCheck(tool, found)),
    ...fastStaticChecks(node),
    commandCheck({ name: 'unused code', node, packageName: 'knip', command: 'knip', args: [] }),
    ...(hasWebPage() ? [webBuildCheck(node)] : []),
    vitestCheck({ name: 'tests', node, projects: [], env: () => ({ HOLDFAST_RETRY: '1', ...found }) }),
  ]
}

function toolCheck(tool, found) {
  const run = async () => {
    try {
      found[tool.variable] = await ensureTool(tool)
      return asOne(true)
    } catch (error) {
      if (!(error instanceof SetupError)) throw error
      say(error.message)
      return asOne(false)
    }
  }
  return { name: tool.name, run }
}

function webBuildCheck(node) {
  const run = async () => {
    const { exitCode } = await runChild({
      command: node,
      args: webBuildArguments(),
      env: environment({}),
      show: 'inherit',
    })
    return asOne(exitCode === 0)
  }
  return { name: 'web build', run }
}
