import type { Actor } from '@holdfast/conversation'
import type { Asked, Carried, CommandName } from './carried.ts'

/** Who asks, after they were let. */
export interface Asker {
  readonly userId: string
  readonly actor: Actor
}

/** How each command is carried out, by name; one that is missing does not compile. */
export type Handlers = {
  readonly [Name in CommandName]: (asked: Asked[Name], asker: Asker) => Promise<Carried<Name>>
}
