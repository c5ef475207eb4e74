import { text } from '../argument.ts';
import { change } from '../declare.ts';
import { code, elapsed, person, say, strong } from '../reply.ts';
import { final, happened, notHappened, nothing, ready } from '../results.ts';
import { when } from '../wording/when.ts';
import { extendOffer, isPlainlyOn, time, tooLong } from './mode.ts';

export const extend = change({
  phrase: 'emergency extend <--for> <--reason>',
  says: `
    extend emergency / another <for> of emergency / we need more emergency / prolong emergency /
    more time for emergency / emergency longer / keep emergency on for <for> more /
    need more emergency time / <for> more of emergency mode / extend the bypass /
    need <for> more minutes of emergency / longer emergency please / emergency ends too early /
    keep the bypass on longer / continue emergency mode / prolong the bypass / add <for> to the emergency /
    another <for> without login / dcs not back yet, we need another <for> /
    keep emergency mode on for <for> / we need more time / more time in emergency mode /
    not fixed yet, <for> more / extend it by <for> / prolong by <for> /
    the directory is not back yet, <for> more / need <for> more of emergency mode / give us <for> more /
    another hour of emergency / emergency for another <for> / one more hour of emergency /
    ad still dead, another hour / still in trouble, extend
  `,
  also: ['emergency prolong <--for> <--reason>'],
  args: { for: time, reason: text('a reason', '"directory still down"') },
  summary: 'Extend emergency mode (changes only its end time)',
  example: 'emergency extend --for 30m --reason "directory still down"',
  before: ['emergency enable --for 30m --reason "directory down"'],
  effect: 'destructive',
  urgent: true,
  verb: 'Extend emergency mode',
  doing: () => say`Extending emergency mode`,
  done: (args) => say`Emergency mode extended by ${elapsed(args.for)}`,
  preview: async ({ appliance, args, timedChange, limits, now }) => {
    const known = await timedChange();
    const name = strong(appliance.name);
    if (known === undefined) return nothing`Appliance Bot has no active emergency mode to extend on ${name}.`;
    if (known.state === 'ending') return nothing`Emergency mode on ${name} has expired and is being ended.`;
    const until = known.until + args.for;
    return (
      tooLong(until - now, limits.emergency) ??
      ready({
        question: say`Extend emergency mode on ${name} by ${strong(elapsed(args.for))}, until ${when(until, now)}? Everybody passes without authentication until then.`,
        fields: {
          Reason: say`${args.reason}`,
          'Without extension': say`until ${when(known.until, now)}, requested by ${person(known.person)}: ${known.reason}`,
        },
        fingerprint: { until: known.until },
      })
    );
  },
  run: async ({ extend: putOff, args }, { until }) => ({
    confirmed: await putOff(Number(until), Number(until) + args.for),
  }),
  verify: async ({ timedChange, args, now }, { until }) => {
    const known = await timedChange();
    if (known?.state === 'on' && known.until >= Number(until) + args.for)
      return happened`It ends automatically at ${when(known.until, now)}.`;
    return final(
      known?.state === 'on'
        ? notHappened`the end was changed by somebody else: it is now ${when(known.until, now)}.`
        : notHappened`emergency mode has ended in the meantime.`,
    );
  },
});

export const confirmOver = change({
  phrase: 'emergency confirm over <--reason>',
  says: `
    emergency is really over / i have seen that emergency is over / confirm emergency over /
    emergency was ended on the console / emergency is gone, i checked / emergency was switched off by hand /
    i checked that the emergency is over / confirm that the emergency ended
  `,
  also: ['emergency confirm off <--reason>'],
  args: { reason: text('how you know', '"looked at the web console: it is off"') },
  summary: 'Confirm manually that emergency mode is off',
  example: 'emergency confirm over --reason "looked at the web console: it is off"',
  before: ['emergency enable --for 30m --reason "directory down"'],
  effect: 'write',
  urgent: true,
  verb: 'Confirm that it is off',
  doing: () => say`Confirming the end of emergency mode`,
  done: () => say`Emergency mode confirmed off manually: no more attempts to end it`,
  preview: async ({ appliance, timedChange }) => {
    const known = await timedChange();
    const name = strong(appliance.name);
    if (known === undefined) return nothing`Appliance Bot is not trying to end an emergency mode on ${name}.`;
    if (known.state === 'on') {
      return {
        kind: 'nothing',
        why: say`The emergency mode on ${name} has time left. ${code('/appliance emergency disable')} ends and verifies it.`,
        offers: [extendOffer(appliance.name)],
      };
    }
    const plainly = await isPlainlyOn({ appliance });
    if (plainly !== undefined) return nothing`${plainly} Retrying continues.`;
    return ready({
      question: say`Have you seen that emergency mode on ${name} is off? No further attempts to end it will be made.`,
      fingerprint: { until: known.until },
    });
  },
  run: async ({ confirmOver: close, args }) => ({ confirmed: await close(args.reason) }),
  verify: async ({ timedChange }) =>
    (await timedChange()) === undefined
      ? happened`Your confirmation is recorded. The appliance itself could not be checked.`
      : final(notHappened`ending it is still being retried.`),
});
