export { type AnswerTap, createAnswerTap } from './answer-tap.ts'
export { type HeardAnswer, NOTHING_HEARD, type WireForm } from './heard-answer.ts'
