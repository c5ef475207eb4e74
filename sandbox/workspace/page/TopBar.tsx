import { ApplianceIcon, MenuIcon } from './icons.tsx';
import { useWorkspace } from './workspace.ts';

interface Props {
  readonly live: boolean;
  readonly menuOpen: boolean;
  readonly onMenu: () => void;
  /** The panel of the simulated appliance; undefined where there is none. */
  readonly appliance: { readonly open: boolean; readonly faults: number } | undefined;
  readonly onAppliance: () => void;
}

/** Says where you are: in a sandbox; and when something is missing, what. */
export function TopBar({ live, menuOpen, onMenu, appliance, onAppliance }: Props) {
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
      <span className="topbar-end">
        <span className="trouble" role="status">
          {trouble && <span>{trouble}</span>}
        </span>
        {appliance && (
          <button
            type="button"
            className="appliance-button"
            aria-expanded={appliance.open}
            onClick={onAppliance}
          >
            <ApplianceIcon />
            <span className="appliance-button-name">Appliance</span>
            {appliance.faults > 0 && (
              <span className="badge badge-amber">
                {appliance.faults}
                <span className="visually-hidden">
                  {appliance.faults === 1 ? ' misbehaviour' : ' misbehaviours'}
                </span>
              </span>
            )}
          </button>
        )}
      </span>
    </div>
  );
}
