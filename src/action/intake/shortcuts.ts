import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf, titleOf } from '../../handlers/command-name.ts';
import { FileFailure } from '../../handlers/context.ts';
import { type Asked, lineOf, quotedAmongOthers } from '../../handlers/language/asked.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import { linesOfFile } from '../../handlers/lists/lines.ts';
import { hasEnding, isMeantAsList, mayBeList, type PostedFile } from '../../handlers/lists/posted-file.ts';
import { capital, code, enumerate, plural, say, strong, type Text } from '../../handlers/reply.ts';
import { shorten } from '../../handlers/wording/shorten.ts';
import { wantedWith } from '../authority/asked-of.ts';
import type { Button, Invocation, Listener, SaidPart } from '../base/chat.ts';
import { linksIn } from '../given/links.ts';
import type { Parts } from '../ground/ground.ts';
import { type KeptOffer, offerToKeep } from '../showing/kept-offer.ts';
import type { Intake } from './intake.ts';

/** By their callback IDs, as manifest.yml names them. */
export const messageShortcuts = ['look_up_links', 'send_to_appliance'] as const;

/** The global one. */
export const runCommand = 'run_command';

/** Somebody chose a shortcut in the menu of a message. */
export interface MessageShortcut
  extends Omit<Invocation, 'line' | 'asked' | 'offer' | 'agreed' | 'accessRequest'> {
  readonly shortcut: (typeof messageShortcuts)[number];
  readonly message: {
    /** The addresses that the chat itself made links of. */
    readonly links: readonly string[];
    /** All that is written in it. */
    readonly texts: readonly string[];
    readonly files: readonly PostedFile[];
  };
}

/**
 * A message to the bot without a word of its own: what was handed over with it is looked at as by the shortcuts of that
 * message. Undefined where words say what is wanted, or nothing was handed over.
 */
export function wordless({
  line,
  files = [],
  forwarded = [],
  ...invocation
}: Invocation): MessageShortcut | undefined {
  if (cleanLine(line) !== '' || (forwarded.length === 0 && files.length === 0)) return undefined;
  const links = forwarded.flatMap((one) => one.links);
  const texts = forwarded.flatMap((one) => one.texts);
  const shortcut = files.length > 0 ? 'send_to_appliance' : 'look_up_links';
  return { ...invocation, shortcut, message: { links, texts, files } };
}

/** Turns a message into what could have been typed about it, and asks that, as the person who chose the shortcut. */
export type TakeShortcut = (shortcut: MessageShortcut) => Promise<void>;

/** How long the choice of what a file is may wait, in milliseconds. */
const lifetime = 60 * 60_000;

/** What answers about links, as it is typed. */
const categorize = 'categorize';

