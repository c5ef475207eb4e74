import type { ActionsBlock, ContextBlock, KnownBlock } from '@slack/types';
import type { Card } from '../action/chat.ts';
import { clock, code, person, say, type Text } from '../handlers/reply.ts';
import type { State } from '../journal/states.ts';
import { limits } from './limits.ts';
import { heading, type Rendered, renderParts, type TableStyle } from './render.ts';
import { mrkdwn, summary } from './text.ts';

/** What a button's action_id says: which of the two was pressed. What it stands for is in the journal. */
export const buttons = { confirm: 'card_confirm', cancel: 'card_cancel' } as const;

/** The message of an action, in whatever state: a question with buttons, or the same card with an outcome line. */
export function renderCard(card: Card, tables: TableStyle = 'block'): Rendered {
  const mark = card.kind === 'change' && card.state === 'done' ? 'white_check_mark' : marks[card.state];
  const blocks: KnownBlock[] = [
    heading(card.headline, mark),
    ...renderParts(card.parts, tables),
    ...(card.notice === undefined ? [] : [heading(card.notice, 'warning')]),
    ...(card.question === undefined ? [] : [actions(card.question)]),
    footer(card),
  ];
  return { text: summary(card.headline, mark), blocks };
}

/** A glance says how it stands, by the short name of an emoji; a question and the answer of a lookup need none. */
const marks: Readonly<Record<State, string | undefined>> = {
  asked: 'hourglass_flowing_sand',
  waiting: undefined,
  approved: 'hourglass_flowing_sand',
  running: 'hourglass_flowing_sand',
  done: undefined,
  refused: 'no_entry',
  failed: 'x',
  unknown: 'warning',
  cancelled: 'white_circle',
  expired: 'white_circle',
};

function actions({ token, verb }: NonNullable<Card['question']>): ActionsBlock {
  return {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: buttons.confirm,
        style: 'danger',
        text: { type: 'plain_text', text: verb.slice(0, limits.buttonText) },
        value: token,
      },
      {
        type: 'button',
        action_id: buttons.cancel,
        text: { type: 'plain_text', text: 'Cancel' },
        value: token,
      },
    ],
  };
}

/** Who asked for what, on which appliance. */
function footer({ asker, line, appliance, question }: Card): ContextBlock {
  const parts: Text[] = [
    [person(asker)],
    [code(shorten(`/appliance ${line}`))],
    ...(appliance === undefined ? [] : [[`on ${appliance}`]]),
    ...(question === undefined ? [] : [say`expires ${clock(question.expiresAt)}`]),
  ];
  return {
    type: 'context',
    elements: [{ type: 'mrkdwn', text: parts.map(mrkdwn).join('  ·  '), verbatim: true }],
  };
}

const shorten = (line: string): string =>
  line.length <= 200 ? line : `${line.slice(0, 200)}… (${line.length} characters)`;
