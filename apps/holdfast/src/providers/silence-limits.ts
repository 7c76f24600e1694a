import type { Settings } from '@holdfast/conversation'
import type { ModelsAnswer } from '@holdfast/protocol'

/** How long a provider may be silent, of all that is set. [RUN6] */
export function silenceLimits({ firstEventMs, betweenEventsMs }: Settings): ModelsAnswer['silence'] {
  return { firstEventMs, betweenEventsMs }
}
