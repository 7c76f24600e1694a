import { navigate } from '../shared/address.ts'

/** What a command of the composer leaves for the form of a new schedule. */
let wanted: string | null = null

/** Opens the page with a new schedule that asks this. */
export function beginSchedule(text: string): void {
  wanted = text
  navigate({ type: 'settings', section: 'schedules' }, 'push')
}

/** What was left; null for nothing. */
export function wantedSchedule(): string | null {
  return wanted
}

/** The form has it, or nobody wants it any more. */
export function forgetWanted(): void {
  wanted = null
}
