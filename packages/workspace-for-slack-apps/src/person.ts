import { NoSuchButton, NotThere, personIn } from '../../../sandbox/person.ts';
import { blockLines } from '../../../sandbox/workspace/plain/blocks.ts';
import { readingOf } from '../../../sandbox/workspace/plain/reading.ts';
import type { Acted } from '../../../sandbox/workspace/protocol.ts';
import type { Form } from '../../../sandbox/workspace/seen/form.ts';
import type { GivenFile, Said } from '../../../sandbox/workspace/seen/values.ts';
import type { Workspace as Inside } from '../../../sandbox/workspace/workspace.ts';
import { mustKnow, type Names, said } from './names.ts';
import { type Home, type Message, messagesOf } from './seen.ts';

export interface TypedWith {
  /** Types it into the thread of the message with this `ts`. */
  readonly thread?: string;
  /** Files that are posted with it; not with a slash command. */
  readonly files?: readonly GivenFile[];
}

/** How long somebody waits for what they are to see. */
export interface Wait {
  /** Milliseconds; what `patienceMs` of the workspace says when absent. */
  readonly timeoutMs?: number;
}

/**
 * Somebody at the keyboard, who sees exactly what Slack would show them. Channels are names (`lunch` or
 * `#lunch`) or IDs; `@lunch`, the app's name, means this person's direct messages with it, and `home` the App
 * Home.
 *
 * Methods that use something wait until it is there, and reject with `NotThere` otherwise. A refusal by the app
 * or Slack does not reject: it resolves as `{ ok: false, error }`, with the sentence that the person reads.
 */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** Types a line: a message, or a slash command if it begins with `/`. Resolves when the app has acknowledged a command, or Slack has given up. */
  type(channel: string, line: string, options?: TypedWith): Promise<Acted>;
  /**
   * Presses the newest button with this label: in the open modal, else in the channel, its threads and ephemeral messages. The
   * lines of an overflow menu count as buttons. A `confirm` dialog is agreed to.
   */
  press(channel: string, label: string): Promise<Acted>;
  /** Chooses in the newest menu, radio buttons or checkboxes of the channel with this label or placeholder. */
  choose(channel: string, label: string, option: string | readonly string[]): Promise<Acted>;
  /**
   * Fills in fields of the open modal by their labels, one after the other; `''` and `[]` empty a field. Menus take the words of
   * an option, dates `2026-10-31`, times `14:05`, pickers of people and channels their names, files `{ name, content }`.
   * Rejects with `NoSuchOption` for what a menu does not offer, and with a TypeError for a value of another kind.
   */
  fill(values: Readonly<Record<string, Said>>): Promise<void>;
  /** The options that a menu of the open modal offers for a text; asks the app if the menu does. */
  search(label: string, text: string): Promise<readonly string[]>;
  /** Sends the open modal. What the app or Slack finds wrong with it is then in `form().errors`. */
  submit(): Promise<Acted>;
  dismiss(): Promise<Acted>;
  /** Runs a message shortcut, by its name, on the newest message of the channel that is not ephemeral, or on the one with this `ts`. */
  shortcut(channel: string, name: string, ts?: string): Promise<Acted>;
  globalShortcut(name: string): Promise<Acted>;
  openHome(): Promise<Acted>;
  /**
   * Reacts with an emoji, by its name (`eyes`), to the newest message of the channel that is not ephemeral, or to the one with
   * this `ts`; the same emoji once more takes it away.
   */
  react(channel: string, emoji: string, ts?: string): Promise<Acted>;
  /** Writes a message of one's own anew. */
  edit(channel: string, ts: string, text: string): Promise<Acted>;
  /** Adds somebody to a channel, by name; the app by its own. */
  invite(channel: string, name: string): Promise<Acted>;
  /** Takes somebody out of a channel, by name; oneself to leave. */
  remove(channel: string, name: string): Promise<Acted>;

  /** The channel as it reads now: who wrote when, blocks as plain text, replies below what they reply to. */
  read(channel: string): string;
  /** The messages of the channel now, its threads and ephemeral messages included, oldest first. */
  messages(channel: string): readonly Message[];
  /** The open modal; undefined when there is none. */
  form(): Form | undefined;
  /** The App Home; undefined before the app has published one. */
  home(): Home | undefined;
  /** The content of the newest file with this name in the channel or its threads. @throws NotThere */
  file(channel: string, name: string): Uint8Array;

  /** Waits for a message in the channel that holds this text or fits this pattern; resolves to the newest. */
  sees(channel: string, text: string | RegExp, wait?: Wait): Promise<Message>;
  /** Waits for a modal, with this title where one is given. */
  seesForm(title?: string | RegExp, wait?: Wait): Promise<Form>;
  /** Waits for an App Home that holds this text or fits this pattern. */
  seesHome(text: string | RegExp, wait?: Wait): Promise<Home>;
}

