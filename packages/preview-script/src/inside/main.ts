import { openChannel } from './channel.ts'
import { watchConsole } from './console.ts'
import { createErrors, watchErrors } from './errors.ts'
import type { Given } from './given.ts'
import { watchHmr } from './hmr.ts'
import { createPicker } from './picker.ts'
import { obeyPlace, watchPlace } from './place.ts'

/** What the server gives this document; the script is its function. */
declare const given: Given

begin()

function begin(): void {
  let picker: ReturnType<typeof createPicker> | null = null
  const channel = openChannel(given, (order) => {
    switch (order.type) {
      case 'back':
      case 'forward':
      case 'reload':
      case 'go':
        return obeyPlace(order)
      case 'pick':
      case 'key':
      case 'outline':
      case 'point':
      case 'pick-node':
      case 'flash':
        picker?.obey(order)
    }
  })
  if (channel === null) return
  const errors = createErrors(channel)
  watchErrors(errors)
  watchConsole(channel, errors)
  watchPlace(channel)
  watchHmr(channel)
  picker = createPicker(channel)
}
