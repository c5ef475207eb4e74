import type { ActionsBlock, Button as SlackButton } from '@slack/types';
import { type Button, type Press, presses } from '../../action/base/chat.ts';
import { limits } from './limits.ts';
import { plainLabel } from './text.ts';

/**
 * Buttons carry what was pressed in their `action_id`, and an opaque token as their value: what it stands for is in the
 * journal. Slack wants every `action_id` of a message to be its own, so each has a number behind it.
 */
const prefix = 'press';

/** One row of buttons; Slack takes 25 in one (slack-facts.md §3). */
export const buttonRow = (buttons: readonly Button[]): ActionsBlock => ({
  type: 'actions',
  elements: buttons.slice(0, limits.buttons).map(buttonElement),
});

export const buttonElement = (
  { press, label, about, token, detail, style }: Button,
  index: number,
): SlackButton => ({
  type: 'button',
  action_id: [prefix, press, token.slice(0, 8), index].join(':'),
  // What stands on it may come from an appliance or from a file's name.
  text: { type: 'plain_text', text: plainLabel(label, limits.buttonText), emoji: false },
  ...(about !== undefined && {
    accessibility_label: plainLabel(`${label}: ${about}`, limits.buttonText),
  }),
  value: detail === undefined ? token : `${token} ${detail}`,
  ...(style === undefined ? {} : { style }),
});

/** For `app.action`: every button of ours. */
export const anyButton = new RegExp(`^${prefix}:`);

/** What a click says; undefined when it is not one of our buttons. */
export function readButton(
  actionId: string,
  value: string | undefined,
): Pick<Press, 'button' | 'token' | 'detail'> | undefined {
  const [own, press] = actionId.split(':');
  if (own !== prefix || value === undefined || !isPress(press)) return undefined;
  const [token = '', detail] = value.split(' ');
  return { button: press, token, detail };
}

const isPress = (text: string | undefined): text is Press['button'] => presses.some((one) => one === text);
