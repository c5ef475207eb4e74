import type { ComponentType } from 'react';
import { MenuIcon } from './icons.tsx';
import { useWorkspace } from './workspace.ts';

interface Props {
  /** The reader's place, for screen readers. */
  readonly heading: string;
  readonly live: boolean;
  readonly menuOpen: boolean;
  readonly onMenu: () => void;
  readonly panels: readonly PanelButton[];
  /** The name of the one that is open. */
  readonly open: string | undefined;
  readonly onPanel: (name: string) => void;
}

interface PanelButton {
  readonly name: string;
  readonly title: string;
  readonly Icon: ComponentType;
  /** How much goes wrong on purpose, or runs, and what that is. */
  readonly count: number;
  readonly noun: string;
}

/** Says where you are: not in Slack; and when something is missing, what. */
export function TopBar({ heading, live, menuOpen, onMenu, panels, open, onPanel }: Props) {
  const { directory } = useWorkspace();
  const trouble = !live
    ? 'Connection lost – reconnecting…'
    : directory.app.connected
      ? undefined
      : 'bot not connected';
  return (
    <header className="topbar">
      <h1 className="visually-hidden">{heading}</h1>
      <button
        type="button"
        className="menu-button"
        aria-label="Channels and people"
        aria-expanded={menuOpen}
        onClick={onMenu}
      >
        <MenuIcon />
      </button>
      <span className="sandbox-note">
        This is not Slack
        <span className="sandbox-note-more"> – nothing here leaves this machine</span>
      </span>
      <span className="topbar-end">
        <span className="trouble" role="status">
          {trouble && <span>{trouble}</span>}
        </span>
        {panels.map(({ name, title, Icon, count, noun }) => (
          <button
            key={name}
            type="button"
            className="panel-button"
            aria-expanded={open === name}
            onClick={() => onPanel(name)}
          >
            <Icon />
            <span className="panel-button-name">{title}</span>
            {count > 0 && (
              <span className="badge badge-amber">
                {count}
                <span className="visually-hidden">
                  {' '}
                  {noun}
                  {count === 1 ? '' : 's'}
                </span>
              </span>
            )}
          </button>
        ))}
      </span>
    </header>
  );
}
