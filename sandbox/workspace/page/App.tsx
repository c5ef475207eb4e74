import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Act, Snapshot } from '../protocol.ts';
import type { BesidePanel } from './beside.ts';
import type { ConfirmObject } from './blocks/elements.ts';
import { Channel } from './Channel.tsx';
import { Confirm } from './Confirm.tsx';
import { type Feed, send, upload, useFeed } from './connection.ts';
import { Home } from './Home.tsx';
import { BoltIcon, HashIcon } from './icons.tsx';
import { Modal } from './Modal.tsx';
import { Notice } from './Notice.tsx';
import { type Place, usePlace } from './place.ts';
import { Sidebar } from './Sidebar.tsx';
import { SlackPanel } from './slack/SlackPanel.tsx';
import { troublesOf } from './slack/troubles.ts';
import { StepsPanel } from './steps/StepsPanel.tsx';
import { Thread } from './Thread.tsx';
import { TopBar } from './TopBar.tsx';
import { useTheme } from './theme.ts';
import { useUnread } from './unread.ts';
import { MessagesContext, titleOf, type Unsigned, type Workspace, WorkspaceContext } from './workspace.ts';

export function App({ beside }: { readonly beside?: BesidePanel }) {
  const [place, go] = usePlace();
  const feed = useFeed(place.viewer, beside?.name);
  const { snapshot, live } = feed;
  if (!snapshot)
    return (
      <div className="waiting" role="status">
        {live
          ? 'Opening the workspace…'
          : 'Waiting for the sandbox. Does the address name a person (?as=U…)?'}
      </div>
    );
  return <Office beside={beside} feed={feed} snapshot={snapshot} place={place} go={go} />;
}

interface OfficeProps {
  readonly beside: BesidePanel | undefined;
  readonly feed: Feed;
  readonly snapshot: Snapshot;
  readonly place: Place;
  readonly go: (change: Partial<Place>) => void;
}

const stepsButton = { name: 'steps', title: 'Steps', Icon: BoltIcon, noun: 'running step' };
const slackButton = { name: 'slack', title: 'Slack', Icon: HashIcon, noun: 'trouble' };

/** On narrow screens the panel replaces everything but the sidebar; see panel.css. */
const narrow = matchMedia('(max-width: 960px)');

