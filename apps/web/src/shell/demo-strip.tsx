import type { Client, ConversationStore } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { isDemo, modelInUse, useModelInUse } from '../composer/context/model-choice.ts'
import { openModels } from '../composer/context/open-models.ts'
import { navigate, pathOf } from '../shared/address.ts'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'

const strong = { strong: (inner: React.ReactNode) => <strong>{inner}</strong> }

/** Says that a script answers, as long as it does; where a model would answer elsewhere, that it does not here. [UI34] */
export function DemoBanner({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const models = useObservable(client.models, ({ value }) => value)
  const usual = modelInUse(models, null)
  if (!isDemo(useModelInUse(client, store))) return null
  if (usual.row === null || isDemo(usual)) return <DemoStrip />
  return (
    <div className="strip" data-testid="demo-banner" data-state="stays">
      <div>
        <p>
          <Said of="page.demo-stays" values={{ model: usual.row.name }} tags={strong} />
        </p>
        <button type="button" className="button small" onClick={openModels}>
          {say('page.choose-a-model')}
        </button>
      </div>
    </div>
  )
}

const MODELS = { type: 'settings', section: 'models' } as const

/** The words of it, and the way to a model. */
export function DemoStrip() {
  return (
    <div className="strip" data-testid="demo-banner">
      <div>
        <p>
          <Said of="page.demo-strip" values={{}} tags={strong} />
        </p>
        <a
          className="button small"
          href={pathOf(MODELS)}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            navigate(MODELS, 'push')
          }}
        >
          {say('page.connect-a-model')}
        </a>
      </div>
    </div>
  )
}
