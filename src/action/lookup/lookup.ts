import type { Appliance } from '../../api/index.ts';
import { inWords } from '../../handlers/audit/recalled.ts';
import type { AnyCommand, AnyLookup, ApplianceReply } from '../../handlers/command.ts';
import {
  type Field,
  fieldList,
  type Part,
  plainText,
  plural,
  type Reply,
  say,
  strong,
} from '../../handlers/reply.ts';
import { type Action, JournalUnavailable } from '../../journal/journal.ts';
import type { Invocation, Said, SaidPart } from '../base/chat.ts';
import { argsToStore, type Target } from '../base/stored.ts';
import { type After, saidWhenSlow } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { answerCard, askedIn, tellBelow } from '../showing/messages.ts';
import { isLong, type ResultSource, sourceOf } from '../showing/pages.ts';
import { fewRows } from '../showing/present.ts';
import { leftAlone } from '../showing/previews.ts';
import { faultOf, type ResolvedTarget, reasonOf, type resolveOn } from '../target/target.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { asUnderstood } from '../wording/misread/not-understood.ts';
import { partsOf } from '../wording/said.ts';

/** An appliance that was asked about what was typed. */
export interface ResolutionOn {
  readonly appliance: Appliance;
  readonly result: Awaited<ReturnType<typeof resolveOn>>;
}

/** Asks appliances and answers in the channel. */
export interface Lookups {
  readonly answer: (
    invocation: Invocation,
    action: Action,
    command: AnyLookup,
    resolutions: readonly ResolutionOn[],
  ) => Promise<void>;
  /** Answers in the channel what no appliance had to be asked. */
  readonly post: (
    invocation: Invocation,
    action: Action,
    reply: Reply,
    source: ResultSource,
  ) => Promise<void>;
}

export interface LookupParts extends Parts {
  readonly after: After;
}

/** What one appliance answered, or what stood in the way. */
type Answer =
  /** `at`: when it was read. */
  | { readonly appliance: string; readonly reply: Reply; readonly at: number }
  | { readonly appliance: string; readonly fault: Fault };

export function createLookups({
  journal,
  chat,
  outbox,
  present,
  contexts,
  after,
  now,
}: LookupParts): Lookups {
  return {
    answer: async (invocation, action, command, resolutions) => {
      // What somebody stood up for has a card already, and the answer takes its place.
      let underWay = action.card;
      let isFirst = true;
      const announced = async () => {
        if (invocation.unattended) return;
        isFirst = false;
        underWay = await announce(action, resolutions);
      };
      const asked = Promise.all(resolutions.map((one) => askOne(action, command, one)));
      const answers = await saidWhenSlow(after, announced, asked);
      const [only] = answers;
      if (only === undefined) throw new Error('A lookup asks at least one appliance');
      if (answers.length === 1 && 'fault' in only) {
        return sayFailed(invocation, { ...action, card: underWay }, only.fault);
      }
      const reply = answers.length === 1 && 'reply' in only ? only.reply : gather(command, answers);
      const source = sourceOf(action, targetsAmong(command, resolutions).targets);
      const read = answers.flatMap((one) => ('at' in one ? [one.at] : []));
      const asOf = read.length === 0 ? undefined : Math.min(...read);
      await tell(invocation, { ...action, card: underWay }, reply, source, isFirst, asOf);
    },
    post: (invocation, action, reply, source) => tell(invocation, action, reply, source, true),
  };

  async function askOne(
    action: Action,
    command: AnyLookup,
    { appliance, result }: ResolutionOn,
  ): Promise<Answer> {
    if (!result.ok) return { appliance: appliance.name, fault: result.fault };
    try {
      const reply = await command.answer(contexts.asking(action, result.resolved));
      return { appliance: appliance.name, reply, at: now() };
    } catch (error) {
      return { appliance: appliance.name, fault: faultOf(error, appliance.name, 'lookup') };
    }
  }

  /** To the person alone, or where the channel has already seen that the appliance is being asked, or expects it. */
  async function sayFailed(invocation: Invocation, action: Action, fault: Fault): Promise<void> {
    const reply = explain(fault);
    const code = fault.code === 'appliance' ? fault.failure.code : fault.code;
    const outcome = { code, ...inWords(reply.headline) };
    const { channel, person } = invocation;
    const said = await present(reply, {
      channel,
      person,
      action: action.id,
      whispered: true,
      askedIn: askedIn(action),
    });
    // Whoever set up a schedule may not be there, and others wait for its answer.
    const isSeen = action.card !== undefined || invocation.scheduled === true;
    const messages = isSeen ? [answerCard(action, 'failed', reply.headline, said.details)] : [];
    await journal.move(action, 'failed', { outcome, messages });
    const delivered = await outbox.deliver(messages);
    if (!isSeen || delivered.kind === 'refused') await chat.ephemeral(invocation, said);
  }

  /** Puts the answer into the channel; if the channel cannot be written to, the person still gets it. */
  async function tell(
    invocation: Invocation,
    running: Action,
    reply: Reply,
    source: ResultSource,
    isFirst: boolean,
    asOf?: number,
  ): Promise<void> {
    const { channel, id } = running;
    const details: Reply = { headline: [], details: reply.details ?? [] };
    const said = await present(details, { channel, action: id, source, askedIn: askedIn(running) });
    const outcome = { code: 'answered', ...inWords(reply.headline) };
    const { understoodAs } = running;
    const reading = [
      ...(understoodAs === undefined ? [] : [asUnderstood(understoodAs)]),
      ...(invocation.sources === undefined ? [] : [fieldList(invocation.sources)]),
    ];
    // What is two or three rows is read where it was asked, and not behind a reply.
    const isShort = isFewRows(said);
    const parts = [...(isShort ? (said.details ?? []) : []), ...reading];
    const below = isShort ? [] : tellBelow(running, said);
    // What a workflow has looked up it tells itself, where it was built to.
    const isToldElsewhere = invocation.unattended === true && running.card === undefined;
    const card = answerCard(running, 'done', reply.headline, parts, asOf);
    const messages = isToldElsewhere ? [] : [card, ...below];
    const done = await journal.move(running, 'done', { outcome, messages });
    const delivered = await outbox.deliver(messages, isFirst ? done : undefined);
    if (delivered.kind !== 'refused') return;
    const reason = explain({ code: 'cannot_post', reason: delivered.code });
    const whole: Reply = {
      headline: reply.headline,
      details: [...(reply.details ?? []), { kind: 'text', text: reason.headline }],
    };
    const { person } = invocation;
    const to = { channel, person, action: id, source, whispered: true, askedIn: askedIn(running) };
    await chat.ephemeral(invocation, await present(whole, to));
  }

  /**
   * The channel sees that appliances are being asked; the answer then takes that message's place. Noted at once, so that
   * a restart does not leave it standing; where it cannot be noted, the answer comes without it. Undefined when the channel cannot be
   * written to.
   */
  async function announce(action: Action, resolutions: readonly ResolutionOn[]): Promise<string | undefined> {
    const [only] = resolutions;
    const waitedFor =
      resolutions.length === 1 && only !== undefined
        ? only.appliance.name
        : plural(resolutions.length, 'appliance');
    const card = answerCard(action, 'running', say`Still waiting for ${strong(waitedFor)} to answer…`);
    try {
      await journal.postWritten([card]);
    } catch (error) {
      if (error instanceof JournalUnavailable) return undefined;
      throw error;
    }
    await outbox.deliver([card]);
    return (await journal.byId(action.id))?.card;
  }
}

