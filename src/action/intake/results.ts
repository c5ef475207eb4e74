import type { Access } from '../../auth/request.ts';
import { allowedIn, type TargetProblem } from '../../auth/targets.ts';
import { cut } from '../../graphemes.ts';
import { code, person as personSpan, plural, type Reply, say, type Text } from '../../handlers/reply.ts';
import type { Journal, Kept } from '../../journal/journal.ts';
import { askedOn } from '../authority/asked-of.ts';
import { accessRequestTo } from '../authority/terms.ts';
import {
  ChatRefused,
  gotOut,
  type Listener,
  type Press,
  type Submission,
  type SubmissionResult,
} from '../base/chat.ts';
import { isConsentReadable, isDelegated } from '../base/consent.ts';
import type { Form } from '../base/form.ts';
import { createReplyAddresses } from '../base/reply-addresses.ts';
import type { Parts } from '../ground/ground.ts';
import { underWay } from '../history/history.ts';
import type { About } from '../history/interactions.ts';
import {
  type FilterForm,
  filterFormIn,
  filterFormToKeep,
  resultIn,
  resultToKeep,
} from '../showing/kept-result.ts';
import { tellBelow } from '../showing/messages.ts';
import {
  filtered,
  hasPage,
  type PageView,
  pageOf,
  type StoredFilter,
  type StoredResult,
  titleOf,
  wordsOf,
} from '../showing/pages.ts';
import { csvOf, fileName, jsonLinesOf, jsonOf, type Table } from '../showing/plain-files.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { textProblem } from '../wording/misread/misfits.ts';

/**
 * What people do with an answer that is kept: turn its pages, filter its rows, take it away as a file. The command is
 * decided again and never run again.
 */
