export { PinnedServer } from '../pins.ts'
export { SERVER_NAME } from '../server-settings.ts'
export { isSignInOpenTo } from '../server-status.ts'
export { KeptSignIn } from '../sign-in.ts'
