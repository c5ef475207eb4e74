import {
  action,
  choosers,
  confirm,
  feedbackButton,
  multiSelects,
  pick,
  pickShapes,
  selects,
} from './elements.ts';
import {
  anyText,
  block,
  bool,
  byType,
  either,
  idList,
  imageElement,
  imageSource,
  list,
  mrkdwn,
  oneImage,
  plain,
  ref,
  type Schema,
  shape,
  text,
} from './shapes.ts';

/** The blocks of everyday messages and forms (slack-facts.md §3). */
export const basicBlocks: Readonly<Record<string, Schema>> = {
  section: {
    ...block('section', {
      text: either(3000),
      fields: list(either(2000), 10),
      expand: bool,
      accessory: byType({
        ...pickShapes('button', 'workflow_button', 'overflow', ...choosers, ...selects, ...multiSelects),
        image: imageElement,
      }),
    }),
    anyOf: [{ required: ['text'] }, { required: ['fields'] }],
  },
  header: block('header', { text: plain(150), level: { type: 'integer', minimum: 1, maximum: 4 } }, ['text']),
  divider: block('divider', {}),
  context: block(
    'context',
    { elements: list(byType({ plain_text: plain(3000), mrkdwn: mrkdwn(3000), image: imageElement }), 10) },
    ['elements'],
  ),
  actions: block(
    'actions',
    {
      elements: list(
        pick(
          'button',
          'workflow_button',
          'overflow',
          'datetimepicker',
          'rich_text_input',
          ...choosers,
          ...selects,
          ...multiSelects,
        ),
        25,
      ),
    },
    ['elements'],
  ),
  context_actions: block(
    'context_actions',
    {
      elements: list(
        byType({
          feedback_buttons: shape(
            'feedback_buttons',
            { ...action, positive_button: feedbackButton, negative_button: feedbackButton },
            ['positive_button', 'negative_button'],
          ),
          icon_button: shape(
            'icon_button',
            {
              ...action,
              ...confirm,
              icon: anyText,
              text: plain(75),
              value: text(2000),
              accessibility_label: text(75),
              visible_to_user_ids: idList,
            },
            ['icon', 'text'],
          ),
        }),
        5,
      ),
    },
    ['elements'],
  ),
  image: oneImage(block('image', { ...imageSource, alt_text: text(2000), title: plain(2000) }, ['alt_text'])),
  input: block(
    'input',
    {
      label: plain(2000),
      hint: plain(2000),
      optional: bool,
      dispatch_action: bool,
      element: pick(
        'plain_text_input',
        'number_input',
        'email_text_input',
        'url_text_input',
        'rich_text_input',
        'file_input',
        'datetimepicker',
        ...choosers,
        ...selects,
        ...multiSelects,
      ),
    },
    ['label', 'element'],
  ),
  rich_text: ref('rich_text'),
  markdown: block('markdown', { text: text(12_000) }, ['text']),
};
