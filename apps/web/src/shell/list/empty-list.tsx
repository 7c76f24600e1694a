import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { modelInUse } from '../../composer/context/model-choice.ts'
import { say } from '../../shared/language/say.ts'
import { welcomeModel } from '../welcome-model.ts'

/** What the list says where there is no conversation. That nothing leaves this computer it says only where that is so. */
export function EmptyList({ client }: { readonly client: Client }) {
  const models = useObservable(client.models, ({ value }) => value)
  const isAlone = welcomeModel(models, modelInUse(models, null)) === 'demo-alone'
  return <p>{say(isAlone ? 'list.no-conversations-yet-start-one' : 'list.no-conversations-yet')}</p>
}
