import type { Named } from '../../api/index.ts';
import { type AskingAppliance, command, type Preview, type Subject, type Verification } from '../command.ts';
import { auditTrail, shownFields, shownTable, yesOrNo } from '../rdp/shown.ts';
import { mfaUser } from '../rdp/things.ts';
import { code, enumerate, plural, say, strong } from '../reply.ts';
import { reportedUnder } from '../wording/reported.ts';

type On = AskingAppliance<{ readonly user: string }>;

export const users = command({
  kind: 'lookup',
  phrase: 'mfa users',
  args: {},
  summary: 'List who has a second factor for remote desktops, and who is locked or exempt',
  example: 'mfa users',
  effect: 'read',
  answer: async ({ appliance }) => {
    const all = await appliance.rdp.listMfaUsers();
    const those = (name: keyof Factor) =>
      all.filter((one) => factorOf(one)[name] === true).map((one) => one.name);
    const named = (names: readonly string[], what: string) =>
      names.length === 0 ? [] : say`, ${names.length} ${what}`;
    return {
      headline: say`${strong(plural(all.length, 'user'))} of the second factor${named(those('locked'), 'locked')}${named(those('exempt'), 'exempt')}`,
      details: [
        ...(those('locked').length === 0
          ? []
          : [
              {
                kind: 'text',
                text: say`Locked: ${enumerate(those('locked').map(strong))}. ${code('/appliance mfa unlock')} lets them try again.`,
              } as const,
            ]),
        ...(all.length === 0
          ? []
          : [
              await shownTable(
                all.map(({ name, fields }) => (Object.keys(fields).length === 0 ? { user: name } : fields)),
                ['username', 'user', 'enrolled', 'locked', 'exempt'],
              ),
            ]),
      ],
    };
  },
});

export const unlock = command({
  kind: 'change',
  phrase: 'mfa unlock <user>',
  args: { user: mfaUser },
  summary: 'Unlock a second factor after too many wrong codes; it is still asked for',
  example: 'mfa unlock nadia.rahman',
  effect: 'write',
  verb: 'Unlock',
  doing: ({ user }) => say`Unlocking the second factor of ${user}`,
  done: ({ user }) => say`The second factor of ${strong(user)} is unlocked`,
  preview: (context) =>
    propose(context, ({ locked }) =>
      locked === false
        ? { kind: 'nothing', why: say`The second factor of ${strong(context.args.user)} is not locked.` }
        : { question: say`Unlock the second factor of ${strong(context.args.user)}?`, fields: [] },
    ),
  run: ({ appliance, args }) => appliance.rdp.unlockMfa({ username: args.user }),
  verify: (context) =>
    readBack(context, 'locked', false, { so: 'it is not locked', not: 'it is still locked' }),
});

export const reset = command({
  kind: 'change',
  phrase: 'mfa reset <user>',
  args: { user: mfaUser },
  summary: 'Reset a second factor, for a lost phone: the person sets up a new one at the next logon',
  example: 'mfa reset bob.miller',
  effect: 'destructive',
  verb: 'Reset',
  doing: ({ user }) => say`Resetting the second factor of ${user}`,
  done: ({ user }) => say`The second factor of ${strong(user)} is reset`,
  preview: (context) =>
    propose(context, ({ enrolled, locked, exempt }) =>
      enrolled === false && locked === false && exempt === false
        ? {
            kind: 'nothing',
            why: say`${strong(context.args.user)} has not set up a second factor, so there is none to reset.`,
          }
        : {
            question: say`Reset the second factor of ${strong(context.args.user)}?`,
            fields: [
              {
                name: 'After that',
                value: say`the old codes are worth nothing, and nobody can bring them back. Whoever logs on next with the password may set up the new one: be sure who asks`,
              },
              ...(exempt === true
                ? [
                    {
                      name: 'Exemption',
                      value: say`whether it ends with the reset is not documented`,
                    },
                  ]
                : []),
            ],
          },
    ),
  run: ({ appliance, args }) => appliance.rdp.resetMfa({ username: args.user }),
  verify: (context) =>
    readBack(context, 'enrolled', false, {
      so: 'none is set up any more',
      not: 'the old one is still set up',
    }),
});

