import { later } from '../../shared/later.tsx'

/** What is chosen of an external agent, read when one is chosen. */
export const ExternalChoices = later(async () => (await import('./external-choices.tsx')).ExternalChoices)
