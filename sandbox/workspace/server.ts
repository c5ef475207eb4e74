import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { act } from './acts.ts';
import type { Simulated } from './appliance.ts';
import { Changes, type Listener } from './changes.ts';
import { Dispatch, type Outcome } from './dispatch.ts';
import { emit } from './events.ts';
import { Faults } from './faults.ts';
import { download, upload } from './file-routes.ts';
import { Files } from './files.ts';
import { BodyTooLarge } from './http.ts';
import { WireLog } from './log.ts';
import { installApp, type Manifest } from './manifest.ts';
import { Messages } from './messages.ts';
import { fileFor, uploadAs } from './page-files.ts';
import {
  appId,
  botUserId,
  type ChannelOption,
  type Member,
  otherTeam,
  type PersonOption,
  type Room,
  team,
  type UserGroup,
  type UserGroupOption,
} from './people.ts';
import type { Act, Acted, Snapshot, Uploaded } from './protocol.ts';
import { RateLimits } from './rate-limits.ts';
import { RequestUrl } from './request-url.ts';
import { responseUrl } from './response-url-route.ts';
import { ResponseUrls } from './response-urls.ts';
import { Roster } from './roster.ts';
import { type Page, SandboxRoutes } from './sandbox-routes.ts';
import { snapshot } from './snapshot.ts';
import { type DisconnectReason, Sockets } from './socket-mode.ts';
import { Triggers } from './triggers.ts';
import { Views } from './views.ts';
import { webApi } from './web-api.ts';
import type { World } from './world.ts';

export interface WorkspaceOptions {
  /** The app's manifest, or the path of one; the repository's `manifest.yml` when absent. */
  readonly manifest?: Manifest | string | URL;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  readonly people?: readonly PersonOption[];
  readonly channels?: readonly ChannelOption[];
  readonly userGroups?: readonly UserGroupOption[];
  /** Milliseconds since 1970; decides on message times and on when triggers and response URLs die. Waiting for acknowledgements is always real time. */
  readonly clock?: () => number;
  /** How long an acknowledgement may take; Slack's 3000 by default. */
  readonly ackTimeoutMs?: number;
  /** When events nobody acknowledged are sent again; Slack's at once, a minute, five minutes by default. */
  readonly eventRetryDelaysMs?: readonly number[];
  /** Enforces Slack's rate limits (slack-facts.md §4) by `clock`; off by default, `faults` can limit single calls. */
  readonly rateLimits?: boolean;
  /** The app's request URL for HTTP mode, used while no socket is connected. */
  readonly requestUrl?: string;
  /** Serves `/` and `/assets/*`. */
  readonly page?: Page;
  /** The simulated appliance that the page shows and steers. */
  readonly appliance?: Simulated;
}

