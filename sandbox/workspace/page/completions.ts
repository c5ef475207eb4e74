import type { Directory } from './workspace.ts';

interface Completion {
  /** The whole text, once it is taken. */
  readonly text: string;
  readonly name: string;
  /** Words that may follow the name. */
  readonly usage: string;
  readonly says: string;
}

export interface Completions {
  readonly title: string;
  readonly heading: string;
  readonly offered: readonly Completion[];
}

const most = 8;

/** Completions of a text's end: a slash command that begins it, or the name of somebody after an @, the app first. */
export function completionsOf(text: string, { app, commands, people }: Directory): Completions {
  const name = /(?:^|\s)@([\w.-]*)$/.exec(text)?.[1];
  if (name !== undefined) {
    const before = text.slice(0, text.length - name.length);
    const fitting = people.filter((person) => person.name.startsWith(name.toLowerCase()));
    const [bot, others] = [
      fitting.filter(({ id }) => id === app.botUser),
      fitting.filter(({ id }) => id !== app.botUser),
    ];
    return {
      title: 'People',
      heading: 'People and apps',
      offered: [...bot, ...others].slice(0, most).map((person) => ({
        text: before + person.name,
        name: `@${person.name}`,
        usage: '',
        says: person.realName,
      })),
    };
  }
  const fitting = /^\/\S*$/.test(text)
    ? commands.filter(({ command }) => command.startsWith(text.toLowerCase()))
    : [];
  return {
    title: 'Slash commands',
    heading: `Commands of ${app.name}`,
    offered: fitting.map(({ command, usage_hint, description }) => ({
      text: command,
      name: command,
      usage: usage_hint,
      says: description,
    })),
  };
}
