import {
  botUserId,
  type ChannelOption,
  type Member,
  member,
  type PersonOption,
  type Room,
  slackbotId,
  team,
  type UserGroup,
  type UserGroupOption,
} from './people.ts';

export interface RosterOptions {
  readonly people?: readonly PersonOption[] | undefined;
  readonly channels?: readonly ChannelOption[] | undefined;
  readonly userGroups?: readonly UserGroupOption[] | undefined;
}

/** Everybody in the workspace: people, channels with their members, user groups. Changed only by its verbs. */
export class Roster {
  readonly #people = new Map<string, Member>();
  readonly #rooms = new Map<string, Room>();
  readonly #groups = new Map<string, UserGroup>();
  readonly #direct = new Map<string, string>();

  constructor(options: RosterOptions, botName: string, domain: string) {
    options.people?.forEach((person, index) => {
      this.#people.set(person.id, member(person, domain, index));
    });
    const everybody = this.people;
    const own = everybody.filter((person) => !this.isExternal(person));
    const add = (option: PersonOption) => this.#people.set(option.id, member(option, domain));
    add({
      id: botUserId,
      name: botName,
      realName: botName,
      title: 'App',
      color: '#1d3557',
      isBot: true,
    });
    add({
      id: slackbotId,
      name: 'slackbot',
      realName: 'Slackbot',
      title: '',
      color: '#611f69',
      isBot: true,
    });
    for (const channel of options.channels ?? []) {
      const { botIsMember = true, members, ...rest } = channel as ChannelOption;
      const isIn = members ?? (rest.isExtShared === true ? everybody : own).map(({ id }) => id);
      this.#rooms.set(channel.id, {
        topic: '',
        isPrivate: false,
        isArchived: false,
        isExtShared: false,
        isPendingExtShared: false,
        isIm: false,
        ...rest,
        members: new Set(botIsMember ? [...isIn, botUserId] : isIn),
      });
    }
    for (const group of options.userGroups ?? []) {
      this.#groups.set(group.id, { name: group.handle, disabled: false, ...group });
    }
  }

  get people(): readonly Member[] {
    return [...this.#people.values()];
  }

  get rooms(): readonly Room[] {
    return [...this.#rooms.values()];
  }

  get groups(): readonly UserGroup[] {
    return [...this.#groups.values()];
  }

  person(id: string): Member | undefined {
    return this.#people.get(id);
  }

  personNamed(name: string): Member | undefined {
    return this.people.find((person) => person.name === name);
  }

  room(id: string): Room | undefined {
    return this.#rooms.get(id);
  }

  roomNamed(name: string): Room | undefined {
    return this.rooms.find((room) => room.name === name && !room.isIm);
  }

  group(id: string): UserGroup | undefined {
    return this.#groups.get(id);
  }

  isMember(channel: string, person: string): boolean {
    return this.#rooms.get(channel)?.members.has(person) ?? false;
  }

  /** Somebody of another organisation (slack-facts.md §6: no flag says so, only the team differs). */
  isExternal(person: Member): boolean {
    return person.teamId !== team.id;
  }

  /** The direct channel of the app and a person; made at its first use. */
  direct(person: Member): Room {
    const known = this.#rooms.get(this.#direct.get(person.id) ?? '');
    if (known !== undefined) return known;
    const room: Room = {
      id: `D${person.id.slice(1)}`,
      name: this.#people.get(botUserId)?.name ?? 'app',
      topic: 'Direct messages with the app',
      isPrivate: true,
      isArchived: false,
      isExtShared: false,
      isPendingExtShared: false,
      isIm: true,
      members: new Set([person.id, botUserId]),
    };
    this.#rooms.set(room.id, room);
    this.#direct.set(person.id, room.id);
    return room;
  }

  /** Opens the direct channels of the app and everybody of the workspace. */
  openDirect(): void {
    for (const person of this.people) if (!person.isBot && !this.isExternal(person)) this.direct(person);
  }

  changePerson(id: string, change: Partial<Omit<Member, 'id'>>): Member {
    const person = this.#people.get(id);
    if (person === undefined) throw new Error(`Nobody here has the ID ${id}`);
    const changed = { ...person, ...change };
    this.#people.set(id, changed);
    return changed;
  }

  /** With the other organisation come its people, and with it they go. */
  changeRoom(id: string, change: Partial<Omit<Room, 'id' | 'isIm'>>): Room {
    const room = this.#rooms.get(id);
    if (room === undefined) throw new Error(`No channel has the ID ${id}`);
    const { isExtShared = room.isExtShared } = change;
    const external = this.people.filter((person) => this.isExternal(person)).map((person) => person.id);
    const own = [...room.members].filter((member) => !external.includes(member));
    const members =
      isExtShared === room.isExtShared ? room.members : new Set(isExtShared ? [...own, ...external] : own);
    const changed = { ...room, members, ...change };
    this.#rooms.set(id, changed);
    return changed;
  }

  changeGroup(id: string, change: Partial<Omit<UserGroup, 'id'>>): UserGroup {
    const group = this.#groups.get(id);
    if (group === undefined) throw new Error(`No user group has the ID ${id}`);
    const changed = { ...group, ...change };
    this.#groups.set(id, changed);
    return changed;
  }
}
