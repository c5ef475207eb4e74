import { domain } from '../argument.ts';
import { lookup } from '../declare.ts';
import { enumerate, paragraph } from '../reply.ts';
import { gather, unaskedOf } from './evidence.ts';
import { tableOf } from './table.ts';
import { judge } from './verdict.ts';
import { tell } from './words.ts';

export const why = lookup({
  phrase: 'why <domain>',
  says: [
    'is <domain> blocked',
    'why is <domain> blocked',
    '<domain> does not work',
    '<domain> does not load',
    'cannot open <domain>',
    'can people reach <domain>',
    'user says <domain> is blocked',
    'what blocks <domain>',
    'is <domain> allowed',
    '<domain> not working',
    'problem with <domain>',
    'cannot access <domain>',
    'why can i not open <domain>',
    'access denied <domain>',
    'who blocks <domain>',
    'does the proxy block <domain>',
    'page <domain> is forbidden',
    'check <domain>',
    'is <domain> banned',
    'error on <domain>',
  ],
  also: ['why is <domain> blocked', 'is <domain> blocked', 'check <domain>'],
  args: { domain },
  summary: 'Tell why a website does not work: blocked and by what, DNS, or the site itself',
  example: 'why live-betting.example',
  answer: async ({ appliance, args, pendingChanges }) => {
    const evidence = await gather(appliance, args.domain, pendingChanges);
    const findings = await judge(evidence);
    const unasked = unaskedOf(evidence);
    const { headline, advice } = tell(findings.verdict, args.domain, appliance.name);
    return {
      headline,
      details: [
        { kind: 'text', text: advice },
        ...(unasked.length === 0
          ? []
          : [paragraph`⚠ Not asked, so nothing is concluded from it: ${enumerate(unasked)}.`]),
        ...tableOf(evidence, findings, appliance.name),
      ],
    };
  },
});