export interface Results {
  readonly press: (press: Press) => Promise<void>;
  /** Tells somebody a page (from 0) that they asked for by a word; resolves to false where there is none such. */
  readonly tellPage: (asker: Asker, result: string, page: number) => Promise<boolean>;
  /** Undefined when the form is none of these. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
}

/** How long a filter form may lie open, in milliseconds: no longer than a whispered message can be changed (slack-facts.md §1). */
const lifetime = 30 * 60_000;
/** Characters of a filter. */
const longest = 100;

type ResultParts = Pick<
  Parts,
  | 'commandByPhrase'
  | 'authority'
  | 'fleet'
  | 'journal'
  | 'chat'
  | 'outbox'
  | 'whisper'
  | 'interactionLog'
  | 'now'
>;

export function createResults(parts: ResultParts): Results {
  const { commandByPhrase, authority, fleet, journal, chat, whisper, interactionLog, now } = parts;
  /** By way of what whispered messages are changed. Short-lived and secret, hence in memory only. */
  const replyAddresses = createReplyAddresses(now);

  return {
    press: async (pressed) => {
      const { card } = pressed;
      // Nobody's own page has an answer with pages.
      if (card === undefined) return interactionLog.decline(pressed, {}, { code: 'result_gone' });
      const press = { ...pressed, card };
      const found = await findFor(press, press.token, press.button === 'export' ? 'export' : 'seeResult');
      if (found === undefined) return;
      switch (press.button) {
        case 'page':
          return turn(press, found, Number(press.detail ?? 0));
        case 'filter':
          return press.detail === 'clear'
            ? turn(press, { ...found, token: found.result.token, filter: undefined }, 0)
            : askFilter(press, found);
        case 'export':
          return exportRows(parts, press, found);
        default:
          throw new Error(`A result has no button ${press.button}`);
      }
    },

    tellPage: async (asker, token, page) => {
      const found = await findFor({ ...asker, button: 'page' }, token, 'seeResult');
      if (found !== undefined && !hasPage(found.stored, page)) return false;
      if (found !== undefined)
        await chat.ephemeral(asker, pageOf(found.stored, { token, page, whispered: true }));
      return true;
    },

    submit: async ({ team, person, token, entered }) => {
      const form = await journal.kept(token);
      const asked = form && filterFormIn(form);
      if (form === undefined || asked === undefined) return undefined;
      if (form.person !== person) return { kind: 'over', why: explain({ code: 'form_not_yours' }).headline };
      const filter = cut((entered.words.rows?.[0] ?? '').trim(), longest);
      const wrong = textProblem(filter);
      if (wrong !== undefined) return { kind: 'problems', problems: { rows: wrong } };
      const { channel } = form;
      const replyTo = replyAddresses.take(token);
      const { ts: card, whispered, direct } = asked;
      const inPerson = direct === undefined ? undefined : true;
      const listener: Listener = { channel, person, replyTo, inPerson };
      const press: At = { ...listener, team, button: 'filter', card, whispered, direct };
      return { kind: 'closed', listener, follow: () => narrow(press, asked.result, filter) };
    },
  };

  /** What a click or a form is about, if it is still kept and this person may still have it; else the person is told. */
  async function findFor(
    press: Asker & Pick<Press, 'button'>,
    token: string,
    access: Access,
  ): Promise<Found | undefined> {
    const found = await find(token);
    if (found?.result.channel !== press.channel) {
      await interactionLog.decline(press, {}, { code: 'result_gone' });
      return undefined;
    }
    if (found.result.person !== undefined && found.result.person !== press.person) {
      await interactionLog.decline(press, aboutOf(found), { code: 'not_your_offer' });
      return undefined;
    }
    const obstacle = await obstacleTo(press, found, access);
    if (obstacle === undefined) return found;
    await interactionLog.decline(press, aboutOf(found), obstacle);
    return undefined;
  }

  /** Why somebody may not have it, with everything that it was asked with. */
  async function obstacleTo(
    { person, channel }: Asker,
    { stored: { source }, result }: Found,
    access: Access,
  ): Promise<Fault | undefined> {
    // It was said to one person alone, of what became of their line.
    if (source === null) return result.person === undefined ? { code: 'result_gone' } : undefined;
    const command = commandByPhrase.get(source?.phrase ?? '');
    // An older version of the bot kept less, by which nothing can be decided.
    if (command === undefined || source.targets.length === 0) return { code: 'result_gone' };
    const action = result.action === undefined ? undefined : await journal.byId(result.action);
    const isTheirs = action?.person === person;
    for (const target of source.targets) {
      const asked = askedOn(command, target);
      const decision = await authority.decide({ ...asked, person, channel, access });
      if (!decision.allow) {
        // Others have lent the role to somebody who may not run it: what came of it is theirs to read to its end.
        const isLentToThem = isTheirs && isDelegated(action) && accessRequestTo(decision.denial).length > 0;
        if (!isLentToThem) return authority.fault(decision.denial, channel);
      } else if (!isTheirs && authority.approvalFor(asked, decision.by).kind !== 'not_needed') {
        return { code: 'approved_for_another', line: source.line };
      }
      const problem = command.kind === 'info' ? undefined : outOfReach(target.appliance, channel);
      if (problem !== undefined) return { code: 'no_such_target', problem };
    }
    return undefined;
  }

  /** It may have been answered when the channel could still name the appliance. */
  function outOfReach(name: string, channel: string): TargetProblem | undefined {
    const here = authority.channel(channel);
    const allowed = here === undefined ? [] : allowedIn(here, fleet, channel);
    return allowed.includes(name) ? undefined : { code: 'appliance_not_allowed', name, allowed };
  }

  async function find(token: string): Promise<Found | undefined> {
    const kept = await journal.kept(token);
    if (kept?.kind !== 'result') return undefined;
    const content = resultIn(kept);
    if (content === undefined) return undefined;
    if (content.holds === 'message') return { token, stored: content, result: kept, filter: undefined };
    const below = await find(content.result);
    return below && { ...below, token, filter: content.filter };
  }

  async function turn(press: At, { token, stored, filter }: Found, page: number): Promise<void> {
    const whispered = press.whispered ?? false;
    const look: PageView = { token, filter, page: Number.isInteger(page) ? page : 0, whispered };
    const said = pageOf(stored, look);
    const message = {
      channel: press.direct ?? press.channel,
      ts: press.card,
      ...(whispered && { replyTo: press.replyTo }),
    };
    if (!(await gotOut(chat.edit(message, said)))) await whisper(press, stuck);
  }

  async function askFilter(press: OnMessage, found: Found): Promise<void> {
    const { stored, result, filter } = found;
    const { channel, person, trigger } = press;
    const asked: FilterForm = {
      holds: 'filter form',
      result: result.token,
      ts: press.card,
      ...(press.direct !== undefined && { direct: press.direct }),
      whispered: press.whispered ?? false,
    };
    const until = now() + lifetime;
    const content = filterFormToKeep(asked);
    const token = await journal.keep({ kind: 'form', content, person, channel, until });
    if (asked.whispered && press.replyTo !== undefined) replyAddresses.remember(token, press.replyTo, until);
    const opened = trigger !== undefined && (await chat.openForm(trigger, filterForm(token, stored, filter)));
    if (opened) await interactionLog.opened(press, aboutOf(found), 'filter');
    else await whisper(press, notOpened);
  }

  async function narrow(press: At, result: string, filter: string): Promise<void> {
    const found = await findFor(press, result, 'seeResult');
    if (found === undefined) return;
    if (wordsOf(filter).length === 0) return turn(press, found, 0);
    const { channel, action, until, person } = found.result;
    const stored: StoredFilter = { holds: 'filter', result: found.result.token, filter };
    const content = resultToKeep(stored);
    const token = await journal.keep({ kind: 'result', content, channel, action, until, person });
    return turn(press, { ...found, token, filter }, 0);
  }
}

type Asker = Pick<Press, 'team' | 'channel' | 'person' | 'replyTo' | 'inPerson'>;

/** Where somebody stands who does something with a kept message. */
type At = Asker & Pick<OnMessage, 'button' | 'card' | 'whispered' | 'direct'>;

function filterForm(token: string, { table, source }: StoredResult, filter: string | undefined): Form {
  const about = source === null ? say`these rows` : say`the rows of ${code(`/appliance ${source.line}`)}`;
  return {
    token,
    title: 'Filter',
    submit: 'Filter',
    explanation: say`Shows ${about} that contain every word, in any cell (${table.columns.join(', ')}). The appliance is not asked again.`,
    inputs: [
      {
        name: 'rows',
        label: 'Words',
        hint: 'Upper and lower case are the same. Empty shows all rows.',
        optional: true,
        kind: { is: 'line', ...(filter === undefined ? {} : { initial: filter }) },
      },
    ],
  };
}

const reply = (headline: Text): Reply => ({ headline });

const stuck = reply(
  say`Slack didn’t accept the change, so the message stays as it is. Type the command again.`,
);
const notOpened = reply(say`The filter did not open in time. Press ${code('Filter…')} again.`);

type ExportParts = Pick<Parts, 'journal' | 'chat' | 'outbox' | 'whisper' | 'interactionLog'>;

/** A kept message, and the filter that is on it. */
interface Found {
  readonly token: string;
  readonly stored: StoredResult;
  readonly result: Kept;
  readonly filter: string | undefined;
}

const aboutOf = ({ stored: { source }, result: { action } }: Found): About => ({
  line: source?.line,
  phrase: source?.phrase,
  action,
});

/** A click in a message. */
type OnMessage = Press & { readonly card: string };

/** A click on CSV, JSON or JSON Lines below a kept answer: puts the rows, or those that the filter has left, into the thread. */
async function exportRows(
  { journal, chat, outbox, whisper, interactionLog }: ExportParts,
  press: OnMessage,
  found: Found,
): Promise<void> {
  const { stored, filter } = found;
  if (press.whispered) return interactionLog.decline(press, aboutOf(found), { code: 'no_thread' });
  const table = filtered(stored.table, filter);
  const ending = endings.find((one) => one === press.detail) ?? 'csv';
  const line = stored.source?.line ?? 'answer';
  const title = titleOf(stored);
  const count = table.rows.length;
  const from = title === undefined ? '' : `, ${title}`;
  const matching =
    filter === undefined ? '' : say` that ${count === 1 ? 'matches' : 'match'} ${code(filter)}`;
  const { behind } = table;
  const isWhole = behind === undefined || stored.table.rows.length >= behind.count;
  const rest = isWhole
    ? []
    : say`. There are ${behind.count.toLocaleString('en')} in all. ${behind.elsewhere}`;
  const words = say`${plural(count, 'row')} of ${code(`/appliance ${line}`)}${from}${matching}, for ${personSpan(press.person)}${rest}`;
  const name = fileName([line, title, filter].filter((word) => word !== undefined).join(' '), ending);
  const file = { name, title: name, content: await contentOf(journal, table, ending), words };
  const thread = { channel: press.direct ?? press.channel, card: press.thread ?? press.card };
  await interactionLog.exported(press, aboutOf(found), {
    format: ending,
    rows: count,
    filter: filter ?? null,
  });
  const said = { headline: [], files: [file] };
  const { action } = found.result;
  try {
    await chat.reply(thread, said);
  } catch (error) {
    if (!(error instanceof ChatRefused)) throw error;
    if (!error.isPassing || action === undefined) return whisper(press, notPosted);
    await outbox.send(...tellBelow({ id: action }, said));
  }
}

async function contentOf(
  journal: Parts['journal'],
  table: Table,
  ending: (typeof endings)[number],
): Promise<string> {
  switch (ending) {
    case 'csv':
      return csvOf(table);
    case 'json':
      return jsonOf(table);
    case 'jsonl':
      return jsonLinesOf(await linesBehind(journal, table.behind?.keys ?? []));
  }
}

const endings = ['csv', 'json', 'jsonl'] as const;

const notPosted: Reply = { headline: say`Slack didn’t accept the file. Press the button again in a moment.` };

/** Everything behind some entries, as JSON on a line each. */
async function linesBehind(
  journal: Pick<Journal, 'recordsAt' | 'byId'>,
  keys: readonly string[],
): Promise<readonly string[]> {
  const found = await journal.recordsAt(keys.map(Number).filter((seq) => seq > 0));
  const bySeq = new Map(found.map((one) => [one.seq, one]));
  return Promise.all(
    keys.map(async (key) => {
      if (key.startsWith(underWay)) {
        const action = await journal.byId(key.slice(underWay.length));
        // What its buttons carry is nobody's to read, and what it would hit not the reader's while its asker may not see it.
        const withheld =
          action !== undefined && (isDelegated(action) || !isConsentReadable(action))
            ? { preview: undefined }
            : {};
        return JSON.stringify({ underWay: { ...action, token: undefined, ...withheld } });
      }
      return JSON.stringify(bySeq.get(Number(key)) ?? { seq: Number(key), record: null });
    }),
  );
}
