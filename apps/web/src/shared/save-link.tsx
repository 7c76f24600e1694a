import type { Client } from '@holdfast/client'
import type { ReactNode } from 'react'
import { BASE_PATH } from './address.ts'
import { answerOf } from './ask-server.ts'
import { tellProblem } from './toasts/toasts.ts'

interface SaveLinkProps {
  readonly client: Pick<Client, 'ticketed'>
  /** The address of the file, as the client names it. */
  readonly target: string
  /** What the file is called; absent: as the server calls it. */
  readonly fileName?: string
  readonly className?: string
  readonly title?: string
  /** Called when it was chosen. */
  readonly onChosen?: () => void
  readonly children: ReactNode
}

/** Saves a file of the server. What a browser loads by itself needs a ticket, which is made when it is wanted. [SEC19] */
export function SaveLink({ client, target, fileName, className, title, onChosen, children }: SaveLinkProps) {
  async function save(): Promise<void> {
    const { value, problem } = await answerOf(client.ticketed(target))
    if (problem !== null) {
      tellProblem(problem)
      return
    }
    const link = document.createElement('a')
    link.href = value
    link.download = fileName ?? ''
    link.click()
  }

  return (
    <a
      href={BASE_PATH + target}
      className={className}
      title={title}
      download={fileName ?? true}
      onClick={(event) => {
        event.preventDefault()
        onChosen?.()
        void save()
      }}
    >
      {children}
    </a>
  )
}
