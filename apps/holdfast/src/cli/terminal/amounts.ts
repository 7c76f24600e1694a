import { CliError } from '../../cli-error.ts'

/** US dollars, as an option says them. @throws {CliError} for what is no amount. [CLI24] */
export function dollarsOf(text: string): number {
  const amount = Number(text)
  if (amount > 0 && Number.isFinite(amount)) return amount
  throw new CliError(
    'E_USAGE',
    2,
    `--budget ${text} is no budget: give US dollars, such as 0.50; leave it out for none.`,
  )
}

/** Minutes, as an option says them. @throws {CliError} for what is no number of them. [CLI24] */
export function minutesOf(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new CliError('E_USAGE', 2, `--jitter is a whole number of minutes, such as 10, not "${text}".`)
}