function Office({ beside, feed, snapshot, place, go }: OfficeProps) {
  const { live, catalogue, slack } = feed;
  const hasBeside = beside !== undefined && catalogue !== undefined && feed.beside !== undefined;
  const theme = useTheme();
  const [notice, setNotice] = useState<string>();
  const [question, setQuestion] = useState<{ asked: ConfirmObject; answer: (yes: boolean) => void }>();
  const [menuOpen, setMenuOpen] = useState(false);

  const where = place.where || (snapshot.channels[0]?.id ?? '');
  const unread = useUnread(snapshot, where);
  const channel = snapshot.channels.find((one) => one.id === where);
  const { viewer } = snapshot;

  const act = useCallback(
    async (unsigned: Unsigned) => {
      // `Unsigned` is `Act` without `as`, member by member; with it, it is an `Act` again.
      const answer = await send({ ...unsigned, as: viewer } as Act);
      if (!answer.ok) setNotice(answer.error);
      else if (unsigned.act !== 'suggest') setNotice(undefined);
      return answer;
    },
    [viewer],
  );
  const { team, app, people, groups, channels, commands, shortcuts, globalShortcuts, details, steps, runs } =
    snapshot;
  const workspace = useMemo(
    (): Workspace => ({
      directory: {
        team,
        viewer,
        app,
        people,
        groups,
        channels,
        commands,
        shortcuts,
        globalShortcuts,
        details,
      },
      theme,
      act,
      upload: async (file) => {
        const uploaded = await upload(viewer, file);
        setNotice(uploaded.ok ? undefined : uploaded.error);
        return uploaded.ok ? uploaded.file : undefined;
      },
      confirm: (asked) => new Promise((answer) => setQuestion({ asked, answer })),
      openThread: (inChannel, ts) => go({ where: inChannel, thread: ts }),
    }),
    [
      team,
      viewer,
      app,
      people,
      groups,
      channels,
      commands,
      shortcuts,
      globalShortcuts,
      details,
      theme,
      act,
      go,
    ],
  );

  const heading = `${channel ? titleOf(channel) : snapshot.app.name} – ${snapshot.team.name}`;
  useEffect(() => {
    document.title = heading;
  }, [heading]);
  useEffect(() => {
    // Each opening is an event for the app, also the opening by a link or after a switch of person.
    if (where === 'home') void act({ act: 'open_home' });
  }, [where, act]);

  const goTo = (next: string) => {
    setMenuOpen(false);
    setNotice(undefined);
    go({ where: next, thread: undefined, panel: narrow.matches ? undefined : place.panel });
  };
  const closePanel = () => go({ where, thread: place.thread, panel: undefined });
  const panel =
    hasBeside && place.panel === beside.name ? (
      <beside.Panel catalogue={catalogue} now={feed.beside} onClose={closePanel} />
    ) : place.panel === 'slack' && slack ? (
      <SlackPanel now={slack} onClose={closePanel} />
    ) : place.panel === 'steps' && steps.length > 0 ? (
      <StepsPanel steps={steps} runs={runs} onClose={closePanel} />
    ) : undefined;
  const shownNotice = notice && <Notice text={notice} onClose={() => setNotice(undefined)} />;

  return (
    <WorkspaceContext value={workspace}>
      <MessagesContext value={snapshot.messages}>
        <div className={`office${menuOpen ? ' office-menu' : ''}${panel ? ' office-panel' : ''}`}>
          <TopBar
            heading={heading}
            live={live}
            onMenu={() => setMenuOpen(!menuOpen)}
            menuOpen={menuOpen}
            open={place.panel}
            panels={[
              ...(steps.length > 0
                ? [{ ...stepsButton, count: runs.filter(({ state }) => state === 'running').length }]
                : []),
              ...(slack ? [{ ...slackButton, count: troublesOf(slack) }] : []),
              ...(hasBeside ? [{ ...beside, count: beside.troubles(feed.beside) }] : []),
            ]}
            onPanel={(name) => {
              setMenuOpen(false);
              go({ where, thread: place.thread, panel: place.panel === name ? undefined : name });
            }}
          />
          <Sidebar
            where={where}
            unread={unread}
            onGo={goTo}
            onSwitch={(person) => {
              setMenuOpen(false);
              go({ viewer: person, where, thread: place.thread });
            }}
          />
          {menuOpen && (
            <button
              type="button"
              className="menu-shade"
              aria-label="Close menu"
              onClick={() => setMenuOpen(false)}
            />
          )}
          <main className="stage">
            <div className={place.thread && channel ? 'main main-thread' : 'main'}>
              {snapshot.views.length === 0 && shownNotice}
              {where === 'home' ? (
                <Home key={viewer} home={snapshot.home} />
              ) : channel ? (
                <Channel key={`${viewer}/${channel.id}`} channel={channel} />
              ) : (
                <p className="home-empty">There is no such channel.</p>
              )}
              {channel && place.thread && (
                <Thread
                  channel={channel.id}
                  ts={place.thread}
                  onClose={() => go({ where, thread: undefined })}
                />
              )}
            </div>
            {panel}
          </main>
        </div>
        {snapshot.views.map((view, index) => (
          <Modal key={view.id} open={view}>
            {index === snapshot.views.length - 1 && shownNotice}
          </Modal>
        ))}
        {question && (
          <Confirm
            question={question.asked}
            onAnswer={(yes) => {
              setQuestion(undefined);
              question.answer(yes);
            }}
          />
        )}
      </MessagesContext>
    </WorkspaceContext>
  );
}
