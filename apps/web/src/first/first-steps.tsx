import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { WorkspaceRow } from '@holdfast/protocol'
import { Suspense, useState } from 'react'
import { Step } from '../archive/step.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { FoundConversations } from './found-conversations.tsx'
import { FoundModels } from './found-models.tsx'

const OpenFolder = later(async () => (await import('../workspaces/open-folder.tsx')).OpenFolder)

interface FirstStepsProps {
  readonly client: Client
  /** The model that answers here; null where that is not known. */
  readonly modelId: string | null
  /** Has a model answer here, and in new conversations. */
  readonly onModel: (modelId: string) => void
  readonly onWorkspace: (row: WorkspaceRow) => void
}

/** What an installation without a conversation begins with: a model, a project, what was said elsewhere. [UI110] */
export function FirstSteps({ client, modelId, onModel, onWorkspace }: FirstStepsProps) {
  const canOpen = useObservable(client.workspaces, ({ value }) => value?.canOpen === true)
  const [isOpening, setOpening] = useState(false)
  return (
    <section className="first-steps" aria-labelledby="first-steps-title" data-testid="first-steps">
      <h2 id="first-steps-title">{say('first.begin-with')}</h2>
      <ul>
        <FoundModels client={client} modelId={modelId} onModel={onModel} />
        {canOpen && (
          <Step kind="project" name={say('first.your-project')} says={say('first.your-project-says')}>
            <button type="button" className="button small" onClick={() => setOpening(true)}>
              {say('workspaces.open-asking')}
            </button>
          </Step>
        )}
        <FoundConversations client={client} />
      </ul>
      {isOpening && (
        <Suspense fallback={null}>
          <OpenFolder client={client} onOpened={onWorkspace} onClose={() => setOpening(false)} />
        </Suspense>
      )}
    </section>
  )
}
