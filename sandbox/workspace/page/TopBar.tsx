import { ApplianceIcon, BoltIcon, HashIcon, MenuIcon } from './icons.tsx';
import type { Place } from './place.ts';
import { useWorkspace } from './workspace.ts';

interface Props {
  /** Where the reader is, for those who hear it. */
  readonly heading: string;
  readonly live: boolean;
  readonly menuOpen: boolean;
  readonly onMenu: () => void;
  /** The one that is open. */
  readonly panel: Place['panel'];
  /** How much goes wrong on purpose, or runs; undefined for a panel that there is not. */
  readonly counts: Readonly<Record<PanelName, number | undefined>>;
  readonly onPanel: (name: PanelName) => void;
}

type PanelName = NonNullable<Place['panel']>;

const panels = [
  { name: 'steps', title: 'Steps', Icon: BoltIcon, noun: 'running step' },
  { name: 'slack', title: 'Slack', Icon: HashIcon, noun: 'trouble' },
  { name: 'appliance', title: 'Appliance', Icon: ApplianceIcon, noun: 'misbehaviour' },
] as const;

/** Says where you are: in a sandbox; and when something is missing, what. */
export function TopBar({ heading, live, menuOpen, onMenu, panel, counts, onPanel }: Props) {
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
      <span className="sandbox-note">Sandbox – nothing here leaves this machine</span>
      <span className="topbar-end">
        <span className="trouble" role="status">
          {trouble && <span>{trouble}</span>}
        </span>
        {panels.map(({ name, title, Icon, noun }) => {
          const count = counts[name];
          return (
            count !== undefined && (
              <button
                key={name}
                type="button"
                className="panel-button"
                aria-expanded={panel === name}
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
            )
          );
        })}
      </span>
    </header>
  );
}
