import type { NamedEntry } from '../../api/index.ts';
import type { AskingAppliance } from '../context.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, readBackIn } from '../listing.ts';
import { code, enumerate, type FieldsByName, fieldsOf, paragraph, say, strong, type Text } from '../reply.ts';
import { resource } from '../resource.ts';
import type { NothingToDo } from '../results.ts';
import { final, happened, notCheckable, notHappened, nothing } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { reportedUnder } from '../wording/reported.ts';
import { audited, shownFields, shownTable, yesOrNo } from './shown.ts';
import { mfaUser, mfaUsers } from './things.ts';

type On = AskingAppliance<{ readonly user: string }>;

/** The report on a second factor; its fields are undocumented (appliance-api.md §2.14). */
interface Factor {
  readonly enrolled: boolean | undefined;
  readonly locked: boolean | undefined;
  readonly exempt: boolean | undefined;
}

const factorOf = ({ fields }: NamedEntry): Factor => ({
  enrolled: yesOrNo(reportedUnder(fields, 'enrolled', 'isenrolled', 'registered', 'configured')),
  locked: yesOrNo(reportedUnder(fields, 'locked', 'islocked', 'lockedout')),
  exempt: yesOrNo(reportedUnder(fields, 'exempt', 'exempted', 'isexempt')),
});

const factorOn = resource<On['args'], NamedEntry>({
  noun: 'second-factor user',
  nameOf: ({ user }) => user,
  list: () => mfaUsers,
  fits: ({ name }, { user }) => name === user,
  gone: ({ appliance, args }) =>
    say`${strong(args.user)} no longer has a second factor on ${strong(appliance.name)}. ${code('/appliance mfa users')} lists all users.`,
});

const propose = (
  ask: (
    factor: Factor,
    user: string,
  ) => NothingToDo | { readonly question: Text; readonly fields?: FieldsByName },
) =>
  factorOn.preview<On['args']>(({ name: user, fields }) => {
    const factor = factorOf({ name: user, fields });
    const asked = ask(factor, user);
    if ('why' in asked) return asked;
    const about = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== user));
    const { enrolled = null, locked = null, exempt: isExempt = null } = factor;
    return audited({
      question: asked.question,
      fields: [...shownFields(about), ...fieldsOf(asked.fields ?? {})],
      fingerprint: { user, enrolled, locked, exempt: isExempt },
    });
  });

export const users = lookup({
  phrase: 'mfa users',
  says: `
    who has 2fa / who has a second factor / list mfa / who is locked / which users are locked /
    who is exempt from 2fa / mfa status / is <user> locked / who is locked out of 2fa /
    has <user> set up mfa / people with authenticator app / who is enrolled in otp /
    who did not register a token / 2fa overview / which users have 2fa / who has mfa /
    who has no second factor / is 2fa on for <user> / does <user> have 2fa / has <user> mfa /
    who is locked in mfa / list of tokens / is <user> locked out / second factor status /
    who uses the authenticator / who is enrolled / is <user> enrolled
  `,
  summary: 'List second-factor users: enrolled, locked, exempt',
  answer: answeredFrom(
    () => mfaUsers,
    async (look) => {
      const { all } = look;
      const those = (name: keyof Factor) =>
        all.filter((one) => factorOf(one)[name] === true).map((one) => one.name);
      const named = (names: readonly string[], what: string) =>
        names.length === 0 ? [] : say`, ${names.length} ${what}`;
      return {
        headline: say`${countText(look, 'second-factor user')}${named(those('locked'), 'locked')}${named(those('exempt'), 'exempt')}`,
        details: [
          ...(those('locked').length === 0
            ? []
            : [
                paragraph`Locked: ${enumerate(those('locked').map(strong))}. ${code('/appliance mfa unlock')} unlocks them.`,
              ]),
          ...(await shownTable(
            all.map(({ name, fields }) => (Object.keys(fields).length === 0 ? { user: name } : fields)),
            ['username', 'user', 'enrolled', 'locked', 'exempt'],
          )),
        ],
      };
    },
  ),
});

export const unlock = change({
  phrase: 'mfa unlock <user>',
  says: `
    unlock 2fa of <user> / <user> typed wrong code too often / <user> is locked out /
    unlock token of <user> / unlock <user> / too many wrong otp <user> / unlock account <user> /
    <user> typed the wrong code / too many wrong otp codes / open otp of <user> again /
    <user> is locked out of 2fa / unlock authenticator of <user> / <user> entered the pin wrong /
    <user> is blocked by 2fa / unblock 2fa of <user> / mfa of <user> is locked / free the token of <user> /
    <user> entered wrong codes / <user> mistyped the code / unlock mfa for <user> /
    release the lock of <user> / let <user> in again / unblock user <user> /
    <user> entered the wrong code too often / <user> locked himself out / release <user> /
    <user> is blocked after wrong codes / free the user <user>
  `,
  args: { user: mfaUser },
  summary: 'Unlock a second factor after too many wrong codes',
  example: 'mfa unlock nadia.rahman',
  effect: 'write',
  verb: 'Unlock',
  doing: ({ user }) => say`Unlocking the second factor of ${user}`,
  done: ({ user }) => say`Second factor of ${strong(user)} unlocked`,
  preview: propose(({ locked }, user) =>
    locked === false
      ? nothing`The second factor of ${strong(user)} is not locked.`
      : { question: say`Unlock the second factor of ${strong(user)}?` },
  ),
  run: ({ appliance, args }) => appliance.rdp.unlockMfa({ username: args.user }),
  verify: readBack('locked', false, { so: 'it is not locked', not: 'it is still locked' }),
});

