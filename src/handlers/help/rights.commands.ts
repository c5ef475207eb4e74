import { commandLine, somebody } from '../argument.ts';
import { info } from '../declare.ts';

export const whoCan = info({
  anywhere: false,
  phrase: 'who can <line>…',
  says: `
    who may run / who is allowed to / who can approve / who can help me with / who has the right to /
    who is allowed to <line> / who approves <line> / who has the right to <line> / whom do i ask to <line> /
    who can change things here / who has rights here / who may change things / who is an admin here /
    who are the admins / who has access / who could do it / who of us is allowed to <line> /
    who has the role / whom can i ask / who can help
  `,
  also: ['who may <line>…', 'who is allowed to <line>…'],
  args: { line: commandLine() },
  summary: 'Show who can run a command here, and who must approve it',
  example: 'who can rdp disconnect',
  answer: ({ args, on, rights }) => rights.whoCan(args.line.join(' '), on),
});

export const can = info({
  anywhere: false,
  phrase: 'can <somebody> <line>…',
  says: `
    can <somebody> run / may <somebody> run / is <somebody> allowed to / what can <somebody> run /
    is <somebody> allowed to <line> / does <somebody> have the right to <line> /
    why may <somebody> not <line>
  `,
  also: ['may <somebody> <line>…'],
  args: { somebody, line: commandLine() },
  summary: 'Show whether somebody can run a command here, and why not',
  example: 'can @bob emergency enable',
  answer: ({ args, on, rights }) => rights.can(args.somebody, args.line.join(' '), on),
});
