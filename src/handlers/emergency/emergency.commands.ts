import { flag, text } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import {
  authenticationFields,
  emergencyBeside,
  emergencyIn,
  emergencyWords,
  endOffer,
  leaveOffer,
  ownerOf,
  readAuthentication,
  stateWhenAsked,
  toldOf,
} from '../directory/authentication.ts';
import { code, elapsed, fieldList, person, say, strong } from '../reply.ts';
import { happened, notCheckable, notHappened, nothing, notSeenNow, ready } from '../results.ts';
import { when } from '../wording/when.ts';
import {
  endOfMode,
  extendOffer,
  fingerprintOf,
  hasLetGo,
  lookAtMode,
  onAlready,
  overOrNot,
  time,
  tooLong,
} from './mode.ts';

export const current = lookup({
  phrase: 'emergency status',
  says: `
    is emergency mode on / emergency / are we in emergency / is the filter off /
    is authentication bypassed / is emergency active / who enabled emergency / is emergency on /
    how long does emergency last / when does emergency end / how much emergency time is left /
    is the bypass on / is the bypass active / emergency still on / who switched emergency on /
    is login bypassed / are we in bypass / state of emergency mode / are people surfing without login /
    how long is emergency mode still on / who started the emergency / is login required at the moment
  `,
  also: ['emergency'],
  summary: 'Show whether emergency mode is on',
  answer: async ({ appliance, timedChange, now }) => {
    const found = await readAuthentication(appliance);
    const known = await timedChange();
    const emergency = emergencyBeside(found, known);
    const mark = emergency === 'on' || emergency === 'global' ? '🚨 ' : '';
    const isOn = emergency === 'on' || (emergency !== 'off' && known !== undefined);
    const offers = [
      ...(isOn ? [endOffer(appliance.name)] : []),
      ...(isOn && known?.state === 'on' ? [extendOffer(appliance.name)] : []),
      ...(emergency === 'global' ? [leaveOffer(appliance.name)] : []),
    ];
    return {
      headline: say`${mark}${emergencyWords[emergency]}${ownerOf(emergency, known, now)}`,
      details: [
        fieldList(authenticationFields(found)),
        ...(offers.length === 0 ? [] : [{ kind: 'offers', offers } as const]),
      ],
    };
  },
});

export const enable = change({
  phrase: 'emergency enable <--for> <--reason> [--break-glass]',
  says: `
    emergency on / start emergency mode / enable emergency / let everyone through without login /
    bypass authentication / disable authentication for everybody / let everybody surf /
    directory is down let people through / break glass / no login needed / turn off authentication /
    allow all without password / switch emergency on / turn on the bypass / we need emergency mode /
    activate emergency mode / emergency now / bypass login / open the proxy for everyone /
    let all users surf / ad is dead, let people surf / nobody can log in, open up / notfall an /
    panic mode / let everybody out without login / domain controller is down, bypass it / start the bypass /
    notfallmodus einschalten / users cannot log in, let them surf without / let people surf without login /
    nobody can log in to the proxy / skip the login / turn authentication off for <for> /
    surf without login / ad is down, let people through / the domain controller is dead, nobody can surf /
    dc down, emergency / let everything through / emergency for <for> / emergency mode for <for> /
    dc crashed, emergency for <for> / we have an emergency / emergency open everything / open everything /
    notfallmodus an / notfallmodus an für <for> / start emergency / emergency, let everybody through /
    emergency, ad is dead / everybody needs to surf now / emergency everybody must get out /
    let everybody through until further notice / let everybody through / all must get out to the internet /
    open the internet for everybody / let everyone surf / no filtering for now / filter off for everybody /
    turn the filter off for everyone / alle müssen raus ins internet / notfall alle müssen surfen /
    internet für alle freigeben / urgence ouvrir internet pour tous /
    ad is down, open the internet for <for> / open the internet for <for> /
    directory down, open everything for <for> / open it all up / ad is down let everybody surf /
    directory is down let everybody surf / dc is dead let everyone out
  `,
  also: [
    'emergency on <--for> <--reason> [--break-glass]',
    'emergency start <--for> <--reason> [--break-glass]',
  ],
  args: {
    for: time,
    reason: text('a reason', '"directory down"'),
    'break-glass': flag('enable it without approval; all approvers are notified at once'),
  },
  summary: 'Let everybody pass without authentication for a limited time',
  example: 'emergency enable --for 30m --reason "directory down"',
  effect: 'destructive',
  urgent: true,
  verb: 'Enable emergency mode',
  doing: () => say`Enabling emergency mode`,
  done: (args) =>
    say`Emergency mode is ${strong('on')} for ${elapsed(args.for)}: everybody passes without authentication`,
  preview: async ({ appliance, args, timedChange, limits, now }) => {
    const found = await readAuthentication(appliance);
    const emergency = emergencyIn(found);
    const name = strong(appliance.name);
    const known = await timedChange();
    if (emergency === 'on') return onAlready(appliance.name, known, now);
    if (emergency === 'global')
      return nothing`${name} entered Global Emergency automatically: its proxy neither filters nor authenticates, so everybody already passes. ${code('/appliance emergency remove')} leaves it.`;
    if (known !== undefined)
      return nothing`Emergency mode on ${name} was enabled earlier, until ${when(known.until, now)}. It is over or its state is unknown: run ${code('/appliance emergency disable')} first.`;
    return (
      tooLong(args.for, limits.emergency) ??
      ready({
        question: say`Enable emergency mode on ${name} for ${strong(elapsed(args.for))}? Everybody will pass without authentication.`,
        fields: [
          { name: 'Reason', value: say`${args.reason}` },
          { name: 'For', value: say`${elapsed(args.for)}, then ends automatically` },
          stateWhenAsked(found),
          ...(args['break-glass']
            ? [
                {
                  name: 'Approval',
                  value: say`none (break-glass): all approvers are notified at once`,
                },
              ]
            : []),
        ],
        fingerprint: fingerprintOf(found),
      })
    );
  },
  run: async ({ appliance }) => {
    const { confirmed } = await appliance.directory.enableEmergency();
    return { confirmed, learned: { taken: true } };
  },
  // A failed order has no end, so it must not succeed a little later unnoticed.
  lasts: 30_000,
  verify: async ({ appliance }, shown) => {
    const found = await readAuthentication(appliance);
    switch (emergencyIn(found)) {
      case 'on':
      case 'global':
        return happened`State read back: the proxy does not authenticate people.${toldOf(found)}`;
      case 'off':
        return shown.taken === true
          ? notSeenNow`${appliance.name} still reports that its proxy authenticates people, as some engines do also while an emergency is on, once another was ended there. To see which it is, open a website without logging in`
          : notHappened`State read back: the proxy still authenticates people.${toldOf(found)}`;
      case 'unclear':
        return hasLetGo(found, shown)
          ? happened`State read back: the proxy no longer authenticates people.${toldOf(found)}`
          : notCheckable`the API does not distinguish emergency mode from the connection failure that existed before`;
    }
  },
  timed: {
    name: 'Emergency mode',
    lasts: (args) => args.for,
    reason: (args) => args.reason,
    end: endOfMode,
    extend: 'emergency extend',
    confirm: 'emergency confirm over',
    look: lookAtMode,
  },
});

