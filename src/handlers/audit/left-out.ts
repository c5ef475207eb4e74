import { code, moment, type Part, paragraph, say, type Text } from '../reply.ts';
import type { HistoryEntry, HistoryFilter } from './history.ts';

/** Notes about entries that an answer cannot or may not show. */

/** Mentions hidden entries, so that nobody concludes that nothing happened. */
export function withheldIn(withheld: number): readonly Part[] {
  if (withheld === 0) return [];
  const actions = withheld === 1 ? '1 action is' : `${withheld} actions are`;
  return [
    paragraph`${actions} not shown: other appliances were included, and you have no access to all of them.`,
  ];
}

/** Entries from an earlier version lack the searched property. */
export const notTold = (since: number | undefined): readonly Part[] =>
  since === undefined
    ? []
    : [
        paragraph`What ended before ${moment(since)} is not searched for this: an earlier version recorded it.`,
      ];

/** Entries beyond the limit, and where to find them. */
export function roomFor(
  entries: readonly HistoryEntry[],
  count: number,
  wanted: HistoryFilter,
): readonly Part[] {
  if (entries.length >= count) return [];
  const shown = entries.length.toLocaleString('en');
  return [paragraph`Showing the newest ${shown} of ${count.toLocaleString('en')}. ${elsewhere(wanted)}`];
}

export const behind = (entries: readonly HistoryEntry[], count: number, wanted: HistoryFilter) => ({
  keys: entries.map(({ key }) => key),
  count,
  elsewhere: elsewhere(wanted),
});

function elsewhere(wanted: HistoryFilter): Text {
  const {
    by,
    command: words,
    ticket: named,
    plan,
    about,
    denied,
    failed,
    approved,
    since: from,
    until,
  } = wanted;
  const options = [
    ...(from === undefined ? [] : [`--since ${new Date(from).toISOString().slice(0, 10)}`]),
    ...(until === undefined ? [] : [`--until ${new Date(until).toISOString().slice(0, 10)}`]),
    ...(by === undefined ? [] : [`--by ${by}`]),
    ...(words === undefined ? [] : [`--command "${words.replaceAll('"', '')}"`]),
    ...(named === undefined ? [] : [`--ticket ${named}`]),
    ...(plan === undefined ? [] : [`--plan ${plan}`]),
    ...(about === undefined ? [] : [`--about "${about.replaceAll('"', '')}"`]),
    ...(denied ? ['--denied'] : []),
    ...(failed ? ['--failed'] : []),
    ...(approved ? ['--approved'] : []),
  ];
  return say`To export all of them, run ${code(['appliance-bot audit export', ...options].join(' '))} on the bot’s machine.`;
}