export function createShortcuts(
  parts: Parts & { readonly commands: readonly AnyCommand[] },
  flow: Intake,
): TakeShortcut {
  const { commands, authority, journal, chat, filesFor, whisper, now } = parts;
  /** The commands that take a file: what one can be follows from their declarations. */
  const takers = commands.flatMap((command): readonly Taker[] =>
    Object.entries(command.args).flatMap(([slot, { endings, what, fromFile }]): readonly Taker[] => {
      if (fromFile) return [{ command, slot, takes: mayBeList, what: titleOf(command), isList: true }];
      if (endings === undefined) return [];
      return [{ command, slot, takes: (posted) => hasEnding(posted, endings), what, isList: false }];
    }),
  );

  const answers: Readonly<Record<MessageShortcut['shortcut'], TakeShortcut>> = {
    look_up_links: lookUp,
    send_to_appliance: send,
  };
  return (chosen) => answers[chosen.shortcut](chosen);

  async function lookUp(shortcut: MessageShortcut): Promise<void> {
    const { found, unread } = linksIn(shortcut.message);
    if (unread.length > 0)
      await tell(
        shortcut,
        say`Not looked up: ${enumerate(unread.slice(0, 5).map((one) => code(shorten(one))))}${unread.length > 5 ? ` and ${unread.length - 5} more` : ''}. Where short and encrypted links lead can’t be read from them.`,
      );
    if (found.length === 0 && unread.length > 0) return;
    if (found.length === 0) {
      return tell(shortcut, say`That message contains no link and no domain. Nothing was looked up.`);
    }
    const most =
      commands.find((command) => nameOf(command) === categorize)?.args.domain?.most ?? found.length;
    if (found.length > most) {
      await tell(
        shortcut,
        say`That message has ${plural(found.length, 'domain')}; looking up the first ${most}.`,
      );
    }
    return flow.ask({
      ...invocationOf(shortcut),
      line: [categorize, ...found.slice(0, most).map(quotedAmongOthers)].join(' '),
    });
  }

  async function send(shortcut: MessageShortcut): Promise<void> {
    const posts = shortcut.message.files;
    if (posts.length === 0) {
      return tell(
        shortcut,
        say`There is no file in that message, so there is nothing to send to an appliance.`,
      );
    }
    const possible = posts.flatMap((posted) =>
      takers.flatMap(({ slot, takes, ...taker }) =>
        takes(posted) ? [{ ...taker, posted, typed: { [slot]: [posted] } }] : [],
      ),
    );
    const [first] = possible;
    if (first === undefined) return tell(shortcut, nothingFor(posts));
    const allowed = await keepAllowed(shortcut, possible);
    const lists = allowed.filter(({ isList }) => isList).map(({ posted }) => posted);
    const unreadable = await whyUnread(lists, shortcut.person);
    if (unreadable !== undefined && allowed.every(({ isList }) => isList))
      return tell(shortcut, say`${unreadable} Nothing was sent.`);
    // Where nothing is allowed, asking for it says why and who could.
    const [only = first, ...others] = allowed;
    return others.length === 0 ? ask(shortcut, only) : offer(shortcut, allowed);
  }

  /** What is wrong with what is taken for a list by its name: whoever reads that later has chosen and filled in for nothing. */
  async function whyUnread(lists: readonly PostedFile[], person: string): Promise<string | undefined> {
    for (const posted of new Map(lists.map((one) => [one.id, one])).values()) {
      try {
        await linesOfFile(filesFor(person), posted);
      } catch (error) {
        if (error instanceof FileFailure) return error.message;
        throw error;
      }
    }
    return undefined;
  }

  async function keepAllowed({ person, channel }: MessageShortcut, possible: readonly Possible[]) {
    const decisions = await Promise.all(
      possible.map(({ command }) => {
        const wanted = wantedWith({ command }, channel, parts);
        return authority.decide({ person, channel, ...wanted, access: 'suggest' });
      }),
    );
    return possible.filter((_, index) => decisions[index]?.allow === true);
  }

  /** A button each. They are for this person alone, and what they stand for is in the journal. */
  async function offer(shortcut: MessageShortcut, possible: readonly Possible[]): Promise<void> {
    const { person, channel } = shortcut;
    const several = new Set(possible.map(({ posted }) => posted.id)).size > 1;
    const buttons = await Promise.all(
      possible.map(async ({ command, typed, posted, what, isList }): Promise<Button> => {
        const content: KeptOffer = {
          line: lineOf({ command, typed }),
          asked: { phrase: command.phrase, typed },
        };
        const token = await journal.keep({
          kind: 'offer',
          content: offerToKeep(content),
          person,
          channel,
          until: now() + lifetime,
        });
        const label = isList ? `${what}…` : labelOf(what);
        return { press: 'offer', label: several ? `${label}: ${posted.name}` : label, token };
      }),
    );
    const names = [...new Map(possible.map(({ posted }) => [posted.id, strong(posted.name)])).values()];
    const details: readonly SaidPart[] = [
      { kind: 'text', text: say`Before anything is sent, you see a preview and confirm it.` },
      { kind: 'buttons', buttons },
    ];
    const isList = possible.every((one) => one.isList);
    const headline = isList
      ? say`What would you like to do with ${enumerate(names)}?`
      : several
        ? say`What are ${enumerate(names)}?`
        : say`What is ${enumerate(names)}?`;
    await chat.ephemeral(shortcut, { headline, details });
  }

  function nothingFor(files: readonly PostedFile[]): Text {
    const named = enumerate(files.map(({ name }) => strong(name === '' ? 'a file without a name' : name)));
    const wanted = enumerate(
      [...takers.flatMap(({ what, isList }) => (isList ? [] : [what])), 'a list (.csv or .txt)'],
      'or',
    );
    if (files.every((posted) => isMeantAsList(posted) && !mayBeList(posted)))
      return say`${named} can’t be read as a list, so nothing was sent. Save it as CSV or as plain text, and post that.`;
    return say`No appliance takes ${named}, so nothing was sent. Accepted files: ${wanted}.`;
  }

  async function tell(to: Listener, headline: Text): Promise<void> {
    await whisper(to, { headline });
  }

  async function ask(
    shortcut: MessageShortcut,
    { command, typed }: Pick<Asked, 'command' | 'typed'>,
  ): Promise<void> {
    const asked = { command, typed };
    await flow.ask({ ...invocationOf(shortcut), asked, line: lineOf(asked) });
  }
}

const invocationOf = ({
  shortcut: _,
  message: __,
  ...invocation
}: MessageShortcut): Omit<Invocation, 'line'> => invocation;

interface Taker {
  readonly command: AnyCommand;
  readonly slot: string;
  readonly takes: (posted: PostedFile) => boolean;
  /** In the words of the declaration: "a hotfix (.tgz)"; of a list what is done with it. */
  readonly what: string;
  readonly isList: boolean;
}

interface Possible extends Pick<Asked, 'command' | 'typed'> {
  readonly posted: PostedFile;
  readonly what: string;
  readonly isList: boolean;
}

/** "a service pack (.tgz or .zip)" → "Service pack" */
function labelOf(what: string): string {
  return capital(what.replace(/^an? /, '').replace(/ \(.*\)$/, ''));
}
