import { asOne } from './checks.mjs'
import { environment, runChild } from './child.mjs'
import { packageProgram } from './package-program.mjs'

/** A check that is one run of a package's command. */
export function commandCheck({ name, node, packageName, command, args }) {
  const run = async () => {
    const program = packageProgram({ packageName, command })
    const { exitCode } = await runChild({
      command: node,
      args: [program, ...args],
      env: environment({}),
      show: 'inherit',
    })
    return asOne(exitCode === 0)
  }
  return { name, run }
}

/** The checks that read the sources and run none of them. */
export function fastStaticChecks(node) {
  return [
    commandCheck({ name: 'types', node, packageName: 'typescript', command: 'tsc', args: ['-b'] }),
    commandCheck({
      name: 'format and lint',
      node,
      packageName: '@biomejs/biome',
      command: 'biome',
      args: ['check', '--error-on-warnings', '--no-errors-on-unmatched'],
    }),
    commandCheck({
      name: 'lint with types',
      node,
      packageName: 'oxlint',
      command: 'oxlint',
      args: ['--type-aware', '--deny-warnings'],
    }),
  ]
}
