import type { Members } from '../../auth/members.ts';
import { code, fieldList, type Next, plainText, type Reply, say } from '../../handlers/reply.ts';
import type { NewAction } from '../../journal/journal.ts';
import { targetsOfInfo, tellingOf } from '../authority/asked-of.ts';
import { termsFor } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import { argsToStore } from '../base/stored.ts';
import type { Confirmation } from '../change/confirmation.ts';
import type { Parts } from '../ground/ground.ts';
import type { AnyInfo, Infos } from '../lookup/info.ts';
import type { Lookups } from '../lookup/lookup.ts';
import { sourceOf } from '../showing/pages.ts';
import { accessOf, askingFor, type Understood, wantedIn } from '../taking/asking.ts';
import { withPeople } from '../taking/people.ts';
import type { Refusals } from '../taking/refusals.ts';
import type { Requests } from '../taking/requests.ts';
import { asUnderstood } from '../wording/misread/not-understood.ts';
import type { Results } from './results.ts';

interface InformParts extends Parts {
  readonly members: Pick<Members, 'called'>;
  readonly confirmation: Pick<Confirmation, 'request'>;
  readonly lookups: Pick<Lookups, 'post'>;
  readonly infos: Infos;
  readonly requests: Requests;
  readonly refusals: Refusals;
  readonly results: Pick<Results, 'tellPage'>;
  /** Does what an answer leads to in its place, as if the person had pressed its button or typed its line. */
  readonly goOn: (invocation: Invocation, next: GoesOn) => Promise<void>;
}

/** What is asked in the place of an answer. */
export type GoesOn = Extract<Next, { line: string } | { offer: string }>;

/** Answers what the bot knows itself, once nobody else's consent is waited for. */
export type Inform = (
  invocation: Invocation,
  asked: Omit<NewAction, 'state'>,
  found: Understood<AnyInfo>,
) => Promise<void>;

export function createInform(parts: InformParts): Inform {
  const { authority, journal, whisper, refusals } = parts;
  const { refuse, turnDown } = refusals;

  return async (invocation, typed, meant) => {
    const { command } = meant;
    const { channel, person } = invocation;
    const named = await withPeople(meant, parts.members, person);
    if (!named.ok) return refuse(invocation, typed, named.fault, meant);
    const { found } = named;
    const wanted = wantedIn(found, channel, parts);
    // Whom a name means was not known when it was decided first.
    const decision = await authority.decide({ ...wanted, person, channel, access: accessOf(found) });
    if (!decision.allow) {
      return refuse(invocation, typed, await authority.fault(decision.denial, channel), meant);
    }
    const asked = { ...typed, allowedBy: decision.by };
    const terms = await termsFor(authority, askingFor(invocation, found), [wanted]);
    if (terms.kind === 'fault') return refuse(invocation, asked, terms.fault, found);
    const args = argsToStore(command, found.args);
    const fingerprint = { on: found.on ?? null };
    const targets = targetsOfInfo(wanted.appliances).map((appliance) => ({ appliance, args, fingerprint }));
    // Until it leads to a change it is an answer, and only that.
    const looked = { ...asked, effect: 'read' } as const;
    if (terms.kind === 'consent') {
      // What somebody only looks at is put before nobody else.
      if (invocation.opened !== undefined) {
        const line = code(`/appliance ${typed.line}`);
        const headline = say`This needs approval here, and opening it asks nobody. To ask for approval, type ${line}.`;
        const outcome = { code: 'needs_approval', says: plainText(headline) };
        const { id } = await journal.write({ ...looked, args, state: 'refused', outcome });
        return whisper(invocation, { headline }, id);
      }
      const action = await journal.write({ ...looked, args, state: 'asked' });
      const admitted = await parts.requests.admit(action, terms.consent);
      if (admitted.fault !== undefined) return turnDown(invocation, action, admitted.fault, found);
      const { consent = terms.consent } = admitted;
      const asking = parts.confirmation.request(invocation, action, command, targets, [], consent);
      return asking.finally(admitted.over);
    }
    const answered = await parts.infos.replyTo(invocation, command, found);
    const { told } = answered;
    let reply: Reply = answered.reply;
    // What was guessed changes nothing by itself.
    const isGuessed = asked.understoodAs !== undefined || invocation.guess === true;
    const { next } = answered.reply;
    const acts = next !== undefined && 'act' in next && !isGuessed;
    if (next !== undefined && 'result' in next) {
      const page = `Page ${next.page + 1} of the last answer`;
      if (await parts.results.tellPage(invocation, next.result, next.page)) {
        await journal.write({
          ...looked,
          state: 'done',
          outcome: { code: 'answered', says: `${page} shown.` },
        });
        return;
      }
    } else if (next !== undefined && !('act' in next) && !isGuessed)
      return parts.goOn({ ...invocation, reason: found.reason ?? invocation.reason }, next);
    const source = sourceOf(asked, tellingOf(targets, told));
    if (command.posted) {
      const running = await journal.write({ ...(acts ? asked : looked), state: 'running' });
      if (acts) reply = await next.act();
      return parts.lookups.post(invocation, running, reply, source);
    }
    const acted = acts ? await next.act() : undefined;
    reply = acted ?? reply;
    const outcome = { code: 'answered', says: plainText(reply.headline) };
    const done = await journal.write({ ...(acted?.changed ? asked : looked), state: 'done', outcome });
    const { understoodAs } = asked;
    const reading = [
      ...(understoodAs === undefined ? [] : [asUnderstood(understoodAs)]),
      ...(invocation.sources === undefined ? [] : [fieldList(invocation.sources)]),
    ];
    const details = [...(reply.details ?? []), ...reading];
    return whisper(invocation, { ...reply, details }, done.id, source);
  };
}