export const exempt = command({
  kind: 'change',
  phrase: 'mfa exempt <user>',
  args: { user: mfaUser },
  summary: 'Let a person in without the second factor',
  example: 'mfa exempt sofia.rossi',
  effect: 'destructive',
  verb: 'Exempt',
  doing: ({ user }) => say`Exempting ${user} from the second factor`,
  done: ({ user }) => say`${strong(user)} needs no second factor any more`,
  preview: (context) =>
    propose(context, (factor) =>
      factor.exempt === true
        ? {
            kind: 'nothing',
            why: say`${strong(context.args.user)} is exempt from the second factor already.`,
          }
        : {
            question: say`Let ${strong(context.args.user)} in without the second factor?`,
            fields: [
              {
                name: 'After that',
                value: say`the password alone opens every target that ${context.args.user} may reach`,
              },
              {
                name: 'The way back',
                value: say`none is documented; a reset may end it, and the web console surely can`,
              },
            ],
          },
    ),
  run: ({ appliance, args }) => appliance.rdp.exemptFromMfa({ username: args.user }),
  verify: (context) =>
    readBack(context, 'exempt', true, { so: 'the exemption is there', not: 'there is no exemption' }),
});

/** What is told of a second factor; the document names none of it (appliance-api.md §2.14). */
interface Factor {
  readonly enrolled: boolean | undefined;
  readonly locked: boolean | undefined;
  readonly exempt: boolean | undefined;
}

const factorOf = ({ fields }: Named): Factor => ({
  enrolled: yesOrNo(reportedUnder(fields, 'enrolled', 'isenrolled', 'registered', 'configured')),
  locked: yesOrNo(reportedUnder(fields, 'locked', 'islocked', 'lockedout')),
  exempt: yesOrNo(reportedUnder(fields, 'exempt', 'exempted', 'isexempt')),
});

async function find({ appliance, args }: On): Promise<Named | undefined> {
  return (await appliance.rdp.listMfaUsers()).find(({ name }) => name === args.user);
}

async function propose(
  context: On,
  ask: (
    factor: Factor,
  ) =>
    | Pick<Extract<Preview, { kind: 'ready' }>, 'question' | 'fields'>
    | Extract<Preview, { kind: 'nothing' }>,
): Promise<Preview> {
  const { appliance, args } = context;
  const found = await find(context);
  if (found === undefined) {
    return {
      kind: 'nothing',
      why: say`${strong(appliance.name)} knows no second factor of ${strong(args.user)} any more. ${code('/appliance mfa users')} lists them.`,
    };
  }
  const factor = factorOf(found);
  const asked = ask(factor);
  if ('why' in asked) return asked;
  const about = Object.fromEntries(Object.entries(found.fields).filter(([, value]) => value !== found.name));
  const subject: Subject = {
    user: found.name,
    enrolled: factor.enrolled ?? null,
    locked: factor.locked ?? null,
    exempt: factor.exempt ?? null,
  };
  return {
    kind: 'ready',
    question: asked.question,
    fields: [...shownFields(about), ...asked.fields, auditTrail],
    subject,
  };
}

async function readBack(
  context: On,
  part: keyof Factor,
  wanted: boolean,
  words: { readonly so: string; readonly not: string },
): Promise<Verification> {
  const found = await find(context);
  const { user } = context.args;
  // Who has none may not be listed any more.
  if (found === undefined && part === 'enrolled') {
    return { kind: 'happened', evidence: say`I read the users back: ${user} is not among them any more.` };
  }
  if (found === undefined) {
    return { kind: 'not_happened', evidence: say`I read the users back, and ${user} is not among them.` };
  }
  const is = factorOf(found)[part];
  if (is === undefined) {
    return { kind: 'not_checkable', why: `the appliance does not report who is ${part}`, final: true };
  }
  return is === wanted
    ? { kind: 'happened', evidence: say`I read the second factor of ${user} back: ${words.so}.` }
    : { kind: 'not_happened', evidence: say`I read the second factor of ${user} back, and ${words.not}.` };
}
