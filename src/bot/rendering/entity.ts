import type { EntityActionButton, EntityMetadata } from '@slack/types';
import type { Button, Said, SaidPart } from '../../action/base/chat.ts';
import type { ActionPart } from '../../handlers/audit/action-part.ts';
import { recalled } from '../../handlers/audit/recalled.ts';
import { capital, type Span, type Text } from '../../handlers/reply.ts';
import { buttonRow } from './buttons.ts';
import { limits } from './limits.ts';
import type { LinkedMessage } from './links.ts';
import type { Palette } from './palette.ts';
import { inert, plainSpan, shortened } from './text.ts';

/**
 * Actions as Slack's Work Objects: what stands below a message, and in the pane that opens beside it. Whoever can read the message can
 * read its metadata, and so can other apps: both say what the drawn part says, and no more.
 */

/** What a message is about and can be opened. */
export interface EntitiesIn {
  readonly entities?: EntityMetadata[];
}

export function entitiesIn(parts: readonly SaidPart[] = [], palette: Palette): EntitiesIn {
  if (!palette.entities) return {};
  const entities = parts.flatMap((part) => (part.kind === 'action' ? (entityOf(part) ?? []) : []));
  return entities.length === 0 ? {} : { entities };
}

/**
 * Undefined where it is not there to be opened, or has no message that it could lead to: Slack wants an address, and the bot has none of
 * its own.
 */
export function entityOf(part: ActionPart): EntityMetadata | undefined {
  const { message, opens } = part;
  // What came of it stands in large letters above.
  return opens && message !== undefined && isLinked(message)
    ? entityAt(message.url, { ...part, outcome: [] })
    : undefined;
}

/** The same for whoever has opened it: as of now, and with the buttons that they are given. */
export function detailsOf(
  { url, part, now }: { readonly url: string; readonly part: ActionPart; readonly now: number },
  buttons: readonly Button[],
): EntityMetadata {
  const entity = entityAt(url, part);
  const drawn = buttonRow(buttons).elements.flatMap((one): EntityActionButton[] => {
    if (one.type !== 'button' || one.action_id === undefined || one.value === undefined) return [];
    const { action_id, value, text, accessibility_label } = one;
    const heard = accessibility_label === undefined ? {} : { accessibility_label };
    return [{ text: text.text, action_id, value, ...heard }];
  });
  const { primary, overflow } = limits.entity.buttons;
  const actions = {
    primary_actions: drawn.slice(0, primary),
    overflow_actions: drawn.slice(primary, primary + overflow),
  };
  const { attributes } = entity.entity_payload;
  return {
    ...entity,
    entity_payload: {
      ...entity.entity_payload,
      // Newer than what Slack has, which then shows this.
      attributes: { ...attributes, metadata_last_modified: seconds(now) },
      ...(drawn.length > 0 && { actions }),
    },
  };
}

/** What is said in a sentence or two where there is nothing to open. */
export function sentence({ headline, details = [] }: Said): string {
  const told = [headline, ...details.flatMap((part) => (part.kind === 'text' ? [part.text] : []))];
  return words(told.flatMap((text, at) => (at === 0 ? text : [' ', ...text])));
}

function entityAt(url: string, part: ActionPart): EntityMetadata {
  const { reference, line, state, outcome, asked, ended, person, appliances, approvedBy, evidence } = part;
  const custom = [
    { key: 'appliances', label: 'On', value: [appliances.join(', ')] },
    { key: 'evidence', label: 'Evidence', value: recalled(evidence.join(' '), () => false) },
  ].filter(({ value }) => value.join('') !== '');
  return {
    entity_type: 'slack#/entities/task',
    external_ref: { id: reference },
    url,
    entity_payload: {
      attributes: {
        title: { text: shortened(words([line]), limits.entity.title) },
        display_id: reference,
        display_type: 'Action',
      },
      fields: {
        status: { value: capital(state), tag_color: colours[state] },
        ...(outcome.length > 0 && { description: { value: words(outcome) } }),
        created_by: userField(person),
        date_created: { value: seconds(asked) },
        ...(ended !== undefined && { date_updated: { value: seconds(ended) } }),
      },
      custom_fields: [
        ...custom.map((field) => ({
          ...field,
          value: words(field.value),
          type: 'string',
          ...(field.value.length > limits.entity.short && { long: true }),
        })),
        ...(approvedBy.length === 0
          ? []
          : [
              {
                key: 'approved_by',
                label: 'Approved by',
                type: 'array',
                item_type: 'slack#/types/user',
                value: approvedBy.map(userField),
              },
            ]),
      ],
    },
  };
}

const userField = (id: string) => ({ type: 'slack#/types/user', user: { user_id: id } });

/**
 * Slack does not say how it reads such a string, as Markdown or as it is: nothing in it may become more than letters. Nobody can be
 * named there, so a sentence that names somebody is left to the places where they can.
 */
function words(text: Text): string {
  const said = text.map((span) => (isSomebody(span) ? somebody : inert(wordsOf(span)))).join('');
  const told = said.split(/(?<=[.!?]) /).filter((one) => !one.includes(somebody));
  return shortened(told.join(' ') || '–', limits.entity.text);
}

/** Stands in no text: it is no letter. */
const somebody = '\u{1}';
const isSomebody = (span: Span): boolean =>
  typeof span !== 'string' && (span.kind === 'person' || span.kind === 'group');
const wordsOf = (span: Span): string =>
  typeof span !== 'string' && span.kind === 'channel' ? 'this channel' : plainSpan(span);

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

const isLinked = (message: object): message is LinkedMessage => 'url' in message;

/** Slack has five. */
const colours: Readonly<Record<ActionPart['state'], string>> = {
  'under way': 'blue',
  waiting: 'yellow',
  planned: 'blue',
  denied: 'gray',
  refused: 'gray',
  done: 'green',
  failed: 'red',
  unknown: 'yellow',
  cancelled: 'gray',
  expired: 'gray',
};
