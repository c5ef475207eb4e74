import { type Policy, type PolicyInForce, versionOf } from '../../auth/policy.ts';
import { code, plainText, plural, say, type Text } from '../../handlers/reply.ts';
import type { Journal } from '../../journal/journal.ts';
import { policyRefused, policySame, policyTaken } from '../../telemetry/events/policy.ts';
import type { Log } from '../../telemetry/log.ts';
import type { SaidPart } from '../base/chat.ts';
import { adminsOf, type TellAdmins } from './admins.ts';

/** What was found when the policy was read again. */
export type ReloadedPolicy =
  | {
      readonly ok: true;
      readonly policy: Policy;
      /** Something that tells this version of the appliances from any other, where it is not the one that runs. */
      readonly waiting: string | undefined;
      /** What else of the file has changed and counts already. */
      readonly notices?: readonly Text[];
    }
  /** What is wrong: where, and a sentence. */
  | { readonly ok: false; readonly problems: readonly { readonly key: string; readonly wrong: string }[] };

export interface ReloadParts {
  readonly read: () => ReloadedPolicy;
  readonly policy: PolicyInForce;
  readonly journal: Pick<Journal, 'writeReload'>;
  readonly tellAdmins: TellAdmins;
  readonly log: Log;
}

/** Of changes or mistakes, what is shown. The journal has all of them. */
const mostShown = 20;

const howToAsk = say`On the bot’s host, ${code('appliance-bot policy explain')} says what one person may do under it, and which rule decides.`;

const untilRestart = say`Changes under ${code('appliances')} take effect when the bot restarts: it still runs with the appliances, keys and certificates it was started with.`;

/**
 * Reads the policy again: takes it, or keeps the one in force and tells the admins what is wrong. One at a time; what is
 * found a second time is not told a second time, by another replica neither.
 */
export function createReload({ read, policy, journal, tellAdmins, log }: ReloadParts): () => Promise<void> {
  /** What was wrong when it was looked at last. */
  let wrong: string | undefined;
  /** Whoever told the admins of a mistake tells them that it is mended, too. */
  let hasToldWrong = false;
  let waiting: string | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  return () => {
    const done = turn.then(once);
    turn = done.catch(() => undefined);
    return done;
  };

  async function once(): Promise<void> {
    const found = read();
    return found.ok ? take(found) : refuse(found.problems);
  }

  async function refuse(problems: Extract<ReloadedPolicy, { ok: false }>['problems']): Promise<void> {
    const told = problems.map(({ key, wrong }) => `${key} ${wrong}`);
    log.tell(policyRefused, { problems: told });
    if (wrong === told.join('\n')) return;
    wrong = told.join('\n');
    hasToldWrong = await journal.writeReload({ outcome: 'refused', told });
    if (!hasToldWrong) return;
    const mistakes = plural(problems.length, 'mistake');
    await tellAdmins({
      headline: say`The changed policy file has ${mistakes}, so it was not loaded. The previous policy stays in force.`,
      details: shown(problems.map(({ key, wrong }) => say`${code(key)} ${wrong}`)),
    });
  }

  async function take(found: Extract<ReloadedPolicy, { ok: true }>): Promise<void> {
    const before = policy.current();
    const was = versionOf(before);
    const is = versionOf(found.policy);
    const changes = [
      ...(was === is ? [] : [say`The policy is version ${code(is)} now; it was ${code(was)}.`]),
      ...(found.notices ?? []),
    ];
    const isNewlyWaiting = found.waiting !== undefined && found.waiting !== waiting;
    const isMended = hasToldWrong;
    waiting = found.waiting;
    wrong = undefined;
    hasToldWrong = false;
    const diff = isNewlyWaiting ? [...changes, untilRestart] : changes;
    if (diff.length === 0) {
      log.tell(policySame);
      const again = say`The policy file is valid again. It matches the policy in force, so nothing changes.`;
      return isMended ? tellAdmins({ headline: again }) : undefined;
    }
    const told = diff.map(plainText);
    const isFirst = await journal.writeReload({ outcome: 'taken', told });
    policy.replace(found.policy);
    log.tell(policyTaken, { policy: is, changes: told });
    if (!isFirst) return;
    const headline =
      changes.length === 0
        ? say`The policy file, or a file that it refers to, was changed, but permissions are the same.`
        : say`A new policy is in force.`;
    // Whoever is an admin no more is told for the last time.
    const admins = adminsOf(before).union(adminsOf(found.policy));
    const details = shown(was === is ? diff : [...diff, howToAsk]);
    await tellAdmins({ headline, details }, admins);
  }
}

function shown(items: readonly Text[]): readonly SaidPart[] {
  const left = items.length - mostShown;
  return [
    { kind: 'list', items: items.slice(0, mostShown) },
    ...(left > 0
      ? [{ kind: 'text' as const, text: say`And ${left} more; the bot's log has all of them.` }]
      : []),
  ];
}
