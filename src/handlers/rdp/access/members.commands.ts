import type { Named } from '../../argument.ts';
import type { AskingAppliance } from '../../context.ts';
import { change, lookup } from '../../declare.ts';
import { countText, lackPart } from '../../listing.ts';
import { fieldList, fieldsOf, type Part, say, strong } from '../../reply.ts';
import { impossible } from '../../understanding/impossible.ts';
import { audited, calledBy, shownFields, shownTable } from '../shown.ts';
import { thing } from '../thing.ts';
import {
  idsOf,
  member,
  policiesWith,
  policyNames,
  members as rdpMembers,
  sessionNames,
  sessionsOf,
  userOf,
} from '../things.ts';
import { fingerprintOf, hasEnded, withoutEnd } from './member.ts';
import { untilText } from './until.ts';

const aMember = thing('member', rdpMembers);

export const members = lookup({
  phrase: 'rdp members',
  says: `
    list rdp users / who may use remote desktop / all members / which users have remote access /
    remote desktop accounts / who has access / list members / expired accounts / rdp accounts /
    who has rdp access / rdp users / externals and contractors on the bastion / list people in rdp /
    list of rdp users / which users are in rdp / who has an rdp account / how many rdp users /
    show all rdp members / which accounts expire / users of remote desktop / who is allowed on rdp /
    who can use remote desktop / all rdp accounts / list users / list accounts
  `,
  summary: 'List remote-desktop members',
  answer: async ({ appliance, now }) => {
    const look = await rdpMembers.look(appliance);
    const { all } = look;
    const ended = all.filter((one) => hasEnded(one, now)).length;
    const table = await shownTable(all.map(withoutEnd), ['id', 'username']);
    const withUntil = (part: Part): Part =>
      part.kind === 'table'
        ? {
            ...part,
            columns: [...part.columns, 'Until'],
            rows: part.rows.map((row, at) => [
              ...row,
              ...all.slice(at, at + 1).map((one) => untilText(one, now)),
            ]),
          }
        : part;
    return {
      headline: say`${countText(look, 'remote-desktop member')}${ended === 0 ? '' : `, ${ended} expired`}`,
      details: [...lackPart(appliance.name, look), ...table.map(withUntil)],
    };
  },
});

export const show = lookup({
  phrase: 'rdp member <member>',
  byNameAlone: true,
  says: `
    which servers can <member> reach / show user <member> / access of <member> /
    what may <member> do in remote desktop / which policies has <member> / details of member <member> /
    account of <member> / does <member> have access / is the account of <member> expired /
    when does <member> expire / what may <member> reach over rdp / which rdp policies let <member> in /
    what rdp rights does <member> have / until when is rdp account of <member> valid /
    when does rdp access of <member> end / info about <member> / show me <member> / is <member> active /
    is <member> disabled / does <member> have rdp access / can <member> use rdp /
    is <member> allowed on rdp / which policy is <member> in / in which policies is <member> /
    what can <member> reach / what access has <member> / which servers may <member> use /
    when does the access of <member> end / until when may <member> log in /
    is the account of <member> locked / tell me about user <member> / rdp user <member> /
    account details of <member> / has <member> an account / does the box know <member> /
    do you know <member> / is <member> known
  `,
  args: { member },
  summary: 'Show a remote-desktop member and their policies',
  example: 'rdp member bob.miller',
  answer: async (context) => {
    const found = await context.appliance.rdp.getMember({ id: context.args.member.id });
    const { fields } = await surroundings(context, userOf(found));
    const end = { 'Valid until': untilText(found, context.now), ...fields };
    return {
      headline: say`Member ${strong(calledBy(found))} of the remote-desktop gateway`,
      details: [fieldList([...shownFields(withoutEnd(found)), ...fieldsOf(end)])],
    };
  },
});

export const remove = change({
  ...aMember.deleting('name'),
  phrase: 'rdp member delete <member>',
  says: `
    delete user <member> / delete rdp user <member> / remove member <member> / delete account of <member> /
    <member> left the company / offboard <member> / remove <member> from rdp /
    revoke remote desktop access of <member> / close account of <member> for good / <member> quit /
    remove rdp user <member> / delete <member> from rdp / delete the rdp account of <member> /
    <member> was fired / <member> has left / <member> left, remove the account /
    <member> does not work here any more / erase user <member> / <member> no longer needs remote desktop /
    close the account of <member> / remove the user <member> / delete <member> from the gateway /
    contract of <member> ended / take away the remote desktop access of <member> /
    revoke rdp access of <member> / <member> must not use rdp any more /
    lock out <member> from remote desktop / no more rdp for <member> / <member> is leaving
  `,
  args: { member },
  summary: 'Delete a remote-desktop member',
  example: 'rdp member delete peter.novak',
  preview: aMember.preview(async (found, context) => {
    const { fields, fingerprint } = await surroundings(context, userOf(found));
    return audited({
      question: say`Delete the remote-desktop member ${strong(calledBy(found))}?`,
      fields: { ...fields, Password: say`deleted too, and cannot be restored` },
      fingerprint: { ...fingerprintOf(found), ...fingerprint },
    });
  }),
  // They come and go with whoever works there.
  beside: ['sessions'],
  run: ({ appliance, args }) => appliance.rdp.deleteMember({ id: args.member.id }),
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
    fields: { 'In policies': policyNames(policies), 'Open sessions': sessionNames(open) },
    fingerprint: { policies: idsOf(policies), sessions: idsOf(open) },
  };
}

export const showPassword = impossible({
  says: `
    what is the rdp password / show the remote desktop password / read password of target /
    which password does the server have
  `,
  why: 'The Web API sets passwords of members and targets, but never returns them.',
  source: 'appliance-api.md §2.14',
  nearest: ['rdp member password <member> <--password>', 'rdp target password <target> <--password>'],
});