/** @throws Error if nobody has this name */
export function patientPerson(
  inside: Inside,
  names: Names,
  name: string,
  patienceMs: number,
  now: () => number,
): Person {
  const who = names.person(name);
  const as = who.id;
  // Acts do not wait for a result: a test that needs one waits for it by name.
  const hands = personIn(inside, { idle: async () => undefined }, as);
  const see = () => inside.snapshot(as);
  const place = (channel: string) => (channel === 'home' ? channel : names.place(channel, as));
  const read = (channel: string) => said(see(), place(channel), now());
  const messages = (channel: string) => {
    const id = place(channel);
    const seen = see();
    return messagesOf(
      { ...seen, messages: seen.messages.filter((message) => message.channel === id) },
      now(),
    );
  };
  const home = (): Home | undefined => {
    const seen = see();
    const reading = readingOf(seen, { now: now() });
    return seen.home === null
      ? undefined
      : { text: blockLines(seen.home.blocks, reading).join('\n'), blocks: seen.home.blocks };
  };
  /** The visible content, to explain a failed test. */
  const inSight = (channel: string | undefined): string => {
    const form = hands.form();
    const modal = form === undefined ? [] : [`the form "${form.title}"`];
    const around =
      channel === undefined
        ? inside.channels.map(({ id }) => said(see(), id, now())).filter((text) => text !== '')
        : [channel === 'home' ? (home()?.text ?? '') : read(channel)].filter((text) => text !== '');
    const seen = [...modal, ...around];
    return seen.length === 0
      ? `${who.name} sees nothing there.`
      : `${who.name} sees:\n\n${seen.join('\n\n')}`;
  };
  /** Retries until the thing is there. The tried function must check everything before it acts. */
  async function once<Result>(
    attempt: () => Result | Promise<Result>,
    channel?: string,
    timeoutMs = patienceMs,
  ): Promise<Result> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const change = nextChange(inside);
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof NotThere || error instanceof NoSuchButton)) throw error;
        const left = until - performance.now();
        if (left <= 0)
          throw new NotThere(`${error.message} Waited ${timeoutMs} ms. ${inSight(channel)}`, {
            cause: error,
          });
        await change.within(left);
      } finally {
        change.forget();
      }
    }
  }
  const missing = (what: string): never => {
    throw new NotThere(what);
  };
  const act = (given: Parameters<Inside['act']>[0]) => inside.act(given);
  const upload = ({ name: called, content }: GivenFile): string => {
    const uploaded = inside.upload(as, called, typeof content === 'string' ? Buffer.from(content) : content);
    if (!uploaded.ok) throw new TypeError(uploaded.error);
    return uploaded.file.id;
  };

  return {
    id: as,
    name: who.name,
    type: async (channel, line, { thread, files = [], ...unknown } = {}) => {
      mustKnow('Typing has no option', unknown, ['thread', 'files']);
      return act({
        ...{ act: 'type', as, channel: place(channel), text: line, files: files.map(upload) },
        ...(thread !== undefined && { thread_ts: thread }),
      });
    },
    press: (channel, label) => once(() => hands.press(channel, label), channel),
    choose: (channel, label, option) => once(() => hands.choose(channel, label, option), channel),
    fill: async (values) => {
      for (const [label, value] of Object.entries(values)) await once(() => hands.fill({ [label]: value }));
    },
    search: (label, text) => once(() => hands.search(label, text)),
    submit: () => once(() => hands.submit()),
    dismiss: () => once(() => hands.dismiss()),
    shortcut: (channel, shortcut, ts) => once(() => hands.shortcut(channel, shortcut, ts), channel),
    globalShortcut: (shortcut) => once(() => hands.globalShortcut(shortcut)),
    openHome: () => hands.openHome(),
    react: (channel, emoji, given) =>
      once(() => {
        const found = messages(channel).findLast(
          ({ ts, isEphemeral }) => !isEphemeral && (given === undefined || ts === given),
        );
        const { ts } = found ?? missing(`There is no such message in ${channel}.`);
        return act({ act: 'react', as, channel: place(channel), ts, emoji });
      }, channel),
    edit: async (channel, ts, text) => act({ act: 'edit', as, channel: place(channel), ts, text }),
    invite: async (channel, user) =>
      act({ act: 'invite', as, channel: place(channel), user: names.anybody(user).id }),
    remove: async (channel, user) =>
      act({ act: 'remove', as, channel: place(channel), user: names.anybody(user).id }),
    read,
    messages,
    form: () => hands.form(),
    home,
    file: (channel, called) => hands.file(channel, called),
    sees: (channel, text, wait) =>
      once(
        () =>
          messages(channel).findLast((message) => fits(message.text, text)) ??
          missing(`${who.name} sees no message with ${shown(text)} in ${channel}.`),
        channel,
        wait?.timeoutMs,
      ),
    seesForm: (title, wait) =>
      once(
        () => {
          const form = hands.form();
          if (form !== undefined && (title === undefined || fits(form.title, title))) return form;
          return missing(`${who.name} sees no form${title === undefined ? '' : ` ${shown(title)}`}.`);
        },
        undefined,
        wait?.timeoutMs,
      ),
    seesHome: (text, wait) =>
      once(
        () => {
          const now = home();
          if (now !== undefined && fits(now.text, text)) return now;
          return missing(`${who.name} sees no App Home with ${shown(text)}.`);
        },
        'home',
        wait?.timeoutMs,
      ),
  };
}

const fits = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text.includes(wanted) : text.search(wanted) >= 0;

const shown = (wanted: string | RegExp): string =>
  typeof wanted === 'string' ? `"${wanted}"` : String(wanted);

/** The next thing that happens in the workspace, from now on. */
function nextChange(inside: Inside): { within(ms: number): Promise<void>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = inside.onChange(() => resolve());
  return {
    async within(ms) {
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
    },
    forget: stop,
  };
}
