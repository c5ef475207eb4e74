import { domain } from '../argument.ts';
import { lookup } from '../declare.ts';
import { enumerate, paragraph } from '../reply.ts';
import { gather, unaskedOf } from './evidence.ts';
import { tableOf } from './table.ts';
import { judge } from './verdict.ts';
import { wayOut } from './way.ts';
import { tell } from './words.ts';

export const why = lookup({
  phrase: 'why <domain>',
  says: `
    is <domain> blocked / why is <domain> blocked / <domain> does not work / <domain> does not load /
    cannot open <domain> / can people reach <domain> / user says <domain> is blocked /
    what blocks <domain> / is <domain> allowed / <domain> not working / problem with <domain> /
    cannot access <domain> / why can i not open <domain> / access denied <domain> / who blocks <domain> /
    does the proxy block <domain> / page <domain> is forbidden / check <domain> / is <domain> banned /
    error on <domain> / cant open <domain> / nobody can open <domain> / users cannot open <domain> /
    user cannot open <domain> / cannot reach <domain> / cant access <domain> / cant get to <domain> /
    <domain> blocked / <domain> is blocked / is <domain> blocked for everybody / is <domain> filtered /
    is <domain> open / does <domain> work / why is <domain> not allowed / what is wrong with <domain> /
    what is the problem with <domain> / <domain> does not open / <domain> shows the block page /
    block page on <domain> / people get access denied on <domain> / customer says <domain> is blocked /
    which rule blocks <domain> / which list blocks <domain> / why does the proxy block <domain> /
    can i open <domain> / can we reach <domain> / can users open <domain> / am i allowed to open <domain> /
    may people visit <domain> / ticket about <domain> / since today <domain> does not work /
    <domain> geht nicht / ist <domain> gesperrt / warum ist <domain> gesperrt /
    <domain> is not reachable for users / user gets an error on <domain> / unable to open <domain> /
    looks like <domain> is blocked / can <somebody> reach <domain> / can <somebody> open <domain> /
    is <domain> allowed for <somebody> / does <domain> work for <somebody> / <somebody> cannot reach <domain> /
    what happens with <domain> / is <domain> really blocked / who or what blocks <domain> /
    <domain> is blocked but should not be / somebody asks for <domain> / should <domain> be blocked /
    do we block <domain> / why do we block <domain> / why did we block <domain> / <domain> blocked again /
    since when is <domain> blocked / does the filter block <domain> / is <domain> reachable /
    <domain> not reachable / <domain> will not open / <domain> gives an error /
    <domain> says access denied / <domain> shows a red page / ticket <domain> blocked / <domain> broken /
    what is blocking <domain> / what keeps us from <domain> / who can open <domain> / get on <domain> /
    cannot get on <domain> / <somebody> cannot get on <domain> / cannot get to <domain> from <place> /
    <somebody> says <domain> works / <domain> works but should not / why does <domain> work /
    <domain> should be blocked / <domain> is open for <somebody> / <domain> should not work /
    how come <domain> is open / which rule hits <domain> / what rule applies to <domain> /
    which rule matches <domain> / check whether <domain> is reachable for the group /
    <domain> works here and not there / certificate warning on <domain> /
    users get a certificate warning on <domain> / <domain> works at one site and not at the other /
    can i see <domain> at lunch / <somebody> cannot open <domain> / pourquoi <domain> est bloqué /
    pourquoi <somebody> ne peut pas aller sur <domain> / warum geht <domain> nicht /
    kann <domain> nicht öffnen / <domain> ne marche pas / user complains <domain> is blocked /
    users complain about <domain> / somebody complains that <domain> is blocked / complaint about <domain> /
    nobody gets to <domain> / cannot open <domain> from <place> /
    cannot open <domain> from my laptop / cannot open <domain> on my phone / cannot open <domain> at home /
    <somebody> cannot open <domain> any more /
    why cannot <somebody> open <domain> / why did <somebody> cannot open <domain> / how come i cannot open <domain> /
    <somebody> says <somebody> cannot open <domain> / nobody in <place> can open <domain> /
    <somebody> in <place> cannot open <domain> / <domain> cannot open / page <domain> cannot open /
    <domain> does not open for <somebody> / <domain> does not load for <somebody> /
    <domain> does not work for <somebody> / <domain> does not work any more / why <domain> does not work /
    why <domain> does not open / why <domain> does not load / <domain> does not respond /
    <domain> is blocked for <somebody> / <domain> blocked for <somebody> / why is <domain> blocked for <somebody> /
    do you know why <domain> is blocked / any idea why <domain> does not open / <domain> says blocked /
    <domain> tells me access denied / <domain> tells me it is blocked / <somebody> gets access denied on <domain> /
    <domain> hangs / <domain> loads forever / <domain> times out / <domain> is stuck /
      i get the block page on <domain> / <somebody> gets the block page on <domain> /
    user gets the block page on <domain> / user gets access denied on <domain> / user is blocked on <domain> /
    <somebody> gets a block page when opening <domain> / <somebody> is blocked on <domain> /
    <domain> is unreachable / <domain> geht nicht auf / <domain> lädt nicht / <domain> funktioniert nicht /
    ich kann <domain> nicht öffnen / <somebody> kann <domain> nicht öffnen / komme nicht auf <domain> /
    ich komme nicht auf <domain> / <somebody> kommt nicht auf <domain> / warum kann ich <domain> nicht öffnen /
    warum komme ich nicht auf <domain> / <domain> ist gesperrt / ist <domain> blockiert /
    je ne peux pas ouvrir <domain> / impossible d'ouvrir <domain> / <domain> ne s'ouvre pas /
    <domain> ne fonctionne pas / <domain> est bloqué / no puedo abrir <domain> / <domain> no funciona /
    <domain> no abre / <domain> está bloqueado / non riesco ad aprire <domain> / <domain> non funziona /
    kan <domain> niet openen / <domain> werkt niet
  `,
  byNameAlone: true,
  also: ['why is <domain> blocked', 'is <domain> blocked', 'check <domain>'],
  args: { domain },
  summary: 'Find out why a website fails: blocked, DNS, or the site itself',
  example: 'why live-betting.example',
  answer: async ({ appliance, args, pendingChanges, wayToAllow }) => {
    const evidence = await gather(appliance, args.domain, pendingChanges);
    const findings = await judge(evidence);
    const unasked = unaskedOf(evidence);
    const { headline, advice } = tell(findings.verdict, args.domain, appliance.name);
    const { verdict } = findings;
    const isBlocked =
      verdict.kind === 'blocked' ||
      (verdict.kind === 'dns_firewall' && (verdict.isPending || !verdict.isReached));
    const way = isBlocked ? await wayToAllow(args.domain) : undefined;
    return {
      headline,
      details: [
        { kind: 'text', text: advice },
        ...(unasked.length === 0
          ? []
          : [paragraph`⚠ Not checked, so not part of this result: ${enumerate(unasked)}.`]),
        ...wayOut(way, args.domain),
        ...tableOf(evidence, findings, appliance.name),
      ],
    };
  },
});
