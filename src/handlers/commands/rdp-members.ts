import type { Named } from '../argument.ts';
import { type AskingAppliance, command } from '../command.ts';
import { hasEnded, subjectOf, withoutEnd } from '../rdp/member.ts';
import { auditTrail, calledBy, shownFields, shownTable } from '../rdp/shown.ts';
import {
  among,
  gone,
  goneFrom,
  idsOf,
  member,
  policiesWith,
  policyNames,
  sessionNames,
  sessionsOf,
  userOf,
} from '../rdp/things.ts';
import { untilText } from '../rdp/until.ts';
import { type Part, plural, say, strong } from '../reply.ts';

export const members = command({
  kind: 'lookup',
  phrase: 'rdp members',
  args: {},
  summary: 'List the people who may open remote-desktop sessions',
  example: 'rdp members',
  effect: 'read',
  answer: async ({ appliance, now }) => {
    const all = await appliance.rdp.listMembers();
    const ended = all.filter((one) => hasEnded(one, now)).length;
    const table = await shownTable(all.map(withoutEnd), ['id', 'username']);
    const withUntil: Part =
      table.kind === 'table'
        ? {
            ...table,
            columns: [...table.columns, 'Until'],
            rows: table.rows.map((row, at) => [
              ...row,
              ...all.slice(at, at + 1).map((one) => untilText(one, now)),
            ]),
          }
        : table;
    return {
      headline: say`${strong(plural(all.length, 'remote-desktop member'))}${ended === 0 ? '' : `, ${ended} past their last day`}`,
      details: all.length === 0 ? [] : [withUntil],
    };
  },
});

export const show = command({
  kind: 'lookup',
  phrase: 'rdp member <member>',
  args: { member },
  summary: 'Show one remote-desktop member, with the policies that let them in',
  example: 'rdp member bob.miller',
  effect: 'read',
  answer: async (context) => {
    const found = await context.appliance.rdp.getMember({ id: context.args.member.id });
    const { fields } = await surroundings(context, userOf(found));
    const end = { name: 'May come in until', value: untilText(found, context.now) };
    return {
      headline: say`Member ${strong(calledBy(found))} of the remote-desktop gateway`,
      details: [{ kind: 'fields', fields: [...shownFields(withoutEnd(found)), end, ...fields] }],
    };
  },
});

export const remove = command({
  kind: 'change',
  phrase: 'rdp member delete <member>',
  args: { member },
  summary: 'Delete a remote-desktop member',
  example: 'rdp member delete peter.novak',
  effect: 'destructive',
  verb: 'Delete',
  doing: (args) => say`Deleting member ${args.member.name}`,
  done: (args) => say`Member ${strong(args.member.name)} is deleted`,
  preview: async (context) => {
    const { appliance, args } = context;
    const found = among(await appliance.rdp.listMembers(), args.member);
    if (found === undefined) return gone(appliance, 'member', args.member);
    const { fields, subject } = await surroundings(context, userOf(found));
    return {
      kind: 'ready',
      question: say`Delete the remote-desktop member ${strong(calledBy(found))}?`,
      fields: [
        ...fields,
        { name: 'Password', value: say`goes too, and nobody can read it to put it back` },
        auditTrail,
      ],
      subject: { ...subjectOf(found), ...subject },
    };
  },
  run: ({ appliance, args }) => appliance.rdp.deleteMember({ id: args.member.id }),
  verify: async ({ appliance, args }) => goneFrom(await appliance.rdp.listMembers(), 'members', args.member),
});

/** The policies that let a member in, and the sessions that are open. What becomes of those is not documented. */
async function surroundings(
  { appliance, args }: Pick<AskingAppliance<{ readonly member: Named }>, 'appliance' | 'args'>,
  user: string | undefined,
) {
  const [policies, open] = await Promise.all([
    policiesWith(appliance, 'member', args.member.id),
    sessionsOf(appliance, { user }),
  ]);
  return {
    fields: [
      { name: 'In policies', value: policyNames(policies) },
      { name: 'Open sessions', value: sessionNames(open) },
    ],
    subject: { policies: idsOf(policies), sessions: idsOf(open) },
  };
}
