import type { AttachmentApi } from '@holdfast/client'
import { useMemo } from 'react'
import { type Asked, useAsked } from '../../shared/ask-server.ts'

/** The address at which an element gets a file of the server by itself, made when it is shown; with null nothing is asked. [SEC19] */
export function useTicketed(api: AttachmentApi, target: string | null): Asked<string> {
  const ask = useMemo(() => (target === null ? null : () => api.ticketed(target)), [api, target])
  return useAsked(ask)[0]
}
