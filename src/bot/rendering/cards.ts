import type { ActionsBlock, ContextBlock, KnownBlock } from '@slack/types';
import type { Card, SaidPart } from '../../action/base/chat.ts';
import { abridged } from '../../graphemes.ts';
import { tellsWhere } from '../../handlers/language/asked.ts';
import { channel, clock, code, person, say, type Text } from '../../handlers/reply.ts';
import type { State } from '../../journal/actions/states.ts';
import { fullPalette, type Palette } from './palette.ts';
import { buttonRow, heading, line, type Rendered, renderParts, spoken } from './render.ts';
import { linked, mrkdwn, summary } from './slack-text.ts';

/** The message of an action in any state: a question with buttons, or the card with its result. */
export function renderCard(given: Card, palette: Palette = fullPalette): Rendered {
  const card = withoutCode(linked(given, palette));
  const settled = card.kind === 'change' && card.state === 'done' ? 'white_check_mark' : marks[card.state];
  const mark = card.alarm ? 'rotating_light' : card.isUndone ? 'white_circle' : settled;
  const blocks: KnownBlock[] = [
    heading(card.headline, mark),
    ...renderParts(card.parts, palette),
    ...(card.notice === undefined ? [] : [line(card.notice, 'warning')]),
    ...(card.progress === undefined ? [] : [line(card.progress)]),
    ...(card.question === undefined ? [] : [actions(card.question, card.line)]),
    footer(card),
  ];
  return { text: summary(wordsOf(card), mark), blocks };
}

/** The whole visible content for screen readers: the effect of a click, and the result. */
function wordsOf(card: Card): Text {
  const { headline, parts, notice, progress } = card;
  const text = (one: Text | undefined): readonly SaidPart[] =>
    one === undefined ? [] : [{ kind: 'text', text: one }];
  return spoken({
    headline,
    details: [...text(notice), ...parts, ...text(progress), ...footerOf(card).flatMap(text)],
  });
}

/** Approvers read sentences, so code within one becomes a quotation. */
function withoutCode<Drawn extends Pick<Card, 'question' | 'headline' | 'parts'>>(card: Drawn): Drawn {
  if (card.question?.approval !== true) return card;
  const parts = card.parts.map((part) =>
    part.kind === 'fields'
      ? { ...part, fields: part.fields.map(({ name, value }) => ({ name, value: quoted(value) })) }
      : part,
  );
  return { ...card, headline: quoted(card.headline), parts };
}

/** A value alone stays exact as code. */
const quoted = (text: Text): Text =>
  text.length === 1
    ? text
    : text.map((span) => (typeof span !== 'string' && span.kind === 'code' ? `“${span.text}”` : span));

/** The emoji for each state; a question and a lookup's answer need none. */
export const marks: Readonly<Record<State, string | undefined>> = {
  asked: 'hourglass_flowing_sand',
  waiting: undefined,
  planned: 'calendar',
  approved: 'hourglass_flowing_sand',
  running: 'hourglass_flowing_sand',
  done: undefined,
  refused: 'no_entry',
  failed: 'x',
  unknown: 'warning',
  cancelled: 'white_circle',
  expired: 'white_circle',
};

function actions({ token, verb, approval }: NonNullable<Card['question']>, about: string): ActionsBlock {
  return buttonRow(
    approval
      ? [
          { press: 'approve', label: 'Approve', about, token, style: 'primary' },
          { press: 'deny', label: 'Deny…', about, token },
          { press: 'cancel', label: 'Withdraw', about, token },
        ]
      : [
          { press: 'confirm', label: verb, about, token, style: 'danger' },
          { press: 'cancel', label: 'Cancel', about, token },
        ],
  );
}

/** The requester, the line and the appliances. */
const footer = (card: Card): ContextBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: footerOf(card).map(mrkdwn).join('  ·  '), verbatim: true }],
});

function footerOf({ asker, line, appliances, question, rulesOf }: Card): readonly Text[] {
  const typed = abridged(`/appliance ${line}`, 200);
  return [
    [person(asker)],
    [code(typed)],
    ...(appliances.length === 0 || tellsWhere(typed, appliances) ? [] : [[`on ${namesOf(appliances)}`]]),
    ...(rulesOf === undefined ? [] : [say`as in ${channel(rulesOf)}`]),
    ...(question === undefined ? [] : [say`expires ${clock(question.expiresAt)}`]),
  ];
}

/** A context line has 3,000 characters (slack-facts.md §3); the card's own fields name every appliance. */
const mostNamed = 10;
const namesOf = (appliances: readonly string[]): string =>
  appliances.length <= mostNamed
    ? appliances.join(', ')
    : `${appliances.slice(0, mostNamed).join(', ')} and ${appliances.length - mostNamed} more`;
