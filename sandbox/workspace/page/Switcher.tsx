import { Avatar } from './Avatar.tsx';
import { CaretIcon, CheckIcon } from './icons.tsx';
import { Menu } from './Menu.tsx';
import { personOf, useWorkspace } from './workspace.ts';

/** The viewing person, and everyone the reader can switch to. */
export function Switcher({ onSwitch }: { readonly onSwitch: (person: string) => void }) {
  const { directory } = useWorkspace();
  const viewer = personOf(directory, directory.viewer);
  return (
    <div className="switcher">
      <Menu
        className="switcher-button"
        heading="Look at the workspace as"
        trigger={
          <>
            <Avatar person={viewer} size={34} />
            <span className="switcher-who">
              <span className="switcher-name">You are {viewer.name}</span>
              <span className="switcher-title">
                {viewer.title}
                {viewer.isGuest && <span className="guest">Guest</span>}
              </span>
            </span>
            <CaretIcon />
          </>
        }
        items={directory.people
          .filter((person) => !person.isBot)
          .map((person) => ({
            key: person.id,
            checked: person.id === viewer.id,
            onSelect: () => onSwitch(person.id),
            content: (
              <>
                <Avatar person={person} size={32} />
                <span className="switcher-who">
                  <span className="switcher-name">
                    {person.name}
                    {person.isGuest && <span className="guest">Guest</span>}
                  </span>
                  <span className="switcher-title">{person.title}</span>
                </span>
                {person.id === viewer.id && <CheckIcon />}
              </>
            ),
          }))}
      />
    </div>
  );
}
