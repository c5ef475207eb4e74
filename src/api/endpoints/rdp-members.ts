import { z } from 'zod';
import { created, type ReplyReader } from '../reading/reply-reader.ts';
import { entries, entry, finder, type IdentifiedEntry, undocumented } from '../reading/unnamed.ts';
import { json, secret, unnamedFields } from '../wire/body.ts';
import { byId, endpoint } from './rdp-endpoint.ts';

/** A person who may open sessions. The document names the fields username, password and endoflife (§2.14). */
export interface Member extends IdentifiedEntry {
  readonly username?: string;
  /** As in `createMember`. */
  readonly endOfLife?: number;
}

const find = finder({ username: ['username'], endOfLife: ['endoflife'] });

function memberOf(read: IdentifiedEntry): Member {
  const under = find(read.fields);
  const [username] = under('username');
  const [endOfLife = ''] = under('endOfLife');
  return {
    ...read,
    ...(username === undefined ? {} : { username }),
    // Other text stays readable among the fields.
    ...(/^\d+$/.test(endOfLife) ? { endOfLife: Number(endOfLife) } : {}),
  };
}

const likelyNames = ['username', 'user', 'login'];
const untilWhen =
  'When the membership ends: a timestamp; neither its unit nor a value for "never" is documented.';
const wire = undocumented('RdpMember', 'A person who may open sessions.', {
  properties: {
    username: { type: 'string', description: 'The name that the member logs in with.' },
    endoflife: { type: 'string', description: `${untilWhen} A number, written as text.` },
  },
});
const list = entries('member', wire, likelyNames);
const alone = entry('member', wire, likelyNames);

const listOfMembers: ReplyReader<Member[]> = {
  read: (answer) => list.read(answer).map(memberOf),
  wire: list.wire,
};

const oneMember: ReplyReader<Member> = {
  read: (answer) => memberOf(alone.read(answer)),
  wire: alone.wire,
};

/** A member as it is sent, all of it as text (§4.6). */
const sent = json(
  'SentRdpMember',
  'A member to create, or to replace another.',
  {
    username: z.string().min(1).describe('The name that the member logs in with.'),
    password: secret.optional().describe('The password of the member. It is never returned.'),
    endOfLife: z.int().nonnegative().optional().describe(untilWhen),
    fields: unnamedFields.optional().describe('Any other fields, under the names that the appliance uses.'),
  },
  { endOfLife: 'endoflife' },
);

const slots = byId('member', 'listMembers');

export const members = {
  listMembers: endpoint('GET /rdpproxy/members', {
    summary: 'All members.',
    effect: 'read',
    reply: listOfMembers,
  }),

  createMember: endpoint('POST /rdpproxy/members', {
    summary: 'Creates a member.',
    effect: 'write',
    body: sent,
    reply: created,
  }),

  getMember: endpoint('GET /rdpproxy/members/{id}', {
    summary: 'One member.',
    effect: 'read',
    slots,
    reply: oneMember,
  }),

  // Destructive: the old password cannot be read, so nobody can restore it.
  replaceMember: endpoint('PUT /rdpproxy/members/{id}', {
    summary: 'Replaces a member; whether what is left out stays or goes is not documented.',
    effect: 'destructive',
    slots,
    body: sent,
  }),

  deleteMember: endpoint('DELETE /rdpproxy/members/{id}', {
    summary: 'Deletes a member.',
    effect: 'destructive',
    slots,
  }),
};
