import type { Setting, SettingUnit } from './setting.ts'

/** What of a setting says which values it takes. */
type Bounded = Pick<Setting<unknown>, 'name' | 'unit' | 'least' | 'most' | 'choices' | 'usual'>

const COUNTED: Readonly<Partial<Record<SettingUnit, string>>> = {
  tokens: ' of tokens',
  milliseconds: ' of milliseconds',
  characters: ' of characters',
  bytes: ' of bytes',
}

/** Which values a setting takes, for whoever gave it another one: its name, its bounds and what to do. Values are not repeated. [WIN10, SEC4] */
export function takenInWords(row: Bounded): string {
  return `${row.name} takes ${valuesOf(row)}. Give one of these, or leave it out for the usual ${row.usual ?? 'none'}`
}

function valuesOf({ unit, least, most, choices }: Bounded): string {
  const number =
    unit === 'share' ? 'a part of one' : `a whole number${COUNTED[unit] ?? (unit === 'choice' ? ' of tokens' : '')}`
  const numbers = least === undefined || most === undefined ? [] : [`${number} from ${least} to ${most}`]
  if (unit === 'switch') return 'true or false'
  return [...(choices ?? []), ...numbers].join(', ').replace(/, ([^,]*)$/, ' or $1')
}
