export { PinnedServer } from '../pins.ts'
export { SERVER_NAME } from '../server-settings.ts'
export { SignInState } from '../sign-in.ts'
