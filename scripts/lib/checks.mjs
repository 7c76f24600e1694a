import { interruptionCode } from './child.mjs'
import { SetupError, say } from './say.mjs'

/** Runs every check in turn, also after a failure, and adds up what they report: `{passed, failed}` each, and remarks for the end. */
export async function runChecks(checks) {
  const totals = { passed: 0, failed: 0, remarks: [] }
  for (const check of checks) {
    say(`${check.name} ...`)
    const startMs = Date.now()
    const { passed, failed, remarks = [] } = await check.run()
    const interrupted = interruptionCode()
    if (interrupted !== undefined) throw new SetupError(`Interrupted during: ${check.name}.`, interrupted)
    const seconds = ((Date.now() - startMs) / 1000).toFixed(1)
    process.stdout.write(`${failed === 0 ? 'ok    ' : 'FAILED'}  ${check.name} (${seconds} s)\n`)
    totals.passed += passed
    totals.failed += failed
    totals.remarks.push(...remarks)
  }
  return totals
}

/** Prints what the checks remarked and the line that every full run ends with, and returns the exit code. */
export function concludeWith({ passed, failed, remarks = [] }) {
  for (const remark of remarks) process.stdout.write(`${remark}\n`)
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

/** One check counted as one. */
export function asOne(isOk) {
  return isOk ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}
