import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { act } from './acts.ts';
import { Changes } from './changes.ts';
import { Conditions } from './conditions.ts';
import { Dispatch } from './dispatch.ts';
import { Details } from './entities/details.ts';
import { emit } from './events.ts';
import { Faults } from './faults.ts';
import { download, upload } from './file-routes.ts';
import { Files } from './files.ts';
import { Executions } from './functions/executions.ts';
import { BodyTooLarge } from './http.ts';
import { WireLog } from './log.ts';
import { installApp } from './manifest.ts';
import { tellMembers } from './membership.ts';
import { Messages } from './messages.ts';
import { fileFor, uploadAs } from './page-files.ts';
import { appId, botUserId, otherTeam, team } from './people.ts';
import type { Snapshot } from './protocol.ts';
import { RateLimits } from './rate-limits.ts';
import { RequestUrl } from './request-url.ts';
import { responseUrl } from './response-url-route.ts';
import { ResponseUrls } from './response-urls.ts';
import { Roster } from './roster.ts';
import { witnessFor } from './said.ts';
import { SandboxRoutes } from './sandbox-routes.ts';
import { actOnSlack, slackNow, steerSlack } from './slack.ts';
import { snapshot } from './snapshot.ts';
import { Sockets } from './socket-mode.ts';
import { Triggers } from './triggers.ts';
import { Views } from './views.ts';
import { webApi } from './web-api.ts';
import type { Workspace, WorkspaceOptions } from './workspace.ts';
import type { World } from './world.ts';

/** Starts a Slack-compatible workspace on 127.0.0.1 with one app installed. Rejects when the port is taken. */
export async function startWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const now = options.clock ?? Date.now;
  const app = installApp(options.manifest);
  const { team: workspaceTeam = { name: 'Acme', domain: 'acme' } } = options;
  const secret = (): string => randomBytes(12).toString('hex');
  const signingSecret = secret();
  const newToken = {
    bot: () => `xoxb-sandbox-${secret()}`,
    app: () => `xapp-1-${appId}-${secret()}`,
  };
  const tokens = { bot: newToken.bot(), app: newToken.app(), verification: secret() };
  const changes = new Changes();
  const witness = witnessFor(() => world);
  const messages = new Messages(now, changes, options.retention ?? Number.POSITIVE_INFINITY, witness);
  const log = new WireLog();
  const faults = new Faults(() => changes.tell({ type: 'trouble' }));
  const conditions = new Conditions(app, () => changes.tell({ type: 'trouble' }));
  const ackTimeoutMs = options.ackTimeoutMs ?? 3000;
  const acknowledged = (envelopeId: string, body: unknown): void => dispatch.acknowledged(envelopeId, body);
  const failed = (envelopeId: string): void => dispatch.failed(envelopeId);
  const sockets = new Sockets(now, changes, acknowledged);
  const httpMode = { signingSecret, now, timeoutMs: ackTimeoutMs, acknowledged, failed };
  const openRequestUrl = (at: string | undefined): RequestUrl | undefined =>
    at === undefined ? undefined : new RequestUrl({ ...httpMode, url: at });
  let requestUrl = openRequestUrl(options.requestUrl);
  const dispatch = new Dispatch({
    carriers: () => (requestUrl === undefined ? [sockets] : [sockets, requestUrl]),
    log,
    changes,
    faults,
    ackTimeoutMs,
    eventRetryDelaysMs: options.eventRetryDelaysMs ?? [0, 60_000, 300_000],
  });
  const world: World = {
    now,
    app,
    team: workspaceTeam,
    tokens,
    roster: new Roster(options, app.botName, workspaceTeam.domain),
    messages,
    files: new Files(now),
    views: new Views(now, changes),
    triggers: new Triggers(now),
    executions: new Executions(changes),
    details: new Details(changes),
    responseUrls: new ResponseUrls(now, messages),
    changes,
    faults,
    conditions,
    rateLimits: options.rateLimits === true ? new RateLimits(now) : undefined,
    log,
    sockets,
    dispatch,
    url: () => url,
  };
  // An app that people may write to is among their direct messages before it ever wrote to them.
  if (app.takesMessages) world.roster.openDirect();
  const isConnected = (): boolean => sockets.count > 0 || requestUrl !== undefined;
  const see = (as: string): Snapshot | undefined =>
    world.roster.person(as) === undefined ? undefined : snapshot(world, as, isConnected());
  const routes = new SandboxRoutes({
    page: options.page,
    beside: options.beside,
    slack: { now: () => slackNow(world), act: (json) => actOnSlack(world, json) },
    // A page without a person in its address belongs to the first person.
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

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    route(world, routes, request, response).catch((error: unknown) => fail(response, error));
  };
  const { tls } = options;
  const server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  // A listening TCP server has an address of this shape.
  const { port } = server.address() as AddressInfo;
  const url = tls === undefined ? `http://127.0.0.1:${port}` : `https://${tls.host}:${port}`;

  return {
    url,
    apiUrl: `${url}/api/`,
    get botToken() {
      return tokens.bot;
    },
    get appToken() {
      return tokens.app;
    },
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
    steer: (given) => steerSlack(world, given),
    faults,
    conditions,
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
      const before = world.roster.room(id);
      const after = world.roster.changeRoom(id, change);
      const { isExtShared } = after;
      changes.tell({ type: 'roster' });
      if (before !== undefined) await tellMembers(world, before, after);
      if (isExtShared === before?.isExtShared) return;
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
    useRequestUrl(at) {
      requestUrl?.stop();
      requestUrl = openRequestUrl(at);
      changes.tell({ type: 'roster' });
    },
    replaceToken(token) {
      tokens[token] = newToken[token]();
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
