import { createContext, useContext } from 'react'

/** Where the pictures of the agents are, by the agent's id; an agent without one is not in it. */
export const PictureAddresses = createContext<ReadonlyMap<string, string>>(new Map())

/** Where an agent's picture is, as it is now; null where letters stand for it. */
export function usePictureAddress(agentId: string): string | null {
  return useContext(PictureAddresses).get(agentId) ?? null
}
