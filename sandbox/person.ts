import { allBlocks } from './workspace/attachment.ts';
import type { Act, Acted, Block, Message, OpenView, SharedFile, Snapshot } from './workspace/protocol.ts';
import { type Form, fieldsOf, formIn } from './workspace/seen/form.ts';
import { flatOptions, type Option, optionsOf, type Usable, usablesOf } from './workspace/seen/usables.ts';
import { type Around, type GivenFile, type Said, valueFor } from './workspace/seen/values.ts';
import type { Workspace } from './workspace/workspace.ts';

export { type GivenFile, NoSuchOption } from './workspace/seen/values.ts';

/** The person sees no such button. */
export class NoSuchButton extends Error {
  override readonly name = 'NoSuchButton';
}

/** The person does not see such a form, field, message, file or shortcut. */
export class NotThere extends Error {
  override readonly name = 'NotThere';
}

/**
 * Somebody at the keyboard: types lines, presses buttons, fills in forms, posts files, and waits until the bot is idle.
 * Channels are names or IDs, and the app's name stands for this person's direct messages with it. Refusals of the app or
 * Slack resolve as `{ ok: false, error }`; impossible acts reject.
 */
export interface Person {
  /** Types a line into a channel. */
  readonly type: (channel: string, line: string) => Promise<Acted>;
  /**
   * Presses the newest button with this label that the person can see. The order is the open modal, the channel, its
   * threads and ephemeral messages; `home` is the App Home. The lines of an overflow menu count as buttons. Rejects with
   * NoSuchButton.
   */
  readonly press: (channel: string, label: string) => Promise<Acted>;
  /**
   * Chooses in the newest select, radio buttons or checkboxes of the channel that has this placeholder or label.
   * Rejects with NotThere, or with NoSuchOption when it does not offer that.
   */
  readonly choose: (channel: string, label: string, option: string | readonly string[]) => Promise<Acted>;
  /** Runs a message shortcut, by its name, on the newest message of the channel that is not ephemeral, or on the given one. */
  readonly shortcut: (channel: string, name: string, messageTs?: string) => Promise<Acted>;
  /** Runs a global shortcut, by its name. */
  readonly globalShortcut: (name: string) => Promise<Acted>;
  /** Opens the App Home. */
  readonly openHome: () => Promise<Acted>;
  /** Posts a message with a file. */
  readonly attach: (channel: string, text: string, file: GivenFile) => Promise<Acted>;
  /** The content of the newest file of this name in the channel or its threads; throws NotThere. */
  readonly file: (channel: string, name: string) => Buffer;
  /** The open modal; undefined when none is open. */
  readonly form: () => Form | undefined;
  /**
   * Fills in fields of the open modal by their labels, one after the other; '' and [] empty a field. External selects search
   * for the text and take the option that matches. Rejects with NotThere, NoSuchOption, or TypeError for a value of another kind.
   */
  readonly fill: (values: Readonly<Record<string, Said>>) => Promise<void>;
  /** The choices of a select in the open modal for a text. */
  readonly search: (label: string, query: string) => Promise<readonly string[]>;
  /** Sends the open modal; its errors are then in `form().errors`. */
  readonly submit: () => Promise<Acted>;
  /** Closes the open modal. */
  readonly dismiss: () => Promise<Acted>;
}

type Container = Extract<Act, { act: 'use' }>['container'];

/** Blocks before somebody's eyes, and how an act names the place. */
interface Surface {
  readonly container: Container;
  readonly blocks: readonly Block[];
}

interface Found {
  readonly container: Container;
  readonly usable: Usable;
}

