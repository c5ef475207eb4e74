import {
  type Applied,
  type CompileAnswer,
  inOrder,
  lineOfCompile,
  type NamedApplied,
  namesOfApplied,
} from '../../handlers/applied.ts';
import { clock, code, enumerate, plainText, say, strong, type Text } from '../../handlers/reply.ts';
import type { Action, AppliedTold, PendingApply, ToSend } from '../../journal/journal.ts';
import { targetsIn } from '../base/stored.ts';
import { headlineOf } from './card.ts';
import type { OutcomeMention } from './mentioned.ts';
import { drawCard, tellBelow } from './messages.ts';

/** What was compiled on an appliance. */
interface Compiled {
  readonly appliance: string;
  /** When, in milliseconds since the epoch. */
  readonly at: number;
  readonly live: readonly PendingApply[];
  /** What is pending still, there and elsewhere. */
  readonly left: readonly PendingApply[];
  /** What it said to each compile. */
  readonly answers: ReadonlyMap<Applied, CompileAnswer>;
  readonly names: readonly NamedApplied[];
  /** What the bot has undone at its end: that is what was compiled. */
  readonly undone: ReadonlySet<string>;
  /** Those whose cards can show it. */
  readonly actions: ReadonlyMap<string, Action>;
  /** Who is mentioned, by the action that did it, once nothing of it is pending anywhere. */
  readonly mentions: Mentions;
}

/** Of what is done and was approved by somebody else, or planned. */
type Mentions = ReadonlyMap<string, OutcomeMention>;

/** So many appliances have a line each on a card; of more the thread tells. */
const mostLines = 3;

/**
 * A change is live when nothing of it is pending any more. Its card says so, where it has room for that. Whoever waited for somebody
 * else's yes, or planned it, is mentioned in its thread with the whole outcome.
 */
export function tellLive(compiled: Compiled): AppliedTold {
  const { actions, appliance, left, mentions } = compiled;
  const pendingIn = (rows: readonly PendingApply[]) =>
    new Set(rows.map((row) => toldBy(row.action, actions)));
  const pending = pendingIn(left.filter((row) => row.appliance === appliance));
  const pendingAnywhere = pendingIn(left);
  const each = [...Map.groupBy(compiled.live, (row) => toldBy(row.action, actions))].filter(
    ([id]) => !pending.has(id),
  );
  const told = each.map(([id, rows]): AppliedTold => {
    // What is not known to have happened is not told to be live.
    const isUnknown = rows.some((row) => actions.get(row.action)?.state === 'unknown');
    const words = isUnknown ? compiledInWords(rows, compiled) : liveInWords(rows, compiled);
    const action = actions.get(id);
    // What a plan had made temporary is told below its card, which says what was done.
    const isUndonePart = rows.every((row) => row.action !== id && compiled.undone.has(row.action));
    const isOnCard = action !== undefined && hasRoom(action) && !isUndonePart;
    // Who has read in the thread that it is not live yet is told there how that ended.
    const isAwaited = rows.some(({ tries }) => tries > 0);
    const mention =
      pendingAnywhere.has(id) || rows.some((row) => compiled.undone.has(row.action))
        ? undefined
        : mentions.get(id);
    const said =
      mention === undefined ? words : mentioning(mention, isAwaited ? [] : outcomeOf(action), words);
    return {
      messages: [
        ...(isOnCard ? [drawCard(action, action.state)] : []),
        ...(isOnCard && !isAwaited && mention === undefined ? [] : tellBelow({ id }, { headline: said })),
      ],
      evidence: isOnCard
        ? [{ action: id, of: compiled.undone.has(id) ? 'undone' : 'evidence', line: plainText(words) }]
        : [],
    };
  });
  return {
    messages: told.flatMap(({ messages }) => messages),
    evidence: told.flatMap(({ evidence = [] }) => evidence),
  };
}

