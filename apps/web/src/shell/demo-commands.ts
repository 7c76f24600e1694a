import type { ModelsAnswer } from '@holdfast/protocol'
import type { WrittenCommand } from '../composer/mentions/offers.ts'

const COMMAND = '/demo'

/** What the demo model can show, as commands with what each shows; `run` is null where they are sent as they are. [CLI32] */
export function demoCommands(
  demo: ModelsAnswer['demo'],
  run: ((words: string) => void) | null,
): readonly WrittenCommand[] {
  return (demo ?? []).map(({ name, shows, takesWords }) => ({
    text: `${COMMAND} ${name}`,
    about: shows,
    takesWords,
    run: run && ((words) => run(`${name} ${words}`.trim())),
  }))
}
