import { useRef } from 'react';
import type { Snapshot } from '../protocol.ts';
import { Avatar } from './Avatar.tsx';
import { Blocks } from './blocks/Blocks.tsx';
import { SurfaceProvider, useEntered } from './blocks/surface.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { personOf, useWorkspace } from './workspace.ts';

/** The bot's App Home, as it was published for the viewer. */
export function Home({ home }: { readonly home: Snapshot['home'] }) {
  const { directory } = useWorkspace();
  const { app } = directory;
  const entered = useEntered();
  const body = useRef<HTMLDivElement>(null);
  useKeptFocus(body);
  const bot = personOf(directory, app.botUser);
  return (
    <section className="channel home" aria-label={`${app.name} Home`}>
      <header className="pane-head">
        <Avatar person={{ ...bot, isBot: true }} size={28} />
        <h2>{app.name}</h2>
        <span className="app-badge">APP</span>
      </header>
      <div className="tabs">
        <span className="tab-current">Home</span>
      </div>
      <div className="home-body" ref={body} tabIndex={-1}>
        {home ? (
          <SurfaceProvider container={{ kind: 'home' }} blocks={home.blocks} entered={entered}>
            <Blocks blocks={home.blocks} />
          </SurfaceProvider>
        ) : (
          <p className="home-empty">
            {app.connected
              ? `${app.name} has not published a Home tab for you yet.`
              : `${app.name} is not connected, so there is no Home tab yet.`}
          </p>
        )}
      </div>
    </section>
  );
}
