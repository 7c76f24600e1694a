import type { BlockStart, ElementType } from '@holdfast/conversation'

const TYPE_BY_TOOL: Readonly<Record<string, ElementType>> = {
  canvas_add_card: 'card',
  canvas_show_text: 'text',
  canvas_show_chart: 'chart',
  canvas_show_table: 'table',
  canvas_play_media: 'media',
  canvas_show_progress: 'progress',
  canvas_show_timer: 'timer',
  canvas_show_checklist: 'checklist',
  canvas_show_form: 'form',
  canvas_show_confirmation: 'confirmation',
  canvas_show_page: 'page',
}

/** The kind of element that a block of an answer draws, where it draws one. */
export function drawnType(start: BlockStart): ElementType | undefined {
  return start.type === 'tool-call' ? TYPE_BY_TOOL[start.name] : undefined
}
