import { createExternalAgentApi } from '@holdfast/client'
import { BASE_PATH } from '../../shared/address.ts'
import { pageKey } from '../../shared/page-key.ts'

/** The way to the external agents of the server. */
export const externalApi = createExternalAgentApi({ url: location.origin + BASE_PATH, pageKey })
