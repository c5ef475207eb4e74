import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { topics } from '../../handlers/help/topics.ts';
import { code, moment, plainText, say, strong, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { Button, SaidPart } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { isTakenBack, openUndosOf } from '../history/left-to-undo.ts';
import { endingOf } from '../history/timed-end.ts';
import { headlineOf } from '../showing/card.ts';
import type { UndoOffer } from '../showing/kept-offer.ts';
import {
  buttonsFor,
  heading,
  mostLooked,
  onFor,
  rest,
  type Section,
  seeCard,
  type Viewer,
} from './section.ts';

/** How far back, in milliseconds, and how much of it. */
const lately = { within: 12 * 60 * 60_000, most: 8 };
const habits = { within: 30 * 24 * 60 * 60_000, most: 10 };

const marks: Readonly<Partial<Record<Action['state'], string>>> = { done: '✅', failed: '❌', unknown: '❓' };

interface Told {
  readonly action: Action;
  readonly undos: readonly UndoOffer[];
  /** How what was for a time ends, or has ended. */
  readonly ends: Text | undefined;
  /** All of it was taken back. */
  readonly isUndone: boolean;
}

/** What they did lately, with Undo where it can be undone. */
export async function latelySections(parts: Parts, viewer: Viewer): Promise<readonly Section[]> {
  const { journal, commandByPhrase, now } = parts;
  const { person, channels } = viewer;
  const on = new Set((await onFor(parts, viewer)).map(({ action }) => action));
  const asked = (await journal.askedBy(person, now() - lately.within, mostLooked)).filter(
    ({ id: action, channel, state, effect, interaction }) =>
      channels.some(({ id }) => id === channel) &&
      interaction === undefined &&
      !on.has(action) &&
      effect !== undefined &&
      marks[state] !== undefined,
  );
  if (asked.length === 0) return [];
  const told = await Promise.all(
    asked.slice(0, lately.most).map(async (action): Promise<Told> => {
      if (action.effect === 'read') return { action, undos: [], ends: undefined, isUndone: false };
      const [undos, ends, isUndone] = await Promise.all([
        openUndosOf(parts, action),
        endingOf(journal, action, now()),
        isTakenBack(parts, action),
      ]);
      return { action, undos, ends, isUndone };
    }),
  );
  return [
    {
      key: told.map(({ action, undos, ends, isUndone }) => [
        ...[action.id, action.state, undos.length, isUndone],
        ends && plainText(ends),
      ]),
      parts: async () => [
        heading('What you did lately'),
        ...told.flatMap(drawn),
        ...rest(asked.length, lately.most),
      ],
    },
  ];

  function drawn({ action, undos, ends, isUndone }: Told): readonly SaidPart[] {
    // An answer is old by now, and is asked for again.
    const what =
      action.effect === 'read'
        ? say`${code(action.line)}`
        : headlineOf(action, commandByPhrase.get(action.phrase ?? ''));
    const mark = isUndone ? '⚪ Undone:' : marks[action.state];
    const ended = ends === undefined ? [] : say`; ${ends}`;
    const text = say`${mark ?? ''} ${what}, ${moment(action.createdAt)}${ended}${seeCard(action)}`;
    const buttons = undos.map(
      ({ token, where }): Button => ({
        press: 'offer',
        label: where === undefined ? 'Undo' : `Undo on ${where}`,
        about: action.line,
        token,
      }),
    );
    const [only, ...others] = buttons;
    if (only === undefined) return [{ kind: 'text', text }];
    if (others.length === 0) return [{ kind: 'buttons', beside: text, buttons }];
    return [
      { kind: 'text', text },
      ...undos.map(
        ({ where = '' }, index): SaidPart => ({
          ...{ kind: 'buttons', beside: say`on ${strong(where)}` },
          buttons: buttons.slice(index, index + 1),
        }),
      ),
    ];
  }
}

/** The commands that they run most, and after these what people come for; each button opens the form of one. */
export async function commandSections(
  parts: Parts & { readonly commands: readonly AnyCommand[] },
  { person, channels }: Viewer,
): Promise<readonly Section[]> {
  const { journal, authority, commandByPhrase, commands, now } = parts;
  const may = new Map(
    await Promise.all(channels.map(async ({ id }) => [id, await authority.suggests(person, id)] as const)),
  );
  const used = await journal.usedBy(person, now() - habits.within, mostLooked);
  const usual = commands
    .filter(({ kind }) => kind !== 'info')
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .flatMap(({ phrase }) => channels.map(({ id }) => ({ phrase, channel: id })));
  const runnable = [...used, ...usual].flatMap(({ phrase, channel }) => {
    const command = commandByPhrase.get(phrase);
    return command !== undefined && may.get(channel)?.(command) ? [{ command, channel }] : [];
  });
  const chosen = [...Map.groupBy(runnable, ({ command }) => command.phrase).values()];
  const shown = chosen.flatMap(([one]) => one ?? []).slice(0, habits.most);
  if (shown.length === 0) return [];
  const isOneChannel = shown.every(({ channel }) => channel === shown[0]?.channel);
  const nameIn = (channel: string) => channels.find(({ id }) => id === channel)?.name ?? '';
  return [
    {
      key: shown.map(({ command, channel }) => [command.phrase, channel]),
      parts: async () => {
        const each = shown.map(({ command, channel }) => {
          const where = isOneChannel ? '' : ` in #${nameIn(channel)}`;
          const line = nameOf(command);
          const form = { phrase: command.phrase, typed: {} };
          return buttonsFor(parts, [{ label: `${line}${where}`, line, form }], { channel, person });
        });
        return [heading('Your commands'), { kind: 'buttons', buttons: (await Promise.all(each)).flat() }];
      },
    },
  ];
}

/** What people come for stands before the rest. */
const comeFor = topics.flatMap(({ first }) => first);
function rankOf(command: AnyCommand): number {
  const rank = comeFor.indexOf(nameOf(command));
  return rank === -1 ? comeFor.length : rank;
}
