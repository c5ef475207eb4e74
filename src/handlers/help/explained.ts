import type { AnyCommand, Guide, GuideEntry, Rights } from '../command.ts';
import { nameOf } from '../command-name.ts';
import { isUndoable } from '../language/options.ts';
import { code, enumerate, fieldList, type Reply, say, strong, type Text } from '../reply.ts';
import { checkOf, effectOf } from './said-of.ts';

/** One command, with all that is declared of it and who may run it. */
export function explain(entry: GuideEntry, { obstacle, words }: Guide, rights: Rights): Reply {
  const { command: explained, allowed, roles } = entry;
  const approval = roles.length === 0 ? undefined : rights.approval(explained);
  const takes = argumentsOf(explained);
  const also = explained.also ?? [];
  const own = Object.keys(words).filter((word) => `${words[word]} `.startsWith(`${nameOf(explained)} `));
  return {
    headline: say`${code(`/appliance ${explained.phrase}`)} – ${explained.summary}`,
    details: [
      fieldList([
        { name: 'Example', value: say`${code(`/appliance ${explained.example}`)}` },
        ...takes.map((value, index) => ({ name: index === 0 ? 'Takes' : '', value })),
        ...(also.length === 0
          ? []
          : [
              {
                name: 'Also',
                value: enumerate(
                  also.map((phrase) => code(phrase)),
                  'or',
                ),
              },
            ]),
        ...(own.length === 0
          ? []
          : [
              {
                name: 'In your words',
                value: enumerate(
                  own.map((word) => code(word)),
                  'or',
                ),
              },
            ]),
        // What only talks to the bot may start a change of its own, as undo does.
        ...(explained.kind === 'info' ? [] : [{ name: 'Effect', value: say`${effectOf(explained)}` }]),
        ...(explained.kind === 'change' ? [{ name: 'Verified', value: say`${checkOf(explained)}` }] : []),
        { name: 'Roles', value: whoMay(entry) },
        ...(approval === undefined ? [] : [{ name: 'Approval', value: approval }]),
        {
          name: 'You',
          value: allowed
            ? say`can run it here`
            : say`cannot run it here${obstacle === undefined ? [] : say`. ${obstacle}`}`,
        },
      ]),
      ...(explained.kind === 'info' ? [] : [{ kind: 'text', text: general(explained) } as const]),
    ],
  };
}

function argumentsOf({ phrase, args }: AnyCommand): readonly Text[] {
  return Object.entries(args).map(([name, { what, example, among, input }]) => {
    const isOption = phrase.includes(`--${name}`);
    const shown = isOption ? say`${code(`--${name}`)} ` : [];
    const asked =
      input === 'secret' || input === 'file'
        ? say`, asked for in a form`
        : among !== undefined
          ? say`: ${enumerate(among.map(code), 'or')}`
          : example === ''
            ? []
            : say`, such as ${code(example)}`;
    const left = phrase.includes(`[--${name}]`) || phrase.includes(`[${name}]`) ? ' (optional)' : '';
    return say`${shown}${what}${asked}${left}`;
  });
}

const general = (explained: AnyCommand): Text =>
  explained.kind === 'change'
    ? say`${isUndoable(explained) ? say`${code('--for 2h')} or ${code('--until 18:00')} makes it temporary; ` : []}${code('--at 22:00')} or ${code('--window')} with the name of a window plans it; ${code('--ticket CHG-123')} names what it is done for; ${code('--on')} runs it on other appliances of this channel; ${code('--dry-run')} only shows what would be sent.`
    : say`${code('--on')} queries other appliances of this channel: names, ${code('all')} or ${code('tag:…')}.`;

function whoMay({ command: explained, roles }: GuideEntry): Text {
  if (explained.kind === 'info' && explained.anywhere) return say`everyone, anywhere`;
  return roles.length === 0 ? say`nobody in this channel` : enumerate(roles.map(strong), 'or');
}