export interface Workspace {
  /** Such as `http://127.0.0.1:4711`. */
  readonly url: string;
  /** For the SDK's `slackApiUrl`; ends in `/api/`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly teamId: string;
  readonly appId: string;
  readonly botUserId: string;
  /** Everybody, the bot and people of other organisations included. */
  readonly people: readonly Member[];
  readonly channels: readonly Room[];
  readonly userGroups: readonly UserGroup[];
  /** What a person sees. Throws for an ID nobody has. */
  snapshot(as: string): Snapshot;
  /** Does what a person does; see `Act`. */
  act(given: Act): Promise<Acted>;
  /** Uploads a file as a person; `Act` then posts it with a message or puts it into a form. */
  upload(as: string, name: string, content: Uint8Array): Uploaded;
  /** The bytes of a file that a person can see; undefined for all others. */
  fileContent(as: string, id: string): Buffer | undefined;
  /** Makes Slack say something else of a file, such as `{ mode: 'external' }` or a wrong `size`. Throws for an ID that no file has. */
  changeFile(id: string, said: Readonly<Record<string, unknown>>): void;
  onChange(listener: Listener): () => void;
  readonly faults: Faults;
  readonly log: WireLog;
  readonly sockets: {
    readonly count: number;
    /** The connections of all bots, oldest first: each payload goes to any one of them. */
    readonly ids: readonly string[];
    /** Which one, while it is open; they take turns when none is named. */
    prefer(id?: string): void;
    disconnect(reason?: DisconnectReason, id?: string): void;
    drop(id?: string): void;
  };
  /**
   * Has Slack deliver something once more: what it delivered last, or the envelope with this ID of `log.envelopes()`. In
   * the `same` envelope, or in a `new` one that says it is a repetition. Over HTTP the body is the same in any case.
   */
  redeliver(envelopeId?: string, envelope?: 'same' | 'new'): Promise<Outcome>;
  /**
   * A person does once more what they did, as from a screen that has not caught up: the last thing, or what came in the
   * envelope with this ID. To the app it is not a repetition, for its trigger is new.
   */
  repeat(envelopeId?: string): Promise<Outcome>;
  /** Sends any event the manifest subscribes to; undefined when it does not. */
  emit(event: Readonly<Record<string, unknown>> & { readonly type: string }): Promise<Outcome | undefined>;
  /** Changes somebody and tells the app (`user_change`). */
  changePerson(id: string, change: Partial<Omit<Member, 'id'>>): Promise<void>;
  /** Changes a user group and tells the app (`subteam_members_changed`, `subteam_updated`). */
  changeUserGroup(id: string, change: Partial<Omit<UserGroup, 'id'>>): Promise<void>;
  /**
   * Changes a channel. When `isExtShared` turns, the people of the other organisation come or go, and the app is told
   * (`channel_shared`, `channel_unshared`).
   */
  changeChannel(id: string, change: Partial<Omit<Room, 'id' | 'isIm'>>): Promise<void>;
  /** The direct messages of the app and a person. Throws for an ID nobody has. */
  direct(person: string): Room;
  /** Closes every connection and the port. */
  stop(): Promise<void>;
}

