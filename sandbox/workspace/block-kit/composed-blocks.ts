import { pick } from './elements.ts';
import {
  anyText,
  block,
  bool,
  either,
  imageElement,
  list,
  plain,
  ref,
  type Schema,
  shape,
} from './shapes.ts';

const task = (statuses: readonly string[]): Schema =>
  block(
    'task_card',
    {
      task_id: anyText,
      title: anyText,
      status: { enum: statuses },
      details: ref('rich_text'),
      output: ref('rich_text'),
      sources: { type: 'array', items: shape('url', { url: anyText, text: anyText }, ['url', 'text']) },
    },
    ['task_id', 'title', 'status'],
  );

const card: Schema = {
  ...block('card', {
    hero_image: imageElement,
    icon: imageElement,
    slack_icon: shape('icon', { name: anyText }, ['name']),
    title: either(150),
    subtitle: either(150),
    body: either(200),
    subtext: either(200),
    actions: list(pick('button'), 3),
  }),
  anyOf: [
    { required: ['hero_image'] },
    { required: ['title'] },
    { required: ['actions'] },
    { required: ['body'] },
  ],
  not: { required: ['icon', 'slack_icon'] },
};

/** Blocks made of other parts: cards, containers, plans, alerts (slack-facts.md §3). */
export const composedBlocks: Readonly<Record<string, Schema>> = {
  alert: block(
    'alert',
    { text: either(200), level: { enum: ['default', 'info', 'warning', 'error', 'success'] } },
    ['text'],
  ),
  card,
  carousel: block('carousel', { elements: list(card, 10) }, ['elements']),
  container: {
    ...block(
      'container',
      {
        title: plain(150),
        rich_text_title: ref('rich_text'),
        subtitle: either(150),
        child_blocks: list({ type: 'object', required: ['type'] }, 10),
        width: { enum: ['narrow', 'standard', 'wide', 'full'] },
        icon: imageElement,
        is_collapsible: bool,
        default_collapsed: bool,
        has_header_divider: bool,
      },
      ['child_blocks'],
    ),
    anyOf: [{ required: ['title'] }, { required: ['rich_text_title'] }],
  },
  task_card: task(['in_progress', 'complete', 'error']),
  plan: block(
    'plan',
    {
      title: anyText,
      tasks: { type: 'array', items: task(['pending', 'in_progress', 'complete', 'error']) },
    },
    ['title'],
  ),
};
