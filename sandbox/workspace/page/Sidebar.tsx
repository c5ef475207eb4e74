import { Avatar } from './Avatar.tsx';
import { AnchorIcon, HashIcon, ReplyIcon } from './icons.tsx';
import { Switcher } from './Switcher.tsx';
import type { Unread } from './unread.ts';
import { isDirect, personOf, useMessages, useWorkspace } from './workspace.ts';

interface Props {
  readonly where: string;
  readonly unread: Readonly<Record<string, Unread>>;
  readonly onGo: (where: string) => void;
  readonly onSwitch: (person: string) => void;
}

export function Sidebar({ where, unread, onGo, onSwitch }: Props) {
  const { directory } = useWorkspace();
  const { app, team, channels } = directory;
  const bot = personOf(directory, app.botUser);
  // A direct conversation exists as soon as the App Home was open. The sidebar lists it where people may write, or after
  // its first message.
  const spoken = new Set(useMessages().map((message) => message.channel));
  const shown = channels.filter(
    (channel) => !isDirect(channel) || !channel.isReadOnly || spoken.has(channel.id),
  );
  return (
    <nav className="sidebar" aria-label={team.name}>
      <header className="team">
        <span className="team-mark">
          <AnchorIcon />
        </span>
        <p>{team.name}</p>
      </header>
      <div className="sidebar-lists">
        <h2 id="channels-heading">Channels</h2>
        <ul aria-labelledby="channels-heading">
          {shown.map((channel) => {
            const news = unread[channel.id];
            return (
              <li key={channel.id}>
                <button
                  type="button"
                  className={`sidebar-entry${news ? ' sidebar-unread' : ''}`}
                  aria-current={where === channel.id ? 'page' : undefined}
                  onClick={() => onGo(channel.id)}
                >
                  {isDirect(channel) ? <ReplyIcon /> : <HashIcon />}
                  <span className="sidebar-name">{channel.name}</span>
                  {news && <span className="visually-hidden">, unread</span>}
                  {news && news.mentions > 0 && <span className="badge">{news.mentions}</span>}
                </button>
              </li>
            );
          })}
        </ul>
        <h2 id="apps-heading">Apps</h2>
        <ul aria-labelledby="apps-heading">
          <li>
            <button
              type="button"
              className="sidebar-entry"
              aria-current={where === 'home' ? 'page' : undefined}
              onClick={() => onGo('home')}
            >
              <Avatar person={{ ...bot, isBot: true }} size={20} />
              <span className="sidebar-name">{app.name}</span>
              <span className={`presence${app.connected ? ' presence-on' : ''}`} aria-hidden="true" />
            </button>
          </li>
        </ul>
      </div>
      <Switcher onSwitch={onSwitch} />
    </nav>
  );
}
