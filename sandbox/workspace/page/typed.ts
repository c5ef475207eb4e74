import { unescaped } from './blocks/mrkdwn.ts';
import { channelOf, type Directory, personOf } from './workspace.ts';

/** A message's text as its author may have typed it: Slack's links become words again, for editing. */
export const typed = (text: string, directory: Directory): string =>
  unescaped(
    text.replace(/<([^<>\s|]+)(?:\|([^<>]*))?>/g, (whole, target: string, label?: string) => {
      const id = target.slice(1);
      if (target.startsWith('@')) return `@${personOf(directory, id).name}`;
      if (target.startsWith('#')) return `#${channelOf(directory, id)?.name ?? label ?? id}`;
      const group = directory.groups[target.replace('!subteam^', '')];
      if (group) return `@${group}`;
      return target.startsWith('!') ? whole : label || target;
    }),
  );
