import { MenuIcon } from './icons.tsx';
import { useWorkspace } from './workspace.ts';

interface Props {
  readonly live: boolean;
  readonly menuOpen: boolean;
  readonly onMenu: () => void;
}

/** Says where you are: in a sandbox; and when something is missing, what. */
export function TopBar({ live, menuOpen, onMenu }: Props) {
  const { directory } = useWorkspace();
  const trouble = !live
    ? 'Connection lost – reconnecting…'
    : directory.app.connected
      ? undefined
      : 'bot not connected';
  return (
    <div className="topbar">
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
      <span className="trouble" role="status">
        {trouble && <span>{trouble}</span>}
      </span>
    </div>
  );
}
