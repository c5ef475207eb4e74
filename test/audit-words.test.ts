import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

const audit = { channel: 'C0INCIDENT' };

/** The newest answer with these words, and the transcript after it. */
const from = (transcript: string, words: string): string => transcript.slice(transcript.lastIndexOf(words));

test('the audit, the timeline and the audit channel name people, and show times in the zone of their reader', async () => {
  const { type, press, pass, read } = await converse({ policy: { audit } });
  await type('/appliance acl object disable google_sni', 'vic');
  await type('/appliance emergency enable --for 30m --reason "the directory is down"', 'bob');
  await press('Approve', 'carol');
  await pass(2_000);
  await pass(2_000);
  const told = [
    from(await type('/appliance audit', 'dana'), 'in this channel'),
    from(await type('/appliance timeline', 'dana'), 'Timeline of this channel'),
    read('dana', 'incident'),
  ];
  for (const words of told) {
    expect(words).toContain('acl object disable google_sni');
    expect(words).not.toMatch(/\bU0[A-Z0-9]{8}\b/);
    expect(words).not.toMatch(/\d{4}-\d\d-\d\dT[\d:]+\.\d+Z/);
  }
});

test('a name from an appliance mentions nobody in the audit, though it looks like an ID', async () => {
  const { type, press, pass, read, appliance } = await converse({ policy: { audit } });
  const { members } = appliance.state.rdp;
  const [id, member] = [...members].at(0) ?? [];
  if (id === undefined || member === undefined) throw new Error('There is no member');
  members.set(id, { ...member, username: 'U0EVE00001' });
  await type(`/appliance rdp member delete ${id}`, 'dana');
  await press('Delete', 'dana');
  await pass(2_000);
  await pass(2_000);
  for (const words of [
    from(await type('/appliance audit', 'dana'), 'in this channel'),
    read('dana', 'incident'),
  ]) {
    expect(words).toContain('Member U0EVE00001');
    expect(words).not.toContain('@eve');
  }
});
