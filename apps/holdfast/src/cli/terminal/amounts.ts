import { CliError } from '../../cli-error.ts'

/** US dollars, as an option says them. @throws {CliError} for what is no amount. [CLI24] */
export function dollarsOf(flag: string): (text: string) => number {
  return (text) => {
    const amount = Number(text)
    if (amount > 0 && Number.isFinite(amount)) return amount
    throw new CliError(
      'E_USAGE',
      2,
      `${flag} ${text} is no budget: give US dollars, such as 0.50; leave it out for none.`,
    )
  }
}

/** US dollars, or `none`, which takes a budget away. @throws {CliError} for what is neither. [CLI24] */
export function dollarsOrNone(flag: string): (text: string) => number | 'none' {
  return (text) => {
    if (text === 'none') return text
    const amount = Number(text)
    if (amount > 0 && Number.isFinite(amount)) return amount
    throw new CliError('E_USAGE', 2, `${flag} ${text} is no budget: give US dollars, such as 0.50, or none.`)
  }
}

/** Minutes, as an option says them. @throws {CliError} for what is no number of them. [CLI24] */
export function minutesOf(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new CliError('E_USAGE', 2, `--jitter is a whole number of minutes, such as 10, not "${text}".`)
}