/** Starts a Slack-compatible workspace on 127.0.0.1 with one app installed. Rejects when the port is taken. */
export async function startWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const now = options.clock ?? Date.now;
  const app = installApp(options.manifest);
  const secret = (): string => randomBytes(12).toString('hex');
  const signingSecret = secret();
  const tokens = {
    bot: `xoxb-sandbox-${secret()}`,
    app: `xapp-1-${appId}-${secret()}`,
    verification: secret(),
  };
  const changes = new Changes();
  const messages = new Messages(now, changes);
  const log = new WireLog();
  const faults = new Faults();
  const ackTimeoutMs = options.ackTimeoutMs ?? 3000;
  const acknowledged = (envelopeId: string, body: unknown): void => dispatch.acknowledged(envelopeId, body);
  const failed = (envelopeId: string): void => dispatch.failed(envelopeId);
  const sockets = new Sockets(now, changes, acknowledged);
  const requestUrl =
    options.requestUrl === undefined
      ? undefined
      : new RequestUrl({
          url: options.requestUrl,
          signingSecret,
          now,
          timeoutMs: ackTimeoutMs,
          acknowledged,
          failed,
        });
  const dispatch = new Dispatch({
    carriers: requestUrl === undefined ? [sockets] : [sockets, requestUrl],
    log,
    changes,
    faults,
    ackTimeoutMs,
    eventRetryDelaysMs: options.eventRetryDelaysMs ?? [0, 60_000, 300_000],
  });
  const world: World = {
    now,
    app,
    tokens,
    roster: new Roster(options, app.botName),
    messages,
    files: new Files(now),
    views: new Views(now, changes),
    triggers: new Triggers(now),
    responseUrls: new ResponseUrls(now, messages),
    changes,
    faults,
    rateLimits: options.rateLimits === true ? new RateLimits(now) : undefined,
    log,
    sockets,
    dispatch,
    url: () => url,
  };
  const isConnected = (): boolean => sockets.count > 0 || requestUrl !== undefined;
  const see = (as: string): Snapshot | undefined =>
    world.roster.person(as) === undefined ? undefined : snapshot(world, as, isConnected());
  const routes = new SandboxRoutes({
    page: options.page,
    appliance: options.appliance,
    // Whoever opens the page without saying who they are is the first person.
    snapshot: (as) => see(as === '' ? (world.roster.people[0]?.id ?? '') : as),
    act: (given) => act(world, given),
    upload: (as, name, content) => uploadAs(world, as, name, content),
    file: (as, id) => fileFor(world, as, id),
    threadOf: (channel, ts) => {
      const message = messages.find(channel, ts);
      return message?.threadTs ?? message?.ts;
    },
    changes,
    port: () => port,
  });

  const server = createServer((request, response) => {
    route(world, routes, request, response).catch((error: unknown) => fail(response, error));
  });
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  // A listening TCP server has an address of this shape.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    apiUrl: `${url}/api/`,
    botToken: tokens.bot,
    appToken: tokens.app,
    signingSecret,
    teamId: team.id,
    appId,
    botUserId,
    get people() {
      return world.roster.people;
    },
    get channels() {
      return world.roster.rooms;
    },
    get userGroups() {
      return world.roster.groups;
    },
    snapshot(as) {
      const seen = see(as);
      if (seen === undefined) throw new Error(`Nobody here has the ID ${as}`);
      return seen;
    },
    act: (given) => act(world, given),
    upload: (as, name, content) => uploadAs(world, as, name, Buffer.from(content)),
    fileContent: (as, id) => fileFor(world, as, id)?.content,
    changeFile: (id, said) => world.files.change(id, said),
    onChange: (listener) => changes.onChange(listener),
    faults,
    log,
    sockets,
    redeliver: (envelopeId, envelope) => dispatch.redeliver(envelopeId, envelope),
    repeat: (envelopeId) => dispatch.repeat(envelopeId, (user) => world.triggers.make(user)),
    emit: (event) => emit(world, event),
    async changePerson(id, change) {
      const user = world.roster.changePerson(id, change);
      changes.tell({ type: 'roster' });
      await emit(world, { type: 'user_change', user: { id, team_id: user.teamId, deleted: user.deleted } });
    },
    async changeUserGroup(id, change) {
      const before = world.roster.group(id)?.users ?? [];
      const group = world.roster.changeGroup(id, change);
      await emit(world, {
        type: 'subteam_members_changed',
        subteam_id: id,
        team_id: team.id,
        added_users: group.users.filter((user) => !before.includes(user)),
        removed_users: before.filter((user) => !group.users.includes(user)),
      });
      await emit(world, {
        type: 'subteam_updated',
        subteam: { id, team_id: team.id, handle: group.handle, users: group.users },
      });
    },
    async changeChannel(id, change) {
      const before = world.roster.room(id)?.isExtShared;
      const { isExtShared } = world.roster.changeRoom(id, change);
      changes.tell({ type: 'roster' });
      if (isExtShared === before) return;
      await emit(
        world,
        isExtShared
          ? { type: 'channel_shared', connected_team_id: otherTeam.id, channel: id }
          : {
              type: 'channel_unshared',
              previously_connected_team_id: otherTeam.id,
              channel: id,
              is_ext_shared: false,
            },
      );
    },
    direct(id) {
      const person = world.roster.person(id);
      if (person === undefined) throw new Error(`Nobody here has the ID ${id}`);
      return world.roster.direct(person);
    },
    async stop() {
      dispatch.stop();
      await sockets.stop();
      requestUrl?.stop();
      routes.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function route(
  world: World,
  routes: SandboxRoutes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname.startsWith('/api/'))
    return webApi(world, url.pathname.slice('/api/'.length), request, response);
  if (/^\/(commands|actions)\//.test(url.pathname))
    return responseUrl(world, url.pathname, request, response);
  if (url.pathname.startsWith('/files-pri/')) return download(world, url.pathname, request, response);
  if (url.pathname.startsWith('/upload/v1/')) return upload(world, url.pathname, request, response);
  return routes.answer(request, response, url);
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(error instanceof BodyTooLarge ? 413 : 500, { 'content-type': 'text/plain' });
  response.end(error instanceof BodyTooLarge ? 'too large' : 'the sandbox failed');
}
