import type { Members } from '../../auth/members.ts';
import { isCalled } from '../../handlers/argument.ts';
import { inWords } from '../../handlers/audit/recalled.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import { fieldList, type Next, type Offer, type Reply } from '../../handlers/reply.ts';
import type { NewAction } from '../../journal/journal.ts';
import { targetsOfInfo, tellingOf } from '../authority/asked-of.ts';
import { accessOf, termsFor } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import { argsToStore } from '../base/stored.ts';
import type { Confirmation } from '../change/confirmation.ts';
import type { Parts } from '../ground/ground.ts';
import type { AnyInfo, Infos } from '../lookup/info.ts';
import type { Lookups } from '../lookup/lookup.ts';
import { sourceOf } from '../showing/pages.ts';
import { askingFor, type Understood, wantedIn } from '../taking/asking.ts';
import type { Refusals } from '../taking/refusals.ts';
import type { Requests } from '../taking/requests.ts';
import type { Fault } from '../wording/faults.ts';
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
type Inform = (
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
    const terms = await termsFor(authority, askingFor(invocation, found, undefined), [wanted]);
    if (terms.kind === 'fault') return refuse(invocation, asked, terms.fault, found);
    const args = argsToStore(command, found.args);
    const fingerprint = { on: found.on ?? null };
    const targets = targetsOfInfo(wanted.appliances).map((appliance) => ({ appliance, args, fingerprint }));
    // Until it leads to a change it is an answer, and only that.
    const looked = { ...asked, effect: 'read' } as const;
    if (terms.kind === 'consent') {
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
    const outcome = { code: 'answered', ...inWords(reply.headline) };
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

/** The command with the people whom its names mean, or why nobody is meant. */
type Named =
  | { readonly ok: true; readonly found: Understood<AnyInfo> }
  | { readonly ok: false; readonly fault: PersonFault };

/**
 * Looks up who is meant by a name without an @. Only what tells something and changes nothing takes one: it names whom it is about,
 * and whoever reads it sees a wrong one.
 */
async function withPeople(
  found: Understood<AnyInfo>,
  members: Pick<Members, 'called'>,
  asker: string,
): Promise<Named> {
  const args: Record<string, unknown> = { ...(found.args as object) };
  for (const [name, argument] of Object.entries(found.command.args)) {
    const value = args[name];
    if (!isCalled(argument, value)) continue;
    const meant = await whoIsCalled(value.slice(1), members, asker, (id) =>
      lineOf({ ...found, typed: { ...found.typed, [name]: [id] } }),
    );
    if (typeof meant !== 'string') return { ok: false, fault: meant };
    args[name] = meant;
  }
  // Each is what its argument reads: somebody's ID.
  return { ok: true, found: { ...found, args: args as never } };
}

/** Who is called so; or why nobody is, with the line that somebody else would be named in. */
async function whoIsCalled(
  word: string,
  members: Pick<Members, 'called'>,
  asker: string,
  lineWith: (id: string) => string,
): Promise<string | PersonFault> {
  if (isAsker.test(word)) return asker;
  const people = await members.called(word).catch(() => undefined);
  const [only, ...others] = people ?? [];
  if (only === undefined) return { code: 'no_such_person', word, isAsked: people !== undefined };
  if (others.length === 0) return only.id;
  const choices = [only, ...others].map(
    ({ id, handle, names }): Offer => ({ label: `${names[0] ?? handle} (@${handle})`, line: lineWith(id) }),
  );
  return { code: 'which_person', word, choices };
}

/** "may i restart the gateway", "what did i do". */
const isAsker = /^(?:i|me|my|myself)$/i;

type PersonFault = Extract<Fault, { code: 'no_such_person' | 'which_person' }>;