export const disable = change({
  phrase: 'emergency disable',
  says: `
    emergency off / end emergency / stop emergency mode / back to normal mode / turn emergency off /
    leave emergency / emergency is over / require login again / stop the emergency / switch off emergency /
    end the bypass / turn the bypass off / back to normal / ad is back, end the emergency /
    everything works again, emergency off / cancel emergency mode / authentication on again /
    people should log in again / notfall aus / finish emergency / notfallmodus ausschalten /
    make people log in again / directory is back, make people log in again / people have to log in again /
    login required again / switch authentication on again / normal operation again / ad is back /
    dc is back / everyone logs in again / notfallmodus aus / notfallmodus beenden
  `,
  also: ['emergency end', 'emergency off'],
  summary: 'End emergency mode: people must authenticate again',
  before: ['emergency enable --for 30m --reason "directory down"'],
  effect: 'write',
  urgent: true,
  verb: 'End emergency mode',
  doing: () => say`Ending emergency mode`,
  done: () => say`Emergency mode is ${strong('over')}: people must authenticate again`,
  preview: async ({ appliance, timedChange, now }) => {
    const found = await readAuthentication(appliance);
    const emergency = emergencyIn(found);
    const name = strong(appliance.name);
    const known = await timedChange();
    // If somebody has ended it elsewhere, the bot's own record is closed too.
    if (emergency === 'off' && known === undefined)
      return nothing`${name} is not in emergency mode: its proxy authenticates people.`;
    if (emergency === 'global')
      return nothing`${name} is in Global Emergency, which it entered automatically. ${code('/appliance emergency remove')} leaves it.`;
    return ready({
      question: say`End emergency mode on ${name}? People must authenticate again.`,
      fields: [
        stateWhenAsked(found),
        ...(known === undefined
          ? []
          : [
              {
                name: 'Enabled',
                value: say`until ${when(known.until, now)}, requested by ${person(known.person)}: ${known.reason}`,
              },
            ]),
      ],
      fingerprint: { ...fingerprintOf(found), unseen: known?.seen === false },
    });
  },
  run: ({ appliance }) => appliance.directory.disableEmergency(),
  verify: async ({ appliance }, shown) => overOrNot(await readAuthentication(appliance), shown, 'on'),
  // An undo would open the gate again, with one click and without a reason.
});

export const remove = change({
  phrase: 'emergency remove',
  says: `
    leave global emergency / remove global emergency / end global emergency / proxy is in global emergency /
    stuck in global emergency / get us out of global emergency / clear the global emergency /
    the proxy says emergency mode / global emergency must go /
    appliance went in global emergency, get it out / appliance is in emergency by itself /
    remove the global emergency / clear the emergency flag / it is in panic mode /
    get the appliance out of emergency
  `,
  also: ['global emergency remove', 'emergency remove global'],
  summary: 'Leave Global Emergency: filter and authenticate again',
  effect: 'destructive',
  urgent: true,
  verb: 'Leave Global Emergency',
  doing: () => say`Leaving Global Emergency`,
  done: () => say`Global Emergency is ${strong('over')}`,
  preview: async ({ appliance }) => {
    const found = await readAuthentication(appliance);
    const emergency = emergencyIn(found);
    const name = strong(appliance.name);
    if (emergency === 'off')
      return nothing`${name} is not in Global Emergency: its proxy authenticates people.`;
    if (emergency === 'on')
      return nothing`${name} is in emergency mode, not in Global Emergency. ${code('/appliance emergency disable')} ends it.`;
    const doubt = emergency === 'global' ? say`` : say` ${name} does not report whether it is in it.`;
    return ready({
      question: say`Take the proxy of ${name} out of Global Emergency? It filters and authenticates again. If the cause is not fixed, people may lose access.${doubt}`,
      fields: [stateWhenAsked(found)],
      fingerprint: fingerprintOf(found),
    });
  },
  run: ({ appliance }) => appliance.directory.removeGlobalEmergency(),
  verify: async ({ appliance }, shown) => overOrNot(await readAuthentication(appliance), shown, 'global'),
});
