import { flag } from '../argument.ts';
import { gathering } from '../declare.ts';
import { say } from '../reply.ts';
import { doneThen } from './history.ts';
import { plannedLines } from './lines.ts';
import { planNamed } from './named.ts';

export const plan = gathering({
  phrase: 'plan <lines>…',
  says: `
    do these together / run these lines / run several commands / run a list of commands / several changes at once /
    make a plan / bundle changes / batch of changes / change several things together
  `,
  args: { lines: plannedLines },
  summary: 'Run several changes together: one preview, one approval, in order, and back again if one fails',
  example: 'plan category add shop.example.net to 252',
  gathers: 'typed',
  verb: 'Run plan',
  doing: () => say`Running the plan`,
  done: () => say`Plan done`,
});

export const planFromHistory = gathering({
  phrase: 'plan from history <done>… [--undo]',
  also: [
    'plan undo history <done>… [--undo]',
    'undo history <done>… [--undo]',
    'undo from history <done>… [--undo]',
    'undo everything <done>… [--undo]',
  ],
  says: `
    undo everything <done> / undo all changes of <done> / take back everything <done> / roll back everything <done> /
    undo what was done <done> / revert everything <done> / undo all that was changed <done>
  `,
  args: { done: doneThen, undo: flag('Undo what was done then: it is asked about before anything is sent') },
  summary: 'Undo all that was done in a time, by everybody or by one person, as a plan with the newest first',
  example: 'plan from history 2h --undo',
  before: ['category add shop.example.net to 252'],
  gathers: 'history',
  verb: 'Undo all',
  doing: () => say`Undoing what was done`,
  done: () => say`Undone`,
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
