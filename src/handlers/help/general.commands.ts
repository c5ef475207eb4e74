import packageJson from '../../../package.json' with { type: 'json' };
import { info } from '../declare.ts';
import { code, enumerate, fieldList, person, plural, say, strong } from '../reply.ts';
import { impossible } from '../understanding/impossible.ts';

export const whoami = info({
  anywhere: true,
  phrase: 'whoami',
  says: `
    who am i / what is my role / my roles / my permissions / which rights do i have / what may i do here /
    my access / what are my roles / am i admin / what am i allowed / my role here / which roles do i have /
    do i have admin rights / what am i / who am i for you / my user / what are my rights here /
    am i an operator / am i an approver / which role am i / can i change anything here / wer bin ich /
    who am i here / what am i allowed here / my role / what role do i have / welche rechte habe ich /
    who am i to you / am i allowed to do this / am i allowed to do this stuff / what role am i
  `,
  also: ['who am i'],
  summary: 'Show your roles in this channel',
  answer: ({ guide, person: asker }) => {
    const held =
      guide.roles.length === 0
        ? say`${person(asker)} has no role in this channel`
        : say`${person(asker)} has the ${enumerate(guide.roles.map(strong))} ${guide.roles.length === 1 ? 'role' : 'roles'} in this channel`;
    const allowed = guide.commands.filter((entry) => entry.allowed).length;
    return {
      headline: held,
      details: [
        ...(guide.obstacle === undefined ? [] : [{ kind: 'text', text: guide.obstacle } as const]),
        fieldList({
          'You can run': say`${allowed} of ${plural(guide.commands.length, 'command')}; ${code('/appliance help')} shows them by topic`,
          Appliance: guide.appliance === undefined ? say`none in this channel` : say`${guide.appliance}`,
          'Your Slack ID': say`${code(asker)}`,
        }),
      ],
    };
  },
});

export const version = info({
  anywhere: false,
  phrase: 'version',
  says: `
    bot version / which version of the bot / what version is appliance bot / about the bot /
    version of the bot / which build of the bot / bot release / is the bot up to date /
    what version are you / your version / which version are you / how old are you / bot build /
    which release of the bot
  `,
  summary: 'Show the version of Appliance Bot',
  answer: () => ({
    headline: say`Appliance Bot ${strong(packageJson.version)} on Node ${process.versions.node}`,
  }),
});

export const powerAppliance = impossible({
  says: `
    reboot the appliance / shut down the appliance / power off the box / power cycle the firewall /
    turn off the appliance / restart the appliance / restart the box / shut the appliance down /
    restart the whole machine
  `,
  why: 'The Web API cannot restart or shut down an appliance.',
  source: 'appliance-api.md §4',
  nearest: ['status'],
});

export const pingFrom = impossible({
  says: `
    ping <address> / traceroute <address> / ping from the appliance /
    telnet to <address>
  `,
  why: 'The Web API can test a website from the appliance, but cannot run ping, traceroute or telnet.',
  source: 'appliance-api.md §4',
  nearest: ['analyze <website>', 'status'],
});

export const tellLater = impossible({
  says: `
    tell me when it is done / remind me later / remind me of <thing> / remind me at <time> /
    tell me when the upgrade is done / warn me before the password expires /
    tell me when <user> logs in / message me when <user> disconnects / tell me when <user> is online /
    alert me when cpu is above <number> / page me when memory is above <number> /
    call me on the phone when <thing> / text me if <thing> / wake me when <thing> /
    send me an sms when <thing> / mail me when <thing>
  `,
  why: 'Appliance Bot can watch the health of the appliance, the directory, the mirror, its disk and updates, and denied logons. It posts changes in Slack, watches nothing else, and sends no mail, SMS or reminders.',
  source: 'appliance-api.md §6',
  nearest: ['watch status [--quiet]', 'watches'],
});

export const switchAppliance = impossible({
  says: `
    switch to branch / switch to another appliance / change the appliance of this channel /
    use the branch appliance / select appliance / set default appliance
  `,
  why: 'The channel’s default appliance is set in the policy file and cannot be changed here. Add --on NAME to a command to run it on another appliance.',
  source: 'policy file',
  nearest: ['status'],
});

export const mailReports = impossible({
  says: `
    send me a report by mail / email me the report every monday / weekly report by mail /
    monthly report by mail / send the log to my mail / mail me the <thing> / pdf report /
    make a powerpoint for management
  `,
  why: 'Appliance Bot answers in Slack and sends no mail. It can post a lookup there at regular times, and export the table of an answer as a file.',
  source: 'policy file',
  nearest: ['schedule <line>…', 'status'],
});

export const otherSystems = impossible({
  says: `
    run a speedtest / how much toner does the printer have / the printer does not print /
    the printer is offline / wifi is down / wlan password / wifi does not work / vpn does not connect /
    reset the vpn / outlook does not start / mail does not arrive / teams is slow on the laptop /
    open a ticket / create a jira ticket / who is on call / order a new laptop / virus scan the laptop /
    restart the switch / reboot the router / which switch port has <address> / what is the weather /
    tell me a joke / sing a song / restart the laptop of <user> / unlock the laptop of <user> /
    map the network drive / install office / whats the weather / weather in town / news of today /
    who won the match / order pizza / what time is it
  `,
  why: 'Appliance Bot operates filtering appliances only: web proxy, rules, SSL inspection, remote-desktop gateway, SQL, DNS, FTP, VLAN, directory authentication, software and mirror.',
  source: 'appliance-api.md §1',
  nearest: ['help [topic]…', 'status'],
});
