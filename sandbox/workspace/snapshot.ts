import { botUserId, type Member, type Room, team } from './people.ts';
import type { Channel, Person, Snapshot } from './protocol.ts';
import { openView } from './views.ts';
import type { World } from './world.ts';

/** Everything `viewer` can see now. People of other organisations are left out unless they are in a channel of the viewer's. */
export function snapshot(world: World, viewer: string, connected: boolean): Snapshot {
  const rooms = world.roster.rooms.filter((room) => room.members.has(viewer));
  const home = world.views.home(viewer);
  const people = world.roster.people.filter(
    (person) =>
      !world.roster.isExternal(person) ||
      person.id === viewer ||
      rooms.some((room) => room.members.has(person.id)),
  );
  return {
    team: { id: team.id, name: world.team.name },
    viewer,
    app: { name: world.app.name, botUser: botUserId, connected },
    people: people.filter((person) => !person.deleted).map(person),
    groups: Object.fromEntries(world.roster.groups.map(({ id, handle }) => [id, handle])),
    channels: rooms.map((room) => channel(room, world.app.takesMessages)),
    messages: world.messages.seenBy(
      viewer,
      rooms.map((room) => room.id),
    ),
    views: world.views.stack(viewer).map(openView),
    home: home === undefined ? null : { blocks: home.content.blocks },
    commands: world.app.commands.map(({ command, description, usage_hint }) => ({
      command,
      description,
      usage_hint,
    })),
    shortcuts: shortcuts(world, 'message'),
    globalShortcuts: shortcuts(world, 'global'),
    steps: world.app.steps,
    details: world.details.seenBy(viewer),
    runs: world.executions.startedBy(viewer),
  };
}

function shortcuts({ app }: World, kind: 'message' | 'global'): Snapshot['shortcuts'] {
  return app.shortcuts
    .filter(({ type }) => type === kind)
    .map(({ callback_id, name, description }) => ({ callback_id, name, description }));
}

function person({ id, name, realName, title, color, isGuest, isBot }: Member): Person {
  return { id, name, realName, title, color, isGuest, isBot };
}

function channel({ id, name, topic, isIm, members }: Room, takesMessages: boolean): Channel {
  return {
    id,
    name,
    topic,
    ...(isIm && !takesMessages ? { isReadOnly: true } : {}),
    ...(members.has(botUserId) ? {} : { lacksApp: true }),
  };
}
