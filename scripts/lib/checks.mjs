import { interruptionCode } from './child.mjs'
import { SetupError, say } from './say.mjs'

/** Runs every check in turn, also after a failure, and adds up what they report: `{passed, failed}` each, and remarks for the end. */
export async function runChecks(checks) {
  const reports = []
  for (const check of checks) reports.push(await (check.lanes === undefined ? runCheck(check) : runLanes(check.lanes)))
  return added(reports)
}

/** Lists of checks that do not disturb each other: the checks of a list run in turn, and the lists at the same time. */
export function sideBySide(...lanes) {
  return { lanes }
}

async function runLanes(lanes) {
  return added(await Promise.all(lanes.map(runChecks)))
}

async function runCheck(check) {
  say(`${check.name} ...`)
  const startMs = Date.now()
  const report = await check.run()
  const interrupted = interruptionCode()
  if (interrupted !== undefined) throw new SetupError(`Interrupted during: ${check.name}.`, interrupted)
  const seconds = ((Date.now() - startMs) / 1000).toFixed(1)
  process.stdout.write(`${report.failed === 0 ? 'ok    ' : 'FAILED'}  ${check.name} (${seconds} s)\n`)
  return report
}

function added(reports) {
  const sumOf = (key) => reports.reduce((sum, report) => sum + report[key], 0)
  const remarks = reports.flatMap((report) => report.remarks ?? [])
  return { passed: sumOf('passed'), failed: sumOf('failed'), remarks }
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
