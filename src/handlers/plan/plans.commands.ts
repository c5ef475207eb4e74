import { info } from '../declare.ts';
import {
  code,
  type InfoReply,
  messageLink,
  moment,
  person,
  plural,
  say,
  strong,
  tableOf,
  ticketLink,
} from '../reply.ts';
import { planNamed } from './named.ts';

/** More buttons would fill the screen; each card has its own. */
const mostButtons = 12;

export const plans = info({
  anywhere: false,
  posted: true,
  phrase: 'plans',
  says: `
    which plans are open / list plans / show the plans / which plans are running / which plans have stopped /
    what plans are there / open plans / stopped plans / unfinished plans / is a plan running / state of the plans
  `,
  also: ['plan list', 'list plans', 'open plans', 'plan status'],
  summary: 'List the plans that wait, run, or have stopped here, with their buttons',
  answer: async ({ plans: { list } }) => {
    const all = await list();
    if (all.length === 0) return { headline: say`No plan waits, runs or has stopped in this channel.` };
    const labels = all.flatMap(({ buttons }, index) =>
      buttons.map((one) => ({ ...one, label: all.length === 1 ? one.label : `${index + 1}: ${one.label}` })),
    );
    return {
      headline: say`${strong(plural(all.length, 'plan'))} in this channel`,
      details: [
        ...tableOf(all, {
          What: ({ what, channel, card }) =>
            card === undefined ? what : say`${what} (${messageLink('open', channel, card)})`,
          State: ({ stands }) => stands,
          By: (one) => person(one.person),
          Asked: ({ asked }) => say`${moment(asked)}`,
          Ticket: all.some(({ ticket }) => ticket !== undefined)
            ? ({ ticket }) => say`${ticket === undefined ? '–' : ticketLink(ticket)}`
            : undefined,
          Name: ({ reference }) => say`${reference}`,
        }),
        { kind: 'offers', offers: labels.slice(0, mostButtons) },
      ],
    };
  },
});

export const planLeave = info({
  anywhere: false,
  effect: 'write',
  phrase: 'plan leave <plan>',
  says: `leave the plan <plan> as it is / close plan <plan> / give up plan <plan> / do not go on with <plan>`,
  also: ['plan close <plan>', 'leave plan <plan>'],
  args: { plan: planNamed },
  summary: 'Leave a plan that has stopped as it is: nobody goes on with it, and its buttons go away',
  example: 'plan leave A-7KQ2MX9D',
  answer: async ({ args, plans: { leave } }): Promise<InfoReply> => ({
    headline: say`This leaves the plan ${code(args.plan)} as it is.`,
    next: { act: () => leave(args.plan) },
  }),
});

export const planStop = info({
  anywhere: false,
  effect: 'write',
  phrase: 'plan stop [plan]',
  says: `stop the plan / stop the running plan / halt the plan / abort the plan / stop running the plan`,
  also: ['stop plan [plan]', 'plan abort [plan]', 'plan halt [plan]'],
  args: { plan: planNamed },
  summary: 'Stop a plan that is running: the line that runs is finished, and none after it is begun',
  example: 'plan stop A-7KQ2MX9D',
  answer: async ({ args, plans: { stop } }): Promise<InfoReply> => ({
    headline: say`This stops ${args.plan === undefined ? say`the plan that is running` : say`the plan ${code(args.plan)}`}.`,
    next: { act: () => stop(args.plan) },
  }),
});
