import type { Member, Room } from '../../../sandbox/workspace/people.ts';
import { mustKnow, type Names } from './names.ts';
import type { ChannelChange, PersonChange } from './workspace.ts';

/** @throws TypeError for what cannot change */
export function personChange({ isDeactivated, ...change }: PersonChange): Partial<Omit<Member, 'id'>> {
  mustKnow('A person has no', change, ['realName', 'title', 'email', 'isGuest', 'isDeactivated']);
  return { ...change, ...(isDeactivated !== undefined && { deleted: isDeactivated }) };
}

/** @throws TypeError for what cannot change */
export function channelChange(
  { isShared, members, hasApp, ...change }: ChannelChange,
  room: Room,
  names: Names,
  app: string,
): Partial<Omit<Room, 'id' | 'isIm'>> {
  mustKnow('A channel has no', change, [
    ...['topic', 'isPrivate', 'isArchived', 'isShared'],
    ...['members', 'hasApp'],
  ]);
  const people = members?.map((one) => names.person(one).id) ?? [...room.members].filter((id) => id !== app);
  const isIn = hasApp ?? room.members.has(app);
  const isChanged = members !== undefined || hasApp !== undefined;
  return {
    ...change,
    ...(isShared !== undefined && { isExtShared: isShared }),
    ...(isChanged && { members: new Set(isIn ? [...people, app] : people) }),
  };
}
