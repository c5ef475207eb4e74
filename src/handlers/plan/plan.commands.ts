import { gathering } from '../declare.ts';
import { say } from '../reply.ts';
import { impossible } from '../understanding/impossible.ts';
import { plannedLines } from './lines.ts';
import { planNamed } from './named.ts';

export const plan = gathering({
  phrase: 'plan <lines>…',
  says: `
    do these together / run these lines / run several commands / run a list of commands / several changes at once /
    make a plan / bundle changes / batch of changes / change several things together
  `,
  args: { lines: plannedLines },
  summary: 'Run several changes together: one preview, one approval, in order, and a way back if one fails',
  example: 'plan category add shop.example.net to 252',
  gathers: 'typed',
  verb: 'Run plan',
  doing: () => say`Running the plan`,
  done: () => say`Plan done`,
});

export const planContinue = gathering({
  phrase: 'plan continue <plan>',
  also: ['plan go on <plan>', 'plan resume <plan>', 'continue plan <plan>', 'go on with plan <plan>'],
  says: `continue with <plan> / go on with <plan> / resume <plan> / run the rest of <plan> / finish <plan>`,
  args: { plan: planNamed },
  summary: 'Go on with a plan that has stopped, with the line after that',
  example: 'plan continue A-7KQ2MX9D',
  gathers: 'rest',
  verb: 'Go on',
  doing: () => say`Going on with the plan`,
  done: () => say`Plan done`,
});

export const planRollback = gathering({
  phrase: 'plan rollback <plan>',
  also: [
    'plan roll back <plan>',
    'plan undo <plan>',
    'roll back <plan>',
    'rollback <plan>',
    'roll back plan <plan>',
  ],
  says: `roll back the plan <plan> / undo the plan <plan> / take back plan <plan> / revert <plan> / undo all of <plan>`,
  args: { plan: planNamed },
  summary: 'Undo all that a plan has done, the last line first',
  example: 'plan rollback A-7KQ2MX9D',
  before: ['plan category add shop.example.net to 252'],
  gathers: 'undos',
  verb: 'Roll back',
  doing: () => say`Rolling back the plan`,
  done: () => say`Plan rolled back`,
});

export const undoTogether = impossible({
  says: `
    undo everything / undo everything from <time> / undo all changes of <time> / undo all that was changed <time> /
    undo everything <user> did / take back everything from <time> / roll back everything from <time> /
    revert everything from <time> / undo what was done <time> / roll back all changes of <time>
  `,
  why: 'Each change and each plan is undone by itself. The audit lists what was done, and “show” with its reference has the Undo.',
  source: 'docs/decisions/0075',
  nearest: [
    'audit [--by] [--command] [--since] [--until] [--ticket] [--plan] [--about] [--denied] [--failed] [--approved] [--not-understood]',
    'plan rollback <plan>',
  ],
});
