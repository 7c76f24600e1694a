import type { Json } from '../json.ts'
import type { CanvasLayout, CanvasMode, CanvasOperation, CanvasTheme } from './canvas-operation.ts'

/** What an agent or a person asks of a canvas, not checked against it yet. */
export type CanvasWish =
  /** `content` is what an element of that kind shows; the server gives the id. */
  | { readonly type: 'add'; readonly content: Json }
  | { readonly type: 'update'; readonly elementId: string; readonly fields: { readonly [name: string]: Json } }
  | { readonly type: 'remove'; readonly elementId: string }
  | { readonly type: 'pin'; readonly elementId: string; readonly pinned: boolean }
  | { readonly type: 'check'; readonly elementId: string; readonly itemId: string; readonly checked: boolean }
  /** A person's answer to a form (values by field) or a confirmation (the id of a choice). */
  | { readonly type: 'answer'; readonly elementId: string; readonly value: Json }
  | { readonly type: 'set-mode'; readonly mode: CanvasMode; readonly layout: CanvasLayout | null }
  | { readonly type: 'set-theme'; readonly theme: CanvasTheme }
  | { readonly type: 'notify'; readonly text: string; readonly tone: 'neutral' | 'good' | 'warning' | 'bad' }
  | { readonly type: 'clear' }
  | { readonly type: 'restore' }

/** Why a wish was refused. Nothing was changed. */
export type CanvasRefusalCode =
  | 'unknown-element'
  | 'bad-element'
  | 'too-large'
  | 'canvas-full'
  | 'already-answered'
  | 'not-yours'
  | 'nothing-to-restore'

/** What becomes of a wish. */
export type CanvasDecision =
  | {
      readonly type: 'accepted'
      readonly operation: CanvasOperation
      /** Null where the wish is about the whole canvas. */
      readonly elementId: string | null
    }
  | { readonly type: 'refused'; readonly code: CanvasRefusalCode; readonly text: string }
