import type { Argument } from '../argument.ts';
import { info } from '../declare.ts';
import {
  code,
  fieldList,
  messageLink,
  type Part,
  paragraph,
  type Reply,
  say,
  strong,
  type Text,
} from '../reply.ts';
import { endedIn, factsOf } from './entries.ts';
import type { ActionName, HistoryEntry, StepEntry } from './history.ts';
import { readReference } from './reference.ts';

/** An action, by its reference or by the link of a message about it. */
const action: Argument<ActionName> = {
  what: 'an action',
  example: 'A-7KQ2MX9D',
  recognisable: true,
  namesAny: 'action',
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

const shown = {
  anywhere: false,
  tellsOfAppliances: true,
  args: { action },
} as const;

export const show = info({
  ...shown,
  phrase: 'show <action>',
  byNameAlone: true,
  also: ['what became of <action>', 'what happened to <action>', 'action <action>'],
  says: `
    what is <action> / what about <action> / details of <action> / find <action> / look up <action> /
    open <action> / status of <action> / is <action> done / did <action> work / who did <action>
  `,
  summary: 'Show what became of an action, as of now',
  example: 'show A-7KQ2MX9D',
  answer: async ({ args, history }) => {
    const found = await history.one(args.action);
    if (found === undefined) return notHere(args.action);
    const { entry, steps, undo, temporary } = found;
    const { reference, line, channel, card } = entry;
    return {
      headline: headlineOf(entry),
      details: [
        fieldList(factsOf(entry)),
        ...(temporary === undefined
          ? []
          : [{ kind: 'fields' as const, fields: [{ name: 'Temporary', value: temporary }] }]),
        ...(steps.length === 0 ? [] : [stepTable(steps)]),
        ...(entry.state === 'waiting' && card !== undefined
          ? [paragraph`Approve, confirm or cancel it on ${messageLink('its card', channel, card)}.`]
          : []),
        {
          kind: 'offers',
          offers: [
            ...undo.map(({ token, where }) => ({
              label: where === undefined ? 'Undo' : `Undo on ${where}`,
              line,
              standing: { press: 'offer', token } as const,
            })),
            ...(card === undefined
              ? []
              : [{ label: 'Show it to everyone here', line: `share ${reference}` }]),
          ],
        },
      ],
    };
  },
});

export const share = info({
  ...shown,
  posted: true,
  phrase: 'share <action>',
  also: ['post <action>', 'show <action> to everyone', 'show everyone <action>'],
  says: 'share <action> here / post <action> here / share <action> with everybody / show <action> to all',
  summary: 'Show everyone in this channel what became of an action',
  example: 'share A-7KQ2MX9D',
  answer: async ({ args, history }) => {
    const found = await history.one(args.action);
    if (found === undefined) return notHere(args.action);
    // The card itself shows the read-back.
    const facts = factsOf({ ...found.entry, evidence: [] });
    return { headline: headlineOf(found.entry), details: [fieldList(facts)] };
  },
});

/** Each started line of a plan is an action with a name of its own. */
const stepTable = (steps: readonly StepEntry[]): Part => ({
  kind: 'table',
  columns: ['Line', 'Command', 'Result', 'Action'],
  rows: steps.map(({ number, line, result, reference }) => [
    say`${number}`,
    say`${line}`,
    result,
    say`${reference ?? ''}`,
  ]),
});

const headlineOf = (entry: HistoryEntry): Text => say`${strong(entry.reference)}: ${endedIn(entry)}`;

function notHere(named: ActionName): Reply {
  const what = 'reference' in named ? say`${code(named.reference)}` : say`That message`;
  return {
    headline: say`${what} is not an action of this channel, or it is about appliances that you have no access to. ${code('/appliance audit')} lists what was asked here.`,
  };
}
