import type { Argument } from '../argument.ts';
import { info } from '../declare.ts';
import {
  channel as channelSpan,
  code,
  enumerate,
  type Field,
  messageLink,
  moment,
  paragraph,
  person,
  say,
  strong,
} from '../reply.ts';
import { endedIn, typed } from './entries.ts';
import type { ActionName, OneAction } from './history.ts';

/** As people type it, who may take a letter for a digit. */
function readReference(typed: string): string | undefined {
  const [, digits] = /^A-([0-9A-TV-Z]{8})$/.exec(typed.toUpperCase()) ?? [];
  return digits && `A-${digits.replaceAll('O', '0').replaceAll(/[IL]/g, '1')}`;
}

/** What people call an action by: its own name, or the link of a message about it. */
const action: Argument<ActionName> = {
  what: 'an action',
  example: 'A-7KQ2MX9D',
  recognisable: true,
  read: (word) => {
    const reference = readReference(word);
    if (reference !== undefined) return { ok: true, value: { reference } };
    const [, channel = '', seconds = '', rest = ''] =
      /\/archives\/([A-Z0-9]+)\/p(\d{10})(\d{6})/.exec(word) ?? [];
    const [, thread] = /[?&]thread_ts=(\d{10}\.\d{6})/.exec(word) ?? [];
    return channel === ''
      ? { ok: false, problem: { code: 'malformed', wanted } }
      : { ok: true, value: { channel, messages: [`${seconds}.${rest}`, ...(thread ? [thread] : [])] } };
  },
};
const wanted = 'the name of an action such as A-7KQ2MX9D, or the link of a message of Appliance Bot';

export const show = info({
  anywhere: false,
  tellsOfAppliances: true,
  phrase: 'show <action>',
  also: ['what became of <action>', 'what happened to <action>', 'action <action>'],
  says: `
    what is <action> / what about <action> / details of <action> / find <action> / look up <action> /
    open <action> / status of <action> / is <action> done / did <action> work / who did <action>
  `,
  args: { action },
  summary: 'Show what became of an action, as of now',
  example: 'show A-7KQ2MX9D',
  answer: async ({ args, history }) => {
    const found = await history.one(args.action);
    if (found === undefined) {
      const named = 'reference' in args.action ? say`${code(args.action.reference)}` : say`That message`;
      return {
        headline: say`${named} is no action of this channel, or it is about appliances that you have no access to. ${code('/appliance audit')} lists what was asked here.`,
      };
    }
    const { entry, undo } = found;
    return {
      headline: say`${strong(entry.reference)}: ${endedIn(entry)}`,
      details: [
        { kind: 'fields', fields: fieldsOf(found) },
        ...(entry.state === 'waiting' && entry.card !== undefined
          ? [
              paragraph`Approve, confirm or cancel it on ${messageLink('its card', entry.channel, entry.card)}.`,
            ]
          : []),
        {
          kind: 'offers',
          offers: undo.map(({ token, where }) => ({
            label: where === undefined ? 'Undo' : `Undo on ${where}`,
            line: entry.line,
            standing: { press: 'offer', token },
          })),
        },
      ],
    };
  },
});

function fieldsOf({ entry }: OneAction): readonly Field[] {
  const { asked, ended, appliances, approvedBy, card, channel } = entry;
  return [
    { name: 'Asked by', value: say`${person(entry.person)}, ${moment(asked)}` },
    { name: 'Line', value: typed(entry) },
    ...(appliances.length === 0 ? [] : [{ name: 'On', value: enumerate(appliances.map(strong)) }]),
    ...(ended === undefined ? [] : [{ name: 'Ended', value: say`${moment(ended)}` }]),
    ...(approvedBy.length === 0 ? [] : [{ name: 'Approved by', value: enumerate(approvedBy.map(person)) }]),
    {
      name: 'Where',
      value:
        card === undefined
          ? say`${channelSpan(channel)}`
          : say`${messageLink('open its thread', channel, card)}`,
    },
  ];
}