/** `name` and the channels are names as people say them, or IDs. @throws when there is nobody or nothing of that name */
export function personIn(
  workspace: Workspace,
  bot: { readonly idle: () => Promise<void> },
  name: string,
): Person {
  const who = workspace.people.find((person) => person.name === name || person.id === name);
  if (who === undefined)
    throw new Error(
      `There is no ${name} here. Try one of ${workspace.people
        .filter((person) => !person.isBot)
        .map((person) => person.name)
        .join(', ')}.`,
    );
  const as = who.id;
  const see = () => workspace.snapshot(as);

  const act = async (given: Act): Promise<Acted> => {
    const acted = await workspace.act(given);
    await bot.idle();
    return acted;
  };
  const use = ({ container, usable }: Found, value: Readonly<Record<string, unknown>>) => {
    const { blockId, actionId, element } = usable;
    const state =
      Object.keys(value).length > 0 ? { [blockId]: { [actionId]: { type: element.type, ...value } } } : {};
    return act({ act: 'use', as, container, block_id: blockId, action_id: actionId, value, state });
  };
  const upload = (file: GivenFile): string => {
    const content = typeof file.content === 'string' ? Buffer.from(file.content) : file.content;
    const uploaded = workspace.upload(as, file.name, content);
    if (!uploaded.ok) throw new TypeError(uploaded.error);
    return uploaded.file.id;
  };
  const searchIn = async ({ container, usable }: Found, query: string): Promise<readonly Option[]> => {
    if (container.kind === 'home') return [];
    const { blockId: block_id, actionId: action_id } = usable;
    const acted = await act({ act: 'suggest', as, container, block_id, action_id, query });
    return acted.ok ? flatOptions(acted.options ?? []) : [];
  };
  const around = (found: Found): Around => ({
    snapshot: see(),
    search: (query) => searchIn(found, query),
    upload,
  });
  const open = (): OpenView => {
    const view = see().views.at(-1);
    if (view === undefined) throw new NotThere(`There is no form before ${who.name}.`);
    return view;
  };
  const field = (label: string): Found => {
    const view = open();
    const usable = fieldsOf(view).find(({ names }) => names.includes(label));
    if (usable !== undefined) return { container: { kind: 'view', id: view.id }, usable };
    const labels = fieldsOf(view).map(({ names }) => `"${names[0]}"`);
    throw new NotThere(`The form has no field "${label}". It has ${labels.join(', ') || 'none'}.`);
  };
  const messagesIn = (channel: string): readonly Message[] => {
    const place = channelId(workspace, as, channel);
    return see().messages.filter((message) => message.channel === place);
  };
  /** Newest first. */
  const surfacesIn = (channel: string): readonly Surface[] => {
    if (channel === 'home') return [{ container: { kind: 'home' }, blocks: see().home?.blocks ?? [] }];
    return messagesIn(channel)
      .toReversed()
      .map((message) => ({
        container: { kind: 'message', channel: message.channel, ts: message.ts },
        blocks: allBlocks(message),
      }));
  };

  return {
    type: async (channel, line) =>
      act({ act: 'type', as, channel: channelId(workspace, as, channel), text: line }),
    press: async (channel, label) => {
      const modal = see().views.at(-1);
      const before: Surface[] =
        modal === undefined ? [] : [{ container: { kind: 'view', id: modal.id }, blocks: modal.view.blocks }];
      for (const surface of [...before, ...surfacesIn(channel)]) {
        for (const found of usablesIn(surface)) {
          const value = pressValue(found.usable, label);
          if (value !== undefined) return use(found, value);
        }
      }
      const where = channel === 'home' ? 'the App Home' : `#${channel.replace(/^#/, '')}`;
      throw new NoSuchButton(`${who.name} sees no button "${label}" in ${where}.`);
    },
    choose: async (channel, label, option) => {
      const found = surfacesIn(channel)
        .flatMap(usablesIn)
        .find(({ usable }) => usable.element.type !== 'button' && usable.names.includes(label));
      if (found === undefined) throw new NotThere(`${who.name} sees no "${label}" to choose from.`);
      return use(found, await valueFor(found.usable, option, around(found)));
    },
    shortcut: async (channel, shortcutName, messageTs) => {
      const { callback_id } = shortcutIn(see().shortcuts, 'message', shortcutName);
      const message = messagesIn(channel).findLast(
        (one) => one.ephemeral_to === undefined && (messageTs === undefined || one.ts === messageTs),
      );
      if (message === undefined) throw new NotThere(`There is no such message in ${channel}.`);
      return act({ act: 'shortcut', as, callback_id, channel: message.channel, ts: message.ts });
    },
    globalShortcut: async (shortcutName) => {
      const { callback_id } = shortcutIn(see().globalShortcuts, 'global', shortcutName);
      return act({ act: 'global_shortcut', as, callback_id });
    },
    openHome: async () => act({ act: 'open_home', as }),
    attach: async (channel, text, file) => {
      const place = channelId(workspace, as, channel);
      return act({ act: 'type', as, channel: place, text, files: [upload(file)] });
    },
    file: (channel, fileName) => {
      const files = messagesIn(channel).flatMap(({ files: held = [] }): readonly SharedFile[] => held);
      const found = files.findLast((file) => file.name === fileName);
      const content = found && workspace.fileContent(as, found.id);
      if (content !== undefined) return content;
      const names = files.map((file) => file.name).join(', ');
      throw new NotThere(`${who.name} sees no file ${fileName} in ${channel}. There is ${names || 'none'}.`);
    },
    form: () => formIn(see()),
    fill: async (values) => {
      for (const [label, said] of Object.entries(values)) {
        // Found anew each time: a field that tells at once may have changed the form.
        const found = field(label);
        const { usable, container } = found;
        const value = await valueFor(usable, said, around(found));
        if (usable.tellsAtOnce) await use(found, value);
        else if (container.kind === 'view') {
          const state = { [usable.blockId]: { [usable.actionId]: { type: usable.element.type, ...value } } };
          await workspace.act({ act: 'enter', as, view: container.id, state });
        }
      }
    },
    search: async (label, query) => {
      const found = field(label);
      const isExternal = found.usable.element.type.endsWith('external_select');
      const wanted = query.toLowerCase();
      const options = isExternal
        ? await searchIn(found, query)
        : optionsOf(found.usable).filter(({ text }) => text.text.toLowerCase().includes(wanted));
      return options.map(({ text }) => text.text);
    },
    submit: async () => {
      const { id, view } = open();
      if (view.submit === undefined) throw new NoSuchButton('The form has no button that sends it.');
      return act({ act: 'submit', as, view: id, state: {} });
    },
    dismiss: async () => act({ act: 'close', as, view: open().id }),
  };
}