function isFewRows({ details = [], next = [], files = [] }: Said): boolean {
  return next.length + files.length === 0 && details.reduce((sum, part) => sum + rowsOf(part), 0) <= fewRows;
}

const isShortFact = ({ name, value }: Field): boolean => Math.max(name.length, plainText(value).length) <= 48;

function rowsOf(part: SaidPart): number {
  switch (part.kind) {
    case 'table':
      return part.rows.length;
    case 'fields':
      // Short facts stand two beside each other.
      return part.fields.every(isShortFact) ? Math.ceil(part.fields.length / 2) : part.fields.length;
    case 'list':
      return part.items.length;
    case 'text':
      return 1;
    case 'buttons':
      return 0;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** What is asked of whom, to be kept, and where it could not be asked. */
export function targetsAmong(
  command: AnyCommand,
  resolutions: readonly ResolutionOn[],
): { readonly targets: readonly Target[]; readonly left: readonly Field[] } {
  return {
    targets: resolutions.flatMap(({ appliance: { name }, result }): Target[] => {
      if (!result.ok) return [];
      const { args }: ResolvedTarget = result.resolved;
      return [{ appliance: name, args: argsToStore(command, args), fingerprint: {} }];
    }),
    left: resolutions.flatMap(({ appliance, result }) =>
      result.ok ? [] : [leftAlone(appliance.name, result.fault)],
    ),
  };
}

/** The answers of several appliances: a line each, failures beside successes, and below it what each one said. */
function gather(command: AnyLookup, answers: readonly Answer[]): Reply {
  const answered = answers.filter((one) => 'reply' in one);
  const failed = answers.length - answered.length;
  const counted =
    failed === 0
      ? say`${strong(plural(answers.length, 'appliance'))} answered`
      : say`${strong(`${answered.length} of ${plural(answers.length, 'appliance')}`)} answered, ${failed} did not`;
  return {
    headline: (answered.length === 0 ? undefined : command.several?.(answered, failed)) ?? counted,
    details: [
      {
        kind: 'table',
        columns: ['Appliance', 'Answer'],
        rows: answers.map((one) => [
          say`${one.appliance}`,
          'reply' in one ? (one.reply.brief ?? one.reply.headline) : say`⚠ ${reasonOf(one.fault)}`,
        ]),
      },
      ...(inOneTable(answered) ?? answered.flatMap((one) => partsOf(one.appliance, one.reply.details))),
    ],
  };
}

/** Rows of the same columns, whoever has answered them: one table, unless one of them is long enough to have pages of its own. */
function inOneTable(answers: readonly ApplianceReply[]): readonly Part[] | undefined {
  const told = answers.filter(({ reply }) => (reply.details ?? []).length > 0);
  const tables = told.flatMap(({ appliance, reply: { details = [] } }) =>
    details.flatMap((part) =>
      part.kind === 'table' && part.behind === undefined && details.length === 1 && !isLong(part)
        ? [{ appliance, table: part }]
        : [],
    ),
  );
  const [first] = tables;
  if (first === undefined || tables.length < 2 || tables.length < told.length) return undefined;
  const { columns } = first.table;
  if (
    columns.includes('Appliance') ||
    tables.some(({ table }) => table.columns.join('\n') !== columns.join('\n'))
  )
    return undefined;
  return [
    {
      kind: 'table',
      columns: ['Appliance', ...columns],
      rows: tables.flatMap(({ appliance, table }) => table.rows.map((row) => [say`${appliance}`, ...row])),
    },
  ];
}
