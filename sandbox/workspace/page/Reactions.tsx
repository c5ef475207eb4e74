import type { Message } from '../protocol.ts';
import { Emoji } from './blocks/Emoji.tsx';
import { SmileIcon } from './icons.tsx';
import { Menu } from './Menu.tsx';
import { nameOf, useWorkspace } from './workspace.ts';

/** Emoji to choose from; other emoji of apps are shown by their names. */
const offered: Readonly<Record<string, string>> = {
  '+1': '👍',
  eyes: '👀',
  white_check_mark: '✅',
  x: '❌',
  heart: '❤️',
  tada: '🎉',
};

/** The emoji under a message. Pressing one adds oneself to it, or takes oneself away. */
export function Reactions({ message: { channel, ts, reactions = [] } }: { readonly message: Message }) {
  const { directory, act } = useWorkspace();
  return (
    <fieldset className="reactions" aria-label="Reactions">
      {reactions.map(({ name, users }) => {
        const who = users.map((user) => nameOf(directory, user)).join(', ');
        return (
          <button
            key={name}
            type="button"
            className="reaction"
            aria-pressed={users.includes(directory.viewer)}
            aria-label={`${name.replaceAll('_', ' ')}, ${who}`}
            title={who}
            onClick={() => void act({ act: 'react', channel, ts, emoji: name })}
          >
            <Emoji name={name} unicode={offered[name] ?? ''} /> {users.length}
          </button>
        );
      })}
    </fieldset>
  );
}

export function ReactionMenu({ message: { channel, ts } }: { readonly message: Message }) {
  const { act } = useWorkspace();
  const items = Object.entries(offered).map(([name, unicode]) => ({
    key: name,
    content: (
      <>
        <Emoji name={name} unicode={unicode} /> {name}
      </>
    ),
    onSelect: () => void act({ act: 'react', channel, ts, emoji: name }),
  }));
  return <Menu label="Add a reaction" trigger={<SmileIcon />} items={items} />;
}
