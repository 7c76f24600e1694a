import * as z from 'zod'

// The page's content policy forbids compiled code. Said before any schema is made, so that none tries.
z.config({ jitless: true })