export const reset = change({
  phrase: 'mfa reset <user>',
  says: `
    <user> lost his phone / <user> has a new phone / reset 2fa for <user> / reset token of <user> /
    authenticator app gone for <user> / new qr code for <user> / reset otp <user> / phone stolen <user> /
    re-enroll <user> / phone of <user> was stolen / set up 2fa again for <user> / <user> broke his phone /
    codes of <user> gone / reset the authenticator of <user> / reset mfa of <user> /
    <user> got a new phone / <user> changed phones / new phone for <user> /
    <user> deleted the authenticator app / <user> needs a new token / new token for <user> /
    <user> lost the authenticator / re-register 2fa of <user> / 2fa of <user> does not work any more /
    <user> must scan the code again / re-enroll <user> in 2fa / fresh start for mfa of <user> /
    <user> needs to enroll again / <user> needs to enrol again his authenticator
  `,
  args: { user: mfaUser },
  summary: 'Reset a second factor: the next logon sets up a new one',
  example: 'mfa reset bob.miller',
  effect: 'destructive',
  verb: 'Reset',
  doing: ({ user }) => say`Resetting the second factor of ${user}`,
  done: ({ user }) => say`Second factor of ${strong(user)} reset`,
  preview: propose(({ enrolled, locked, exempt }, user) =>
    enrolled === false && locked === false && exempt === false
      ? nothing`${strong(user)} has no second factor to reset.`
      : {
          question: say`Reset the second factor of ${strong(user)}?`,
          fields: {
            Impact: say`the old codes stop working for good. The next logon with the password sets up a new second factor: verify who is asking`,
            Exemption: exempt === true ? say`whether the reset ends it is undocumented` : undefined,
          },
        },
  ),
  run: ({ appliance, args }) => appliance.rdp.resetMfa({ username: args.user }),
  verify: readBack('enrolled', false, { so: 'none is set up now', not: 'the old one is still set up' }),
});

export const exempt = change({
  phrase: 'mfa exempt <user>',
  says: `
    exempt <user> from second factor / disable 2fa for <user> / let <user> in without token /
    no mfa for <user> / skip otp for <user> / <user> forgot the phone / <user> should log in without token /
    turn off 2fa for <user> / skip second factor for <user> / disable mfa of <user> / <user> has no phone /
    let <user> in with password only / no code for <user> / <user> lost the phone and must work today /
    log <user> in without code / no second factor for <user> / drop 2fa for <user> /
    remove second factor from <user> / <user> cannot use the app, skip it / free <user> from 2fa /
    <user> should not need a code
  `,
  args: { user: mfaUser },
  summary: 'Exempt a person from the second factor',
  example: 'mfa exempt sofia.rossi',
  effect: 'destructive',
  verb: 'Exempt',
  doing: ({ user }) => say`Exempting ${user} from the second factor`,
  done: ({ user }) => say`${strong(user)} exempted from the second factor`,
  preview: propose((factor, user) =>
    factor.exempt === true
      ? nothing`${strong(user)} is already exempt from the second factor.`
      : {
          question: say`Exempt ${strong(user)} from the second factor?`,
          fields: {
            Impact: say`the password alone opens every target ${user} can reach`,
            'To revoke': say`undocumented; a reset may end it, or use the web console`,
          },
        },
  ),
  run: ({ appliance, args }) => appliance.rdp.exemptFromMfa({ username: args.user }),
  verify: readBack('exempt', true, { so: 'the exemption is there', not: 'there is no exemption' }),
});

function readBack(part: keyof Factor, wanted: boolean, words: { readonly so: string; readonly not: string }) {
  return readBackIn<On['args'], NamedEntry>(
    () => mfaUsers,
    async ({ seek }, { args: { user } }) => {
      const { found } = await seek(({ name }) => name === user, user);
      // A user without one may be missing from the list.
      if (found === undefined) {
        return part === 'enrolled'
          ? happened`Users read back: ${user} is no longer listed.`
          : notHappened`Users read back: ${user} is not among them.`;
      }
      const is = factorOf(found)[part];
      if (is === undefined) return final(notCheckable`the API does not report who is ${part}`);
      return is === wanted
        ? happened`Second factor of ${user} read back: ${words.so}.`
        : notHappened`Second factor of ${user} read back: ${words.not}.`;
    },
  );
}

export const requireFactor = impossible({
  says: `
    has to use 2fa again / enable mfa for everybody / force 2fa for all / turn on 2fa /
    remove mfa exemption / end the exemption from 2fa / require second factor again
  `,
  why: 'The Web API can exempt a person from the second factor, but cannot require it or end an exemption.',
  source: 'appliance-api.md §4.6',
  nearest: ['mfa users', 'mfa reset <user>'],
});

export const showSecret = impossible({
  says: `
    show the qr code / what is the otp secret / read the 2fa code / send the qr code / mfa backup codes /
    tell me the otp code / give me the code of / what is the code / current 2fa code
  `,
  why: 'The Web API never returns the secrets, codes or QR codes of the second factor.',
  source: 'appliance-api.md §4.6',
  nearest: ['mfa reset <user>', 'mfa users'],
});