/** Their names, how it came to run, what was done, and what has become of it. */
function mentioning({ opening }: OutcomeMention, outcome: Text, words: Text): Text {
  const end = /[.!?…]$/.test(plainText(outcome)) ? '' : '.';
  return say`${opening}${outcome.length === 0 ? [] : say` ${outcome}${end}`} ${words}`;
}

const outcomeOf = (action: Action | undefined): Text =>
  action?.outcome === undefined ? [] : headlineOf(action, undefined);

/** What tells of an action: of a step its plan, once for all of them. */
function toldBy(id: string, actions: Compiled['actions']): string {
  const { plan, step } = actions.get(id) ?? {};
  return step === undefined ? id : (plan ?? id);
}

const hasRoom = (action: Action): boolean =>
  action.outcome !== undefined &&
  action.card !== undefined &&
  new Set(targetsIn(action).map(({ appliance }) => appliance)).size <= mostLines;

function compiledInWords(rows: readonly PendingApply[], { appliance, at, names }: Compiled): Text {
  const mine: ReadonlySet<string> = new Set(rows.map(({ what }) => what));
  const compiled = namesOfApplied(names.filter(({ what }) => mine.has(what)));
  return say`${strong(appliance)} was asked to compile ${compiled} at ${clock(at)}. Whether this change is part of it is not known.`;
}

function liveInWords(
  rows: readonly PendingApply[],
  { appliance, at, live, answers, names, actions }: Compiled,
): Text {
  // Only `Applied` values are ever pending.
  const mine = new Set(rows.map(({ what }) => what as Applied));
  const compiled = namesOfApplied(names.filter(({ what }) => mine.has(what)));
  const others = new Set(live.map((row) => toldBy(row.action, actions))).size - 1;
  const together =
    others === 0 ? '' : ` together with ${others} other ${others === 1 ? 'change' : 'changes'}`;
  const said = new Set([...answers].flatMap(([what, answer]) => (mine.has(what) ? [answer] : [])));
  if (said.has('launched'))
    return say`${strong('Compile started')} ${clock(at)}: ${strong(appliance)} compiles ${compiled} in the background${together}, and doesn’t report when it is done.`;
  if (said.has('unconfirmed'))
    return say`${strong('Compile sent')} ${clock(at)}: ${strong(appliance)} took the request for ${compiled}${together} without saying whether it compiles. If it does, changes become active within minutes. ${enumerate(inOrder([...mine]).map((what) => code(`/appliance ${lineOfCompile(what)}`)))} sends it again.`;
  return said.has('accepted')
    ? say`${strong('Compile accepted')} ${clock(at)}: ${strong(appliance)} compiles ${compiled}${together}. Changes become active within minutes.`
    : say`${strong('Compiled')} ${clock(at)}: ${strong(appliance)} says that it has compiled ${compiled}${together}. Changes become active within minutes.`;
}

/** Why something could not be compiled. `mayBe`: the order may have been carried out all the same. */
export interface NotCompiled {
  readonly why: Text;
  readonly mayBe: boolean;
}

/** In the threads of the changes, once; `pending` tells of the tries after it. */
export function tellNotLive(
  actions: Compiled['actions'],
  { appliance, what }: { readonly appliance: string; readonly what: Text },
  { why, mayBe }: NotCompiled,
  again: number,
  mentions: Mentions,
): readonly ToSend[] {
  const so = mayBe
    ? say`${strong('Not known to be live:')} ${strong(appliance)} did not confirm that it compiles ${what}.`
    : say`${strong('Not live yet:')} ${strong(appliance)} did not compile ${what}.`;
  const words = say`${so} ${why} Next try at ${clock(again)}; retrying until it works. ${code('/appliance pending')} shows what waits, ${code('/appliance apply')} tries at once.`;
  return [...new Set([...actions.keys()].map((id) => toldBy(id, actions)))].flatMap((id) =>
    tellBelow({ id }, { headline: withMention(id) }),
  );

  function withMention(id: string): Text {
    const mention = mentions.get(id);
    return mention === undefined ? words : mentioning(mention, outcomeOf(actions.get(id)), words);
  }
}