function shortcutIn(
  shortcuts: Snapshot['shortcuts'],
  kind: string,
  name: string,
): Snapshot['shortcuts'][number] {
  const known = shortcuts.find((one) => one.name === name || one.callback_id === name);
  if (known !== undefined) return known;
  const names = shortcuts.map((one) => `"${one.name}"`).join(', ');
  throw new NotThere(`There is no ${kind} shortcut "${name}". There is ${names || 'none'}.`);
}

function channelId(workspace: Workspace, as: string, name: string): string {
  const wanted = name.replace(/^#/, '');
  const app = workspace.people.find(({ id }) => id === workspace.botUserId);
  const channels = workspace.channels.filter(({ isIm }) => !isIm);
  const found =
    channels.find((channel) => channel.name === wanted) ?? workspace.channels.find(({ id }) => id === wanted);
  if (found !== undefined) return found.id;
  if (wanted.replace(/^@/, '') === app?.name) return workspace.direct(as).id;
  const names = channels.map((channel) => channel.name).join(', ');
  throw new Error(`There is no channel ${name} here. Try one of ${names}.`);
}

function usablesIn({ container, blocks }: Surface): Found[] {
  return usablesOf(blocks).map((usable) => ({ container, usable }));
}

/**
 * The value of a press on the label: empty for a button, the option for a line of an overflow menu; undefined when it is
 * neither.
 */
function pressValue(usable: Usable, label: string): Readonly<Record<string, unknown>> | undefined {
  const { type } = usable.element;
  if (type === 'button' || type === 'workflow_button') return usable.names[0] === label ? {} : undefined;
  if (type !== 'overflow') return undefined;
  const option = optionsOf(usable).find(({ text }) => text.text === label);
  return option && { selected_option: option };
}
