import type { OutboxItem } from '@holdfast/client'

/** The value of a setting whose change is on its way; null when none is. */
export function askedSetting(outbox: readonly OutboxItem[], name: string): string | null {
  for (const { command } of outbox.toReversed()) {
    if (command.name !== 'change-settings') continue
    const value = command.settings[name]
    if (typeof value === 'string') return value
  }
  return null
}
