import { versionOf } from '../../auth/policy.ts';
import { inWords } from '../../handlers/audit/recalled.ts';
import { plural, type Reply } from '../../handlers/reply.ts';
import type { Action, Interaction, Journal, NewAction } from '../../journal/journal.ts';
import type { Authority } from '../authority/authority.ts';
import type { Listener, Press } from '../base/chat.ts';
import type { Whisper } from '../showing/present.ts';
import { codeOf, explain, type Fault, isDenial } from '../wording/faults.ts';

/**
 * Records what people do where no line is typed: with an answer, a button, a form. Each is an action that is over, so it is
 * found and exported like any other, and part of the chain.
 */
export interface InteractionLog {
  /** Rows leave as a file. To be called before they do: what Slack then does not take is recorded as well. */
  readonly exported: (by: By, what: About, file: Omit<Of<'export'>, 'kind' | 'of'>) => Promise<void>;
  /** A click does nothing: whoever pressed is told why. `button`: which one, as the chat knows it. */
  readonly decline: (
    press: By & Listener & Pick<Press, 'button'>,
    what: About,
    why: ClickRefusal,
  ) => Promise<void>;
  /**
   * The same of a click on a card, or the form that it has opened: the action has it in its own record, too. That somebody may
   * not press there has one of its own, in which they are who did it.
   */
  readonly declineOn: (
    press: By & Listener & Pick<Press, 'button'>,
    action: Action,
    fault: Fault,
  ) => Promise<void>;
  /** A form lies open. With its `token`, searches in it are counted from now on (`journal.formSearched`). */
  readonly opened: (
    by: By,
    what: About & { readonly token?: string },
    form: Of<'form'>['form'],
  ) => Promise<void>;
}

/** Who does it, and where. */
type By = Pick<Press, 'team' | 'channel' | 'person'>;

/** What it is about; nothing of it is known where the journal has forgotten it. */
export interface About {
  readonly line?: string | null | undefined;
  readonly phrase?: string | null | undefined;
  /** The action that it came of: then its appliances are known. */
  readonly action?: string | undefined;
  readonly appliances?: readonly string[];
}

/** A fault, or what a refusal is called that is none. */
type ClickRefusal = Fault | { readonly code: 'request_over'; readonly reply: Reply };

type Of<Kind extends Interaction['kind']> = Extract<Interaction, { readonly kind: Kind }>;

interface InteractionLogParts {
  readonly journal: Pick<Journal, 'write' | 'byId' | 'note' | 'formOpened'>;
  readonly authority: Pick<Authority, 'policy'>;
  readonly whisper: Whisper;
}

export function createInteractionLog({ journal, authority, whisper }: InteractionLogParts): InteractionLog {
  const interactionLog: InteractionLog = {
    exported: async (by, what, { format, rows, filter }) => {
      const filtered = filter === null ? '' : `, filtered by ${filter}`;
      const says = `Exported ${plural(rows, 'row')} as ${formats[format]}${filtered}.`;
      const interaction = { kind: 'export', format, rows, filter, of: what.action ?? null } as const;
      await write(by, what, { interaction, state: 'done', outcome: { code: 'exported', says } });
    },

    decline: async (press, what, why) => {
      const reply = 'reply' in why ? why.reply : explain(why);
      if (!isDoubleClick(press, why)) await whisper(press, reply);
      const code = 'reply' in why ? why.code : codeOf(why);
      const interaction = { kind: 'refused_click', button: press.button, of: what.action ?? null } as const;
      const outcome = { code, ...inWords(reply.headline) };
      await write(press, what, { interaction, state: 'refused', outcome });
    },

    declineOn: async (press, action, fault) => {
      const { person: by, button } = press;
      const why = codeOf(fault);
      // Where whoever asked may not any more, others have pressed what was theirs.
      const isTheirs = fault.code === 'asker_denied' && by !== action.person;
      const { id, line, phrase } = action;
      if (isDenial(why) && !isTheirs) {
        await interactionLog.decline(press, { line, phrase, action: id }, fault);
      } else if (!isDoubleClick(press, fault)) {
        await whisper(press, explain(fault));
      }
      await journal.note(id, { kind: 'click_refused', content: { person: by, button, code: why } });
    },

    opened: async (by, what, form) => {
      const interaction = { kind: 'form', form, of: what.action ?? null } as const;
      const outcome = { code: 'form_opened', says: words[form] };
      const { id } = await write(by, what, { interaction, state: 'done', outcome });
      if (what.token !== undefined) await journal.formOpened(what.token, id);
    },
  };
  return interactionLog;

  async function write(
    { team, channel, person }: By,
    { line, phrase, action, appliances }: About,
    ending: Pick<NewAction, 'interaction' | 'state' | 'outcome'>,
  ) {
    const origin = action === undefined ? undefined : await journal.byId(action);
    return journal.write({
      team,
      channel,
      person,
      ...ending,
      line: line ?? '(no longer kept)',
      phrase: phrase ?? undefined,
      appliance: appliances?.join(',') ?? origin?.appliance,
      policy: versionOf(authority.policy()),
    });
  }
}

/**
 * Whether somebody has pressed once more what they have decided themselves, where an answer would be a direct message and stay: the
 * page, or the card, shows what became of the first click.
 */
function isDoubleClick({ person, inPerson }: By & Listener, why: ClickRefusal): boolean {
  if (inPerson !== true) return false;
  switch (why.code) {
    case 'already':
      return why.action.state !== 'waiting' && why.action.decidedBy === person;
    case 'approved_already':
      return !why.other;
    case 'offer_gone':
      return why.taken?.takenBy === person;
    default:
      return false;
  }
}

const formats = { csv: 'CSV', json: 'JSON', jsonl: 'JSON Lines' } as const;

const words = {
  command: 'Opened the form.',
  filter: 'Opened the filter.',
  reason: 'Opened the form that asks why it is denied.',
} as const;
